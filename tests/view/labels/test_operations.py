"""What boxes of operations and of dead ends say."""

from __future__ import annotations

from typing import Any

import pytest

from gradviz.graph import Argument, Graph, Saved
from gradviz.view.compose import compose
from tests.view.builders import Builder, meta
from tests.view.labels.finding import HOOK, keyed, layer, titled


def one(**facts: Any) -> Graph:
    builder = Builder()
    builder.op("MeanBackward0")
    builder.op("MulBackward0", 0, **facts)
    return builder.graph()


def test_it_is_called_what_autograd_calls_it() -> None:
    assert keyed(compose(one()), "n1")[:4] == ("n1", "op", "MulBackward0", ("(2, 3)",))


@pytest.mark.parametrize("kind", ["view", "in_place", "custom", "checkpoint", "compiled", "remote"])
def test_its_kind_is_its_role(kind: str) -> None:
    assert keyed(compose(one(kind=kind)), "n1").role == kind


def test_shapes_of_several_slots() -> None:
    assert keyed(compose(one(slots=(meta(2), meta(), meta(3, 4), meta(5)))), "n1").lines == (
        "(2,), (), (3, 4) and 1 more",
    )


def test_only_an_unusual_dtype_is_told() -> None:
    builder = Builder()
    for number in range(3):
        dtype = "float64" if number == 1 else "float32"
        builder.op("MulBackward0", *range(number), slots=(meta(2, dtype=dtype),))
    scene = compose(builder.graph())
    assert [box.lines for box in scene.boxes] == [("(2,)",), ("(2,) float64",), ("(2,)",)]


def test_devices_are_told_where_there_are_several() -> None:
    builder = Builder()
    builder.op("MulBackward0", slots=(meta(2, device="cuda:0"),))
    assert compose(builder.graph()).title == "1 node, 0 parameters, on cuda:0"
    assert keyed(compose(builder.graph()), "n0").badges == ()
    builder.op("MulBackward0", 0, slots=(meta(2, device="cuda:1"),))
    scene = compose(builder.graph())
    assert [box.badges for box in scene.boxes] == [("cuda:0",), ("cuda:1",)]


def test_the_details_of_an_operation() -> None:
    graph = one(
        arguments=(Argument("self", "grad * other"),),
        saved=(Saved("other", meta(4), 16, 0, "held"), Saved("self", None, None, None, "absent")),
        hooks=(HOOK,),
    )
    brief, full = (keyed(compose(graph, detail=detail), "n1") for detail in ("brief", "full"))
    assert brief.lines == ()
    assert full.lines == (
        "(2, 3) float32 cpu",
        "saves other: (4,) float32 cpu, 16 bytes, held",
        "self: grad * other",
        "number 2 to run",
        "hook clip (tensor) on w at train.py:7",
    )
    assert brief.badges == full.badges == ("hook",)
    assert brief.tooltip == full.tooltip
    assert full.tooltip == (
        "n1 MulBackward0",
        "number 2 of 2 to run in backward",
        "slot 0: (2, 3) float32 cpu",
        "self: grad * other",
        "saves other: (4,) float32 cpu, 16 bytes, held",
        "hook clip (tensor) on w at train.py:7",
    )


def test_a_long_formula_loses_its_end_in_the_box_and_nothing_in_the_tooltip() -> None:
    formula = "native_batch_norm_backward(" + ", ".join(f"result{number}" for number in range(20)) + ")"
    box = keyed(compose(one(arguments=(Argument("input", formula),)), detail="full"), "n1")
    assert [line for line in box.lines if line.startswith("input: ")] == [f"input: {formula}"[:59] + "…"]
    assert f"input: {formula}" in box.tooltip


def test_where_it_comes_from() -> None:
    tooltip = keyed(compose(one(module="a.b", module_inferred=True, where="model.py:3")), "n1").tooltip
    assert {"module a.b (inferred)", "at model.py:3"} < set(tooltip)


def test_several_roots_say_how_they_are_reached() -> None:
    scene = compose(Builder.graph(builder := Builder(), builder.op(), builder.op()))
    assert [(box.role, box.lines[0]) for box in scene.boxes] == [("root", "outputs[0]"), ("root", "outputs[1]")]


def test_rounds_of_a_repeat_with_growing_shapes() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for length in range(20, 0, -1):
        last = builder.op("CatBackward0", last, slots=(meta(length),))
        last = builder.op("SinBackward0", last)
    builder.op("ExpBackward0", last)
    cat = titled(compose(builder.graph()), "CatBackward0")
    assert cat.lines == ("(1,) … (20,)",)
    assert len(cat.nodes) == 20
    assert cat.tooltip[1] == "stands for 20 nodes: n1, n3, n5 and 17 more"


@pytest.mark.parametrize(
    ("facts", "title", "lines"),
    [
        ((), "other", ("no gradient",)),
        (("mat1",), "mat1", ("no gradient",)),
        ((None,), "slot 0", ("no gradient",)),
        (("mat1", "x", "frozen"), "mat1", ("x", "frozen")),
    ],
    ids=["default", "argument", "unnamed", "known"],
)
def test_it_is_a_box_where_nothing_is_folded(facts: tuple[str | None, ...], title: str, lines: tuple[str, ...]) -> None:
    builder = Builder()
    builder.dead_end(builder.op(), *facts)
    scene = compose(builder.graph())
    assert keyed(scene, "n0:0")[1:4] == ("dead_end", title, lines)
    (arrow,) = scene.arrows
    assert (arrow.source, arrow.target, arrow.edges) == ("n0", "n0:0", 0)


@pytest.mark.parametrize("why", ["not given", "a number", "a number or a 0-d constant"])
def test_one_that_everybody_expects_is_told_in_the_tooltip_alone(why: str) -> None:
    builder = Builder()
    builder.dead_end(builder.op(), "other", None, why)
    scene = compose(builder.graph())
    (box,) = scene.boxes
    assert (box.lines, scene.arrows) == (("(2, 3)",), ())
    assert f"no gradient for other: {why}" in box.tooltip


def test_else_it_is_a_line_of_its_operation_or_a_badge_of_the_closed_box() -> None:
    builder = layer()
    builder.dead_end(0, "mat1", "x")
    builder.dead_end(1)
    builder.dead_end(1, "bias", None, "not given")
    scene = compose(builder.graph())
    assert keyed(scene, "n0").lines == ("(2, 3)", "no gradient for mat1")
    assert titled(scene, "fc: Linear").badges == ("1 dead end",)
    assert "no gradient for bias: not given" in titled(scene, "fc: Linear").tooltip


def test_a_chain_of_views() -> None:
    builder = layer()
    last = len(builder.nodes) - 1
    for op in ("View", "Transpose", "Clone"):
        slots = (meta(2, 4, 8) if op == "View" else meta(8, 8),)
        last = builder.op(f"{op}Backward0", last, kind="op" if op == "Clone" else "view", slots=slots, where="a.py:3")
    last = builder.op("ExpBackward0", last)
    for op in ("Expand", "UnsafeView"):
        last = builder.op(f"{op}Backward0", last, kind="view")
    builder.op("SinBackward0", last)
    graph = builder.graph()
    scene, brief = compose(graph), compose(graph, detail="brief")
    box = titled(scene, "2 views, 1 copy")
    assert (box.role, box.lines, box.badges) == ("view", ("View · Transpose · Clone", "(2, 4, 8)"), ())
    assert box.nodes == ("n50", "n51", "n52")
    assert box.tooltip == (
        "chain of 3 views",
        "at a.py:3",
        "n50 ViewBackward0 (2, 4, 8)",
        "n51 TransposeBackward0 (8, 8)",
        "n52 CloneBackward0 (8, 8)",
    )
    assert titled(scene, "Expand · UnsafeView").lines == ("(2, 3)",)
    assert titled(brief, "2 views, 1 copy").lines == titled(brief, "Expand · UnsafeView").lines == ()


def test_a_chain_of_many_views_is_called_from_the_first_to_the_last() -> None:
    builder = layer()
    for number in range(30):
        builder.op(f"View{number}Backward0", len(builder.nodes) - 1, kind="view")
    builder.op("SinBackward0", len(builder.nodes) - 1)
    box = titled(compose(builder.graph()), "30 views")
    assert box.lines == ("View0 … View29", "(2, 3)")
    assert box.tooltip[-1] == "and 19 more"
