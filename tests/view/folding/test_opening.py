"""What is open by default: enough to see the model, and never more than can be read."""

from __future__ import annotations

import random

import pytest

from gradviz.graph import Graph
from gradviz.view.folding.measure import Opened, count_boxes, height, leaves_before, links
from gradviz.view.folding.opening import Budget, open_all, open_within
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import read_tape
from gradviz.view.folding.tree import fold_tree
from tests.view.builders import Builder, all_parts, blocks, chain, linear, outline

READABLE = Budget(150, 145)


def opened(graph: Graph, budget: Budget = READABLE) -> Opened:
    tape = read_tape(graph)
    picture = open_within(fold_tree(graph, tape), tape, budget)
    if picture:
        linked = {part: links(part, children, tape) for part, children in picture.items()}
        assert count_boxes(picture, tape) <= budget.boxes
        assert height(picture, linked, tape, leaves_before(tape)) <= budget.lines
    return picture


def paths(picture: Opened) -> set[str]:
    return {part.path for part in picture}


def irregular(count: int) -> Graph:
    chance = random.Random(0)
    return chain(*(chance.choice("ABCDEFGH") for _ in range(count)))


def test_one_block_of_many_is_open_and_its_layers_are_closed() -> None:
    picture = opened(blocks(12).graph())
    assert paths(picture) == {"", "h.11", "h.11.mlp"}
    (top, *_) = picture
    assert outline(top, picture) == [
        "",
        0,
        [12, 1, ["h.11.mlp", ["h.11.mlp.up"], 4, ["h.11.mlp.down"]], ["h.11.norm"]],
        85,
    ]


def test_a_large_module_without_modules_inside_is_opened() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(30):
        last = builder.op(f"Op{number % 9}Backward0", last, module="cell")
    assert paths(opened(builder.graph())) == {"", "cell"}


def test_a_stretch_that_nothing_shortens_is_cut_and_its_beginning_is_open() -> None:
    picture = opened(irregular(30_000))
    (top, first) = picture
    assert [child.title for child in picture[top] if isinstance(child, Part)] == [
        f"section {number} of 8" for number in range(1, 9)
    ]
    assert picture[first] == list(range(18))


def test_what_stands_for_most_goes_before_operations_at_the_top() -> None:
    head = [f"Op{number}Backward0" for number in range(30)]
    step = [f"Step{number}Backward0" for number in range(20)]
    picture = opened(chain(*head, *step * 50, "EndBackward0"))
    assert [part.times for part in picture if part.kind == "repeat"] == [50]


def test_densely_linked_modules_are_cut_into_sections() -> None:
    builder = Builder()
    made = [builder.op("CatBackward0")]
    for number in reversed(range(24)):
        # sizes differ, so that they are no repeat
        made.append(linear(builder, f"layers.{number}", *made, size=number + 1))
    picture = opened(builder.graph())
    assert max(len(links(part, children, read_tape(builder.graph()))) for part, children in picture.items()) < 90


def test_a_budget_that_is_too_small_leaves_everything_closed() -> None:
    assert opened(irregular(300), Budget(2, 145)) == {}


@pytest.mark.parametrize("boxes", [5, 10, 20, 40, 80, 160])
def test_the_budget_is_kept_and_used(boxes: int) -> None:
    graph = irregular(2_000)
    assert count_boxes(opened(graph, Budget(boxes, 145)), read_tape(graph)) >= min(boxes // 2, 25)


def test_nothing_closed_stays_closed_when_all_is_opened() -> None:
    graph = blocks(3).graph()
    top = fold_tree(graph, read_tape(graph), repeats=False)
    assert len(open_all(top)) == len(all_parts(top))


def test_what_may_not_be_opened_stays_closed() -> None:
    graph = blocks(3).graph()
    tape = read_tape(graph)
    top = fold_tree(graph, tape, lambda path: path.endswith("mlp"))
    assert {part.path for part in open_all(top)} == {"", "h.2", "h.2.norm"}
    assert paths(open_within(top, tape, READABLE)) == {"", "h.2"}


def test_a_repeat_of_one_operation_is_a_box() -> None:
    picture = open_all(fold_tree(graph := chain("A", *"B" * 20, "C"), read_tape(graph)))
    assert [part.kind for part in picture] == ["module"]


def test_a_module_that_only_wraps_another_gets_no_frame() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(20):
        last = builder.op(f"Op{number % 9}Backward0", last, module="model.encoder.layers")
    assert paths(opened(builder.graph())) == {"", "model.encoder.layers"}


def test_a_wrapper_with_ghosts_keeps_its_frame() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(20):
        last = builder.op(f"Op{number % 9}Backward0", last, module="model.encoder")
    builder.leaf("model.unused.weight")
    assert paths(opened(builder.graph())) == {"", "model", "model.encoder"}
