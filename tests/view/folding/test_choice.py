"""What ``fold=`` and ``closer=`` ask for."""

from __future__ import annotations

from typing import Any

import pytest

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.folding.choice import SMALL, Choice, choose
from gradviz.view.folding.measure import count_boxes
from gradviz.view.folding.tape import read_tape
from tests.view.builders import blocks, chain

MODEL = blocks(6).graph()


def chosen(fold: Any, closer: int = 0, graph: Graph = MODEL) -> Choice:
    return choose(graph, read_tape(graph), fold, closer)


def shown(choice: Choice) -> set[str]:
    return {part.path for part in choice.opened}


def test_a_small_graph_is_drawn_in_full() -> None:
    assert chosen("auto", graph=chain(*"A" * SMALL)).in_full
    assert not chosen("auto", graph=chain(*"A" * (SMALL + 1))).in_full


def test_none_folds_nothing() -> None:
    choice = chosen(None)
    assert choice.in_full
    assert all(part.kind == "module" for part in choice.opened)
    assert {f"h.{number}.mlp.up" for number in range(6)} < shown(choice)


@pytest.mark.parametrize(
    ("depth", "paths"),
    [
        (0, {""}),
        (1, {""}),
        (2, {"", "h.5"}),
        (3, {"", "h.5", "h.5.mlp", "h.5.norm"}),
        (4, {"", "h.5", "h.5.mlp", "h.5.mlp.up", "h.5.mlp.down", "h.5.norm"}),
    ],
)
def test_a_number_closes_what_lies_deeper(depth: int, paths: set[str]) -> None:
    assert shown(chosen(depth)) == paths


@pytest.mark.parametrize("fold", [["h.2"], ("h.2",), {"h.2"}, lambda path: path == "h.2"], ids=type)
def test_patterns_and_functions_close_what_they_match(fold: Any) -> None:
    choice = chosen(fold)
    assert not {"h.2", "h.2.mlp"} & shown(choice)
    assert {"h.5", "h.1", "h.1.mlp"} < shown(choice)  # a repeat before it, and one after it


def test_a_function_is_asked_once_for_each_path() -> None:
    asked: list[str] = []
    chosen(lambda path: bool(asked.append(path)))
    assert len(asked) == len(set(asked)) == 1 + 6 * 5


def test_a_pattern_without_effect_is_reported() -> None:
    assert chosen(["h.*", "encoder.*"]).notes == ("No module in this graph matches 'encoder.*'.",)


def test_one_text_is_answered_with_the_list_to_write() -> None:
    with pytest.raises(GradvizError) as error:
        chosen("h.*")
    assert error.value.remedy == "write fold=['h.*']"


@pytest.mark.parametrize("fold", [True, -1, 1.5, [1], ["a", None], b"auto", object()], ids=repr)
def test_other_values_are_refused(fold: Any) -> None:
    with pytest.raises(GradvizError, match="cannot be understood"):
        chosen(fold)


@pytest.mark.parametrize("closer", [-1, True, 1.0, None, "1"], ids=repr)
def test_other_numbers_of_steps_are_refused(closer: Any) -> None:
    with pytest.raises(GradvizError, match="not a number of steps"):
        chosen("auto", closer)


@pytest.mark.parametrize("fold", ["auto", None, 3, ["*.norm"]], ids=repr)
@pytest.mark.parametrize(
    "graph", [MODEL, chain(*"ABCDE" * 8), chain(*"ABAABBBA" * 200)], ids=["blocks", "small", "loop"]
)
def test_every_step_closer_leaves_fewer_boxes_until_only_the_top_is_left(fold: Any, graph: Graph) -> None:
    tape = read_tape(graph)
    boxes = count_boxes(chosen(fold, 0, graph).opened, tape)
    for closer in range(1, 9):
        choice = chosen(fold, closer, graph)
        assert not choice.in_full
        fewer = count_boxes(choice.opened, tape)
        assert fewer <= boxes * 2 // 5
        boxes = fewer
    assert boxes == 0
