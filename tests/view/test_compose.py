"""Whole scenes: what people draw every day, sizes from nothing to a million, and what holds for every graph."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradviz.errors import GradvizError
from gradviz.graph import Graph, Hook
from gradviz.view.compose import compose
from tests.view.builders import HOSTILE, RECIPES, Builder, assert_faithful, blocks, chain, cook, linear, ranks

FOLDS = ["auto", None, 0, 1, 2, ["h.*"], ["a", "h.1"], lambda path: len(path) % 2 == 0]


def test_a_transformer_shows_one_block_of_twelve() -> None:
    graph = blocks(12).graph()
    scene = compose(graph)
    assert_faithful(graph, scene)
    assert scene.title == "147 nodes, 61 parameters"
    assert [(box.role, box.title, len(box.nodes)) for box in scene.boxes] == [
        ("root", "MeanBackward0", 1),
        ("op", "AddBackward0", 12),
        ("module", "up: Linear", 48),
        ("op", "GeluBackward0", 12),
        ("module", "down: Linear", 48),
        ("module", "norm: LayerNorm", 24),
        ("op", "EmbeddingBackward0", 1),
        ("parameter", "embedding.weight", 1),
    ]
    assert scene.notes == (
        "147 nodes folded into 7 boxes; gradviz.draw(graph, fold=None) draws all."
        " Of a repeat, the round nearest the loss is drawn.",
    )


def test_the_way_from_round_to_round_is_marked() -> None:
    scene = compose(blocks(12).graph())
    names = {box.key: box.title for box in scene.boxes}
    assert [(names[arrow.source], names[arrow.target], arrow.edges) for arrow in scene.arrows if arrow.again] == [
        ("norm: LayerNorm", "AddBackward0", 11)
    ]


def test_a_recurrent_network_shows_one_step_of_two_hundred() -> None:
    builder = Builder()
    loss = builder.op("StackBackward0")
    last = None
    for _ in range(200):
        out = linear(builder, "out", loss)
        tanh = builder.op("TanhBackward0", out, *([] if last is None else [last]), module="cell")
        add = builder.op("AddBackward0", tanh, module="cell")
        linear(builder, "cell.x", add)
        last = linear(builder, "cell.h", add)
    builder.op("ExpBackward0", last or 0)
    graph = builder.graph()
    scene = compose(graph)
    assert_faithful(graph, scene)
    assert [(group.kind, group.title, group.times) for group in scene.groups] == [
        ("repeat", "cell, out", 200),
        ("module", "cell", 1),
    ]
    assert len(scene.boxes) < 20


def test_a_small_graph_is_drawn_in_full() -> None:
    builder = Builder()
    relu = builder.op("ReluBackward0", linear(builder, "1", builder.op("MeanBackward0")))
    builder.dead_end(linear(builder, "0", relu), "mat1", "x")
    graph = builder.graph()
    scene = compose(graph)
    assert_faithful(graph, scene)
    assert all(len(box.nodes) <= 1 for box in scene.boxes)
    assert [group.title for group in scene.groups] == ["1: Linear", "0: Linear"]
    assert scene.notes == ()


@pytest.mark.parametrize(
    "graph",
    [
        chain(*["MulBackward0"] * 30_000),
        chain(*["MulBackward0", "SinBackward0", "AddBackward0"] * 10_000),
        chain(*(f"Op{number * number % 1009}Backward0" for number in range(30_000))),
        chain(*(f"Op{number * number % 1009}Backward0" for number in range(30_000)), module="deep.module"),
    ],
    ids=["equal", "loop", "irregular", "module"],
)
def test_a_deep_graph_is_readable(graph: Graph) -> None:
    scene = compose(graph)
    assert_faithful(graph, scene)
    assert len(scene.boxes) <= 40
    assert ranks(scene) <= 40


@pytest.mark.slow
def test_a_million_operations() -> None:
    graph = chain(*(f"Op{number % 30}Backward0" for number in range(1_000_000)))
    scene = compose(graph)
    assert ranks(scene) <= 40
    assert sum(len(box.nodes) for box in scene.boxes) == 1_000_000


def test_nothing_folded_has_a_box_for_each_node() -> None:
    graph = blocks(12).graph()
    scene = compose(graph, fold=None)
    assert_faithful(graph, scene)
    assert [box.nodes for box in scene.boxes if len(box.nodes) != 1] == []
    assert len(scene.boxes) == len(graph.nodes)


def test_the_last_step_closer_is_one_box() -> None:
    (box,) = compose(blocks(12).graph(), closer=8).boxes
    assert (box.role, box.title, len(box.nodes)) == ("module", "whole graph", 147)


def test_a_traced_leaf_is_a_root() -> None:
    builder = Builder()
    builder.op("AccumulateGrad", kind="leaf")
    (box,) = compose(builder.graph()).boxes
    assert (box.role, box.title) == ("root", "AccumulateGrad")


def test_a_graph_without_nodes_has_a_scene() -> None:
    assert compose(Graph((), (), ())) == ("0 nodes, 0 parameters", (), (), (), ())


@pytest.mark.parametrize(("fold", "closer", "hint"), [("auto", 0, True), (1, 0, True), (None, 1, False), (1, 1, False)])
def test_drawing_all_is_not_recommended_to_who_asked_for_it_or_cannot_have_it(
    fold: Any, closer: int, hint: bool
) -> None:
    (note,) = compose(blocks(12).graph(), fold=fold, closer=closer).notes
    assert note.startswith("147 nodes folded into ")
    assert ("fold=None" in note) is hint


def test_the_traced_outputs_come_first_and_in_the_given_order() -> None:
    builder = Builder()
    last, middle, first = (builder.op(op) for op in ("Last", "Middle", "First"))
    inner = builder.op("Inner", last, middle, first)
    builder.leaf("w", middle)
    graph = builder.graph(first, inner, middle, last)
    scene = compose(graph)
    assert_faithful(graph, scene)
    assert [box.title for box in scene.boxes] == ["First", "Middle", "w", "Last", "Inner"]


def test_notes_tell_what_is_not_shown_and_what_is_not_known() -> None:
    hooks = [Hook("module_backward", owner, "log", "a.py:3") for owner in ("h.0", "every module", "", "unused")]
    graph = replace(blocks(1).graph(), hooks=tuple(hooks), notes=("Freed.",))
    assert compose(graph, fold=["x*"]).notes == (
        "No module in this graph matches 'x*'.",
        "hook log (module_backward) on every module at a.py:3.",
        "hook log (module_backward) on the model at a.py:3.",
        "hook log (module_backward) on unused at a.py:3.",
        "Freed.",
    )


def test_a_detail_that_is_not_known_is_refused() -> None:
    detail: Any = "much"
    with pytest.raises(GradvizError, match="detail='much' is not known"):
        compose(blocks(1).graph(), detail=detail)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("fold", ["auto", None, 1], ids=repr)
def test_hostile_names_break_nothing(name: str, fold: Any) -> None:
    builder = blocks(8, prefix=name)
    builder.leaf(name)
    builder.leaf(f"{name}.weight", requires_grad=False)
    graph = builder.graph()
    assert_faithful(graph, compose(graph, fold=fold, detail="full"))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RECIPES, st.sampled_from(FOLDS), st.integers(0, 5), st.sampled_from(["brief", "normal", "full"]))
def test_every_scene_is_faithful_and_reproducible(recipe: dict[str, Any], fold: Any, closer: int, detail: Any) -> None:
    graph = cook(recipe)
    scene = compose(graph, fold=fold, closer=closer, detail=detail)
    assert_faithful(graph, scene)
    copy: Graph = pickle.loads(pickle.dumps(graph))
    assert compose(copy, fold=fold, closer=closer, detail=detail) == scene


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RECIPES)
def test_every_default_scene_is_readable(recipe: dict[str, Any]) -> None:
    graph = cook(recipe)
    scene = compose(graph)
    if len(graph.nodes) > 40:
        assert len(scene.boxes) <= 150
        assert ranks(scene) <= 40
