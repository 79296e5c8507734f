"""The questions that a Graph answers itself, and its errors for names that it does not know."""

from __future__ import annotations

import ast
import dataclasses
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from gradviz.errors import GradvizError
from gradviz.graph import Edge, Graph, Leaf, Root, Saved
from gradviz.graph.graph import LONGEST_EXPRESSION
from tests.graph.example import GRAPH, chain, node


def test_a_node_by_its_id() -> None:
    assert GRAPH["n2"].op == "AddmmBackward0"


def test_a_leaf_by_its_name_or_alias() -> None:
    assert GRAPH.leaf("layer.weight") is GRAPH.leaf("head.weight") is GRAPH.leaves[1]
    assert GRAPH.leaf("unused").node is None


def test_unknown_names_are_refused_with_near_ones() -> None:
    with pytest.raises(GradvizError) as caught:
        GRAPH.leaf("layer.wieght")
    assert str(caught.value) == (
        "There is no leaf called 'layer.wieght'.\n"
        "  Why: the graph has 4 names, this is none of them.\n"
        "  What to do: use one of 'layer.weight', 'layer.bias', 'head.weight'."
    )


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda graph: graph["n9"], "There is no node called 'n9'"),
        (lambda graph: graph[""], "There is no node called ''"),
        (lambda graph: graph.leaf("zzz"), "There is no leaf called 'zzz'"),
        (lambda graph: graph.path_to("zzz"), "There is no node or leaf called 'zzz'"),
        (lambda graph: graph["layer.weight"], "There is no node called 'layer.weight'"),
        (lambda graph: graph[0], "There is no node called 0"),
        (lambda graph: graph.leaf(None), "There is no leaf called None"),
        (lambda graph: graph.path_to(3), "There is no node or leaf called 3"),
    ],
)
def test_what_is_not_there_is_refused(ask: Any, what: str) -> None:
    with pytest.raises(GradvizError) as caught:
        ask(GRAPH)
    assert caught.value.what == what
    assert caught.value.remedy


def test_an_empty_graph_answers_too() -> None:
    graph = Graph((), (), ())
    with pytest.raises(GradvizError, match="has 0 names"):
        graph["n0"]
    assert (graph.saved_bytes, len(graph.network)) == (0, 0)


def test_saved_bytes_count_each_storage_once() -> None:
    assert GRAPH.saved_bytes == 12 + 24
    untold = node(0, "One", 0)._replace(saved=(Saved("a", None, None, None, "held"), Saved("b", None, None, 3, "held")))
    assert dataclasses.replace(GRAPH, nodes=(untold,)).saved_bytes == 0


def test_a_path_to_a_leaf_or_node() -> None:
    assert [one.id for one in GRAPH.path_to("layer.weight")] == ["n0", "n2", "n3"]
    assert GRAPH.path_to("head.weight") == GRAPH.path_to("n3") == GRAPH.path_to("layer.weight")
    assert [one.id for one in GRAPH.path_to("layer.bias")] == ["n1"]  # which is a root itself
    assert GRAPH.path_to("n0") == (GRAPH["n0"],)
    assert GRAPH.path_to("unused") == ()


@pytest.mark.parametrize(
    ("target", "expression"),
    [
        ("n0", "loss['loss'].grad_fn"),
        ("n1", "torch.autograd.graph.get_gradient_edge(list(loss)[1]).node"),
        ("n2", "loss['loss'].grad_fn.next_functions[0][0]"),
        ("n3", "loss['loss'].grad_fn.next_functions[0][0].next_functions[1][0]"),
    ],
)
def test_expressions(target: str, expression: str) -> None:
    assert GRAPH.expression(target) == expression
    assert GRAPH.expression(target, root="out") == expression.replace("loss[", "out[").replace("(loss)", "(out)")


def test_the_expression_of_an_edge_starts_at_its_node() -> None:
    graph = dataclasses.replace(chain(1), roots=(Root(("", "[0]"), "edge", "n0", 2, None),))
    assert graph.expression("n1", root="edges") == "edges[0].node.next_functions[0][0]"


@pytest.mark.parametrize("hops", [0, 1, LONGEST_EXPRESSION, LONGEST_EXPRESSION + 1, 20_000])
def test_expressions_reach_their_node_at_any_depth(hops: int) -> None:
    last = SimpleNamespace(depth=hops)
    first = last
    for hop in reversed(range(hops)):
        first = SimpleNamespace(depth=hop, next_functions=((None, 0),) * (hop % 3) + ((first, 0),))
    expression = chain(hops).expression(f"n{hops}")
    scope: dict[str, Any] = {"loss": SimpleNamespace(grad_fn=first)}
    if hops <= LONGEST_EXPRESSION:
        assert eval(expression, scope) is last
    else:
        assert len(expression.splitlines()) == 3
        exec(expression, scope)
        assert scope["node"] is last
    while first is not last:  # taken apart from above, so that no destructor recurses
        first = first.next_functions[-1][0]


def test_equal_slots_in_a_row_are_written_once() -> None:
    graph = chain(600)
    graph = dataclasses.replace(graph, edges=tuple(Edge(e.source, 1, e.target, 0, None) for e in graph.edges))
    assert graph.expression("n600") == (
        "node = loss.grad_fn\nfor slot in [*[1] * 600]:\n    node = node.next_functions[slot][0]"
    )
    ast.parse(graph.expression("n600"))


def test_the_shortest_way_from_the_nearest_root_is_taken() -> None:
    graph = Graph(
        roots=(Root(("", "[0]"), "tensor", "n0", 0, None), Root(("", "[1]"), "tensor", "n1", 0, None)),
        nodes=tuple(node(index, "AddBackward0", index) for index in range(4)),
        edges=(Edge("n0", 0, "n1", 0, None), Edge("n0", 1, "n2", 0, None), Edge("n1", 1, "n3", 0, None)),
    )
    assert graph.expression("n1", "x") == "x[1].grad_fn"
    assert graph.expression("n3", "x") == "x[1].grad_fn.next_functions[1][0]"
    assert [one.id for one in graph.path_to("n3")] == ["n1", "n3"]


def test_a_graph_is_told_in_few_words() -> None:
    assert repr(GRAPH) == "<gradviz.Graph: 4 nodes, 4 edges, 2 leaves>"


def test_a_graph_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        GRAPH.nodes = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        GRAPH.nodes[0].op = "x"  # type: ignore[misc]


def test_equal_graphs_are_equal_and_hash_alike() -> None:
    other = pickle.loads(pickle.dumps(GRAPH))
    assert other == GRAPH
    assert hash(other) == hash(GRAPH)
    assert dataclasses.replace(GRAPH, notes=()) != GRAPH


def test_a_pickle_carries_no_caches() -> None:
    graph = dataclasses.replace(GRAPH)
    before = pickle.dumps(graph)
    assert len(graph.network) == 4
    assert graph.path_to("n3")
    assert pickle.dumps(graph) == before


def test_facts_keep_their_field_names() -> None:
    assert Leaf._fields[:3] == ("name", "aliases", "parameter")
    assert GRAPH["n0"]._asdict()["op"] == "MulBackward0"


def test_a_leaf_that_is_called_like_a_node_is_found_by_its_name() -> None:
    leaf = GRAPH.leaf("layer.weight")
    renamed = dataclasses.replace(GRAPH, leaves=tuple(x._replace(name="n0") if x is leaf else x for x in GRAPH.leaves))
    assert renamed.path_to("n0") == GRAPH.path_to("layer.weight")
    assert renamed.expression("n0") == GRAPH.expression("layer.weight")
    assert renamed["n0"] == GRAPH.nodes[0]


def test_a_graph_is_a_collection_of_its_nodes() -> None:
    assert len(GRAPH) == len(GRAPH.nodes)
    assert tuple(GRAPH) == GRAPH.nodes
    assert "n0" in GRAPH
    assert "layer.weight" not in GRAPH
