"""For every kind of graph: what is traced is what autograd holds, and what the engine will run, node by node."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from typing import Any, NamedTuple

import pytest
import torch

from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.live import LiveNode, RawWalk, backward, live_nodes, raw_walk
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import Builder, Sample, built

every_kind = pytest.mark.parametrize("build", KINDS.values(), ids=KINDS)


class Traced(NamedTuple):
    sample: Sample
    graph: Graph
    walk: RawWalk
    live: dict[str, LiveNode]  # by the id of the graph's node


def traced(sample: Sample) -> Graph:
    return trace(sample.outputs, model=sample.model)


@pytest.fixture(scope="module", params=KINDS.values(), ids=KINDS)
def kind(request: Any) -> Traced:
    sample = built(request.param)
    graph = traced(sample)
    return Traced(sample, graph, raw_walk(sample.root_list), live_nodes(graph, sample.outputs))


def test_the_zoo_is_large_enough() -> None:
    assert len(KINDS) >= 90


def test_each_expression_reaches_its_own_node(kind: Traced) -> None:
    graph, live = kind.graph, kind.live
    assert {id(node) for node in live.values()} == set(kind.walk.nodes)
    assert len(live) == len(graph.nodes) == len(kind.walk.nodes)
    assert [node.op for node in graph.nodes] == [_plain_name(live[node.id]) for node in graph.nodes]
    assert [len(node.slots) for node in graph.nodes] == [len(live[node.id]._input_metadata) for node in graph.nodes]


def test_edges_and_dead_ends_are_those_of_a_raw_walk(kind: Traced) -> None:
    ids = {name: id(node) for name, node in kind.live.items()}
    edges = Counter((ids[e.source], e.source_slot, ids[e.target], e.target_slot) for e in kind.graph.edges)
    assert edges == kind.walk.edges
    assert Counter((ids[end.source], end.source_slot) for end in kind.graph.dead_ends) == kind.walk.dead_ends


def test_edges_are_ordered_and_nodes_nearest_first(kind: Traced) -> None:
    graph = kind.graph
    places = [(int(edge.source[1:]), edge.source_slot) for edge in graph.edges]
    assert places == sorted(set(places))
    assert [node.id for node in graph.nodes] == [f"n{index}" for index in range(len(graph.nodes))]
    distances = [len(graph.path_to(node.id)) for node in graph.nodes]
    assert distances == sorted(distances)


def test_roots_are_found_in_order(kind: Traced) -> None:
    assert len(kind.graph.roots) == len(kind.sample.root_list)
    for root, expected in zip(kind.graph.roots, kind.sample.root_list, strict=True):
        before, after = root.access
        assert eval(f"{before}outputs{after}", {"outputs": kind.sample.outputs}) is expected
        assert root.slot == expected.output_nr
        if isinstance(expected, torch.Tensor):
            assert root.kind == ("leaf" if expected.grad_fn is None else "tensor")
            assert root.meta is not None
            assert root.meta.dtype == str(expected.dtype).removeprefix("torch.")
        else:
            assert root.kind == "edge"
            assert root.meta is None


def test_json_and_pickle_bring_back_an_equal_graph(kind: Traced) -> None:
    text = json.dumps(kind.graph.to_dict())
    assert Graph.from_dict(json.loads(text)) == kind.graph
    assert pickle.loads(pickle.dumps(kind.graph)) == kind.graph
    assert re.search("0x[0-9a-fA-F]{6,}", text) is None


def test_tracing_again_gives_an_equal_graph(kind: Traced) -> None:
    assert traced(kind.sample) == kind.graph


@every_kind
def test_building_again_gives_an_equal_graph(build: Builder) -> None:
    first, second = traced(built(build)).to_dict(), traced(built(build)).to_dict()
    assert json.dumps(first) == json.dumps(second)


@pytest.mark.parametrize("build", [pytest.param(build, id=name) for name, build in KINDS.items()])
def test_the_order_is_that_of_the_engine(build: Builder) -> None:
    sample = built(build)
    if not sample.runnable:
        pytest.skip("its backward cannot be run")
    graph = traced(sample)
    ran: list[str] = []
    live = live_nodes(graph, sample.outputs)  # keeps the AccumulateGrad node of a leaf that is an output itself
    for name, node in live.items():
        node.register_prehook(lambda _, name=name: ran.append(name))
    backward(sample.root_list)
    assert ran == [node.id for node in sorted(graph.nodes, key=lambda node: node.order)]


def _plain_name(node: LiveNode) -> str:
    name: str = node.name()
    return name if "<" in name else name.rpartition("::")[2]
