"""What boxes of leaves and of ghosts say."""

from __future__ import annotations

import pytest

from gradviz.view.compose import compose
from tests.view.builders import Builder, linear, meta
from tests.view.labels.finding import HOOK, keyed, titled


def test_its_name_is_short_in_the_frame_of_its_module() -> None:
    builder = Builder()
    linear(builder, "fc", builder.op("MeanBackward0"))
    scene = compose(builder.graph())
    assert [(box.role, box.title, box.lines) for box in scene.boxes if box.role == "parameter"] == [
        ("parameter", "bias", ("(4,)",)),
        ("parameter", "weight", ("(4, 4)",)),
    ]


@pytest.mark.parametrize(
    ("facts", "role"),
    [({}, "parameter"), ({"parameter": False}, "input"), ({"requires_grad": False}, "frozen")],
    ids=["parameter", "input", "frozen"],
)
def test_the_role_of_a_leaf(facts: dict[str, bool], role: str) -> None:
    builder = Builder()
    builder.leaf("w", builder.op(), **facts)
    assert titled(compose(builder.graph()), "w").role == role


def test_a_shared_leaf_is_drawn_at_each_use() -> None:
    builder = Builder()
    first = builder.op()
    builder.leaf("w", first, builder.op("MulBackward0", first), aliases=("v",))
    copies = [box for box in compose(builder.graph()).boxes if box.title == "w"]
    assert [box.key for box in copies] == ["n0:n2", "n1:n2"]
    assert {box.lines for box in copies} == {("(3,)", "shared by 2", "also v")}


def test_a_leaf_that_one_operation_uses_twice_is_drawn_once() -> None:
    builder = Builder()
    first = builder.op()
    builder.leaf("w", first, first)
    scene = compose(builder.graph())
    assert titled(scene, "w").lines == ("(3,)",)
    (arrow,) = scene.arrows
    assert (arrow.edges, arrow.label) == (2, "self ×2")


def test_many_leaves_of_one_operation_are_gathered() -> None:
    builder = Builder()
    first = builder.op("CatBackward0")
    for number in range(100):
        builder.leaf(f"w{number}", first)
    scene = compose(builder.graph())
    gathered = titled(scene, "100 parameters")
    assert gathered.lines == ("w0", "w1", "w2", "… 97 more")
    assert len(gathered.nodes) == 100
    assert len(compose(builder.graph(), fold=None).boxes) == 101


def test_leaves_of_rounds_are_called_from_the_first_to_the_last_in_forward() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(19, -1, -1):
        last = builder.op("MulBackward0", last)
        builder.leaf(f"w.{number}", last)
    builder.op("ExpBackward0", last)
    assert [box.title for box in compose(builder.graph(), fold=9).boxes] == [
        "MeanBackward0",
        "MulBackward0 ×20",
        "ExpBackward0",
    ]
    last = len(builder.nodes) - 1
    for number in range(40, 60):
        last = builder.op("SinBackward0", builder.op("MulBackward0", last))
        builder.leaf(f"v.{number}", last)
    builder.op("ExpBackward0", last)
    assert titled(compose(builder.graph(), fold=9), "v.59 … v.40").lines == ("(3,)",)


def test_a_hook_and_an_unnamed_leaf() -> None:
    builder = Builder()
    builder.leaf(None, builder.op(), hooks=(HOOK, HOOK._replace(name="log")))
    assert titled(compose(builder.graph()), "parameter").badges == ("hook ×2",)


def test_the_tooltip_of_a_leaf() -> None:
    builder = Builder()
    first = builder.op()
    builder.leaf("w", first, builder.op("MulBackward0", first), grad=meta(3), version=2, aliases=("v",))
    assert keyed(compose(builder.graph()), "n0:n2").tooltip == (
        "n2 AccumulateGrad",
        "parameter w",
        "also called v",
        "(3,) float32 cpu",
        "grad: (3,) float32 cpu",
        "changed in place 2 times",
        "used by 2 operations; drawn at each of them",
    )


def test_one_ghost_and_many() -> None:
    builder = Builder()
    builder.op(module="head")
    builder.leaf("head.extra", shape=(5,))
    for number in range(200):
        builder.leaf(f"backbone.{number}.weight", requires_grad=False)
    scene = compose(builder.graph())
    one, many = titled(scene, "extra"), titled(scene, "backbone")
    assert (one.role, one.lines, one.nodes) == ("unreached", ("(5,)", "not reached"), ())
    assert (many.role, many.lines, many.group) == ("frozen", ("200 frozen parameters",), None)
    assert [group.key for group in scene.groups] == [one.group]
    assert many.tooltip[-1] == "and 189 more"
