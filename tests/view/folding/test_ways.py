"""The ways down the fold tree, told as labels of what must be open."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from gradviz.graph import Graph
from gradviz.view.folding.part import Part
from gradviz.view.folding.ways import Folds, Ways
from gradviz.view.payload import encode
from tests.view.builders import RECIPES, blocks, cook
from tests.view.payload.reading import items

OUTER = [("whole graph", "open"), ("h: ModuleList", "open")]
BLOCKS = "0 … 11: Block ×12"


@pytest.fixture(scope="module")
def twelve() -> Graph:
    return blocks(12).graph()


def labels(graph: Graph, folds: Folds, *, fold: int) -> list[tuple[str, str]]:
    by_key = {item["key"]: item["label"] for item in items(encode(graph, fold=fold).content)}
    return [(by_key[key], state) for key, state in folds.items()]


def repeat_of(ways: Ways) -> str:
    return next(i.child.key for i in ways.items if isinstance(i.child, Part) and i.child.kind == "repeat")


def test_a_node_of_the_drawn_round_is_shown_there(twelve: Graph) -> None:
    way = encode(twelve, fold=0).ways.to_node(twelve.leaf("h.11.mlp.up.bias").node or "", {})
    assert labels(twelve, way, fold=0) == [*OUTER, (BLOCKS, "open"), ("mlp: MLP", "open"), ("up: Linear", "open")]


def test_for_a_node_of_another_round_the_repeat_is_unrolled(twelve: Graph) -> None:
    way = encode(twelve, fold=0).ways.to_node(twelve.leaf("h.4.mlp.up.bias").node or "", {})
    inside = [("4: Block", "open"), ("mlp: MLP", "open"), ("up: Linear", "open")]
    assert labels(twelve, way, fold=0) == [*OUTER, (BLOCKS, "unrolled"), *inside]


def test_an_unrolled_repeat_stays_so(twelve: Graph) -> None:
    ways = encode(twelve, fold=0).ways
    way = ways.to_node(twelve.leaf("h.11.mlp.up.bias").node or "", {repeat_of(ways): "unrolled"})
    inside = [("11: Block", "open"), ("mlp: MLP", "open"), ("up: Linear", "open")]
    assert labels(twelve, way, fold=0) == [*OUTER, (BLOCKS, "unrolled"), *inside]


def test_parts_are_found_by_the_path_of_their_module() -> None:
    graph = blocks(6).graph()
    payload = encode(graph)
    found = {item["key"]: item["label"] for item in items(payload.content)}
    assert [found[key] for key in payload.ways.parts()["h.1"]] == ["h.1: Block"]
    assert [found[key] for key in payload.ways.parts()["h.5"]] == ["h.0 … h.5: Block ×6", "h.5: Block"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RECIPES)
def test_every_node_can_be_reached(recipe: dict[str, object]) -> None:
    graph = cook(recipe)
    ways = encode(graph).ways
    below = {(item.parent, item.single > 0): set[object]() for item in ways.items}
    for item in ways.items:
        below[item.parent, item.single > 0].add(item.child if isinstance(item.child, int) else item.child.key)
    at = {item.child.key: number for number, item in enumerate(ways.items) if isinstance(item.child, Part)}
    for node in graph.nodes:
        way = list(ways.to_node(node.id, {}).items())
        for (key, state), (inner, _) in pairwise(way):
            assert inner in below[at[key], state == "unrolled"]
