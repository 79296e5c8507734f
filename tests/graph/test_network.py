"""The graph as networkx's MultiDiGraph: everything is in it, and networkx's own algorithms answer."""

from __future__ import annotations

import networkx
import pytest

from tests.graph.example import GRAPH


def test_nodes_carry_all_fields_their_leaf_and_their_dead_ends() -> None:
    facts = GRAPH.network.nodes["n2"]
    assert {name: facts[name] for name in GRAPH["n2"]._fields} == GRAPH["n2"]._asdict()
    assert facts["leaf"] is None
    assert facts["dead_ends"] == ()
    assert GRAPH.network.nodes["n3"]["leaf"] is GRAPH.leaf("layer.weight")
    assert GRAPH.network.nodes["n0"]["dead_ends"] == GRAPH.dead_ends
    assert list(GRAPH.network) == [node.id for node in GRAPH.nodes]


def test_edges_are_keyed_by_their_slot_and_parallel_ones_are_kept() -> None:
    assert GRAPH.network.number_of_edges("n2", "n3") == 2
    assert GRAPH.network.edges["n2", "n3", 2] == GRAPH.edges[3]._asdict()
    assert [facts for _, _, facts in GRAPH.network.edges(data=True)] == [edge._asdict() for edge in GRAPH.edges]


def test_the_rest_is_in_the_attributes_of_the_graph() -> None:
    assert GRAPH.network.graph == {
        "roots": GRAPH.roots,
        "unreached": (GRAPH.leaf("unused"),),
        "modules": GRAPH.modules,
        "hooks": GRAPH.hooks,
        "notes": GRAPH.notes,
    }


def test_algorithms_of_networkx_answer() -> None:
    network = GRAPH.network
    assert networkx.ancestors(network, "n3") == {"n0", "n2"}
    assert list(networkx.all_simple_paths(network, "n0", "n3")) == [["n0", "n2", "n3"]] * 2
    assert list(networkx.topological_sort(network))[:2] == ["n0", "n2"]
    assert networkx.is_directed_acyclic_graph(network)
    assert [node for node, degree in network.out_degree() if not degree] == ["n1", "n3"]


def test_it_is_made_once_and_frozen() -> None:
    assert GRAPH.network is GRAPH.network
    with pytest.raises(networkx.NetworkXError, match="Frozen"):
        GRAPH.network.add_node("n9")
    copied = networkx.MultiDiGraph(GRAPH.network)
    copied.remove_node("n3")
    assert len(copied) == 3
    assert len(GRAPH.network) == 4
