"""The fold tree: calls of modules, and repeats of them and of single operations."""

from __future__ import annotations

from typing import Any

import pytest

from gradviz.graph import Graph
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import read_tape
from gradviz.view.folding.tree import DEEPEST, fold_tree
from tests.view.builders import HOSTILE, Builder, all_parts, blocks, chain, linear, outline


def tree(graph: Graph, **options: Any) -> Part:
    return fold_tree(graph, read_tape(graph), **options)


def in_modules(*paths: str | None) -> Graph:
    builder = Builder()
    for number, path in enumerate(paths):
        builder.op(f"Op{number}Backward0", *([number - 1] if number else []), module=path)
    return builder.graph()


def test_operations_lie_in_their_modules() -> None:
    graph = in_modules(None, "", "a", "a.b", "a.b", "a", "c.d")
    assert outline(tree(graph)) == ["", 0, 1, ["a", 2, ["a.b", 3, 4], 5], ["c", ["c.d", 6]]]


def test_every_call_of_a_module_is_a_part() -> None:
    assert outline(tree(in_modules("cell", "cell", None, "cell"))) == ["", ["cell", 0, 1], 2, ["cell", 3]]


def test_paths_that_begin_alike_are_not_nested() -> None:
    assert outline(tree(in_modules("h.1", "h.10", "h"))) == ["", ["h", ["h.1", 0], ["h.10", 1], 2]]


def test_parts_nest_and_cover_the_tape() -> None:
    for part in all_parts(tree(blocks(5).graph())):
        ends = [child.stop if isinstance(child, Part) else child + 1 for child in part.children]
        starts = [child.start if isinstance(child, Part) else child for child in part.children]
        assert [part.start, *ends] == [*starts, part.round_stop]


def test_equal_blocks_become_one_repeat() -> None:
    top = tree(blocks(12).graph())
    (container,) = [child for child in top.children if isinstance(child, Part)]
    (repeat,) = container.children
    assert isinstance(repeat, Part)
    assert (repeat.kind, repeat.times, repeat.path) == ("repeat", 12, "h.11")
    assert repeat.names == (("h.11",), ("h.0",))
    assert outline(repeat)[1:] == [
        1,
        ["h.11.mlp", ["h.11.mlp.up", 2, 3], 4, ["h.11.mlp.down", 5, 6]],
        ["h.11.norm", 7],
    ]


@pytest.mark.parametrize(
    "fault", ["class", "name", "operation", "leaf", "wiring", "dead end", "closed"], ids=lambda fault: f"other {fault}"
)
def test_a_block_that_differs_is_left_out(fault: str) -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in reversed(range(7)):
        odd = number == 3
        path = f"h.{number}" if not (odd and fault == "name") else "h.extra"
        builder.classes[path] = "Other" if odd and fault == "class" else "Block"
        add = builder.op("AddBackward0", last, module=path)
        addmm = linear(builder, f"{path}.fc", add, size=5 if odd and fault == "leaf" else 4)
        relu = builder.op("TanhBackward0" if odd and fault == "operation" else "ReluBackward0", addmm, module=path)
        last = builder.op("SumBackward0", relu, *([relu] if odd and fault == "wiring" else [add]), module=path)
        if odd and fault == "dead end":
            builder.dead_end(last)
    builder.op("ExpBackward0", last)
    closed = (lambda path: path == "h.3") if fault == "closed" else None
    (container,) = [child for child in tree(builder.graph(), closed=closed).children if isinstance(child, Part)]
    kinds = [(child.kind, child.times) for child in container.children if isinstance(child, Part)]
    assert kinds == [("repeat", 3), ("module", 1), ("repeat", 3)]


def test_modules_of_different_names_are_no_repeat() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for name in ("query", "key", "value"):
        for _ in range(5):
            last = builder.op("SinBackward0", last, module=name)
    assert [part.kind for part in all_parts(tree(builder.graph()))] == ["module"] * 4


def test_steps_of_a_loop_become_one_repeat() -> None:
    graph = chain("MeanBackward0", *["MulBackward0", "SinBackward0", "AddBackward0"] * 20, "ExpBackward0")
    assert outline(tree(graph)) == ["", 0, [20, 1, 2, 3], 61]


def test_the_last_round_may_lead_elsewhere() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for _ in range(5):
        last = builder.op("SinBackward0", builder.op("MulBackward0", last))
    end = builder.op("ExpBackward0", last)
    builder.leaf("x", end)
    assert outline(tree(builder.graph())) == ["", 0, [5, 1, 2], 11]


def test_rounds_that_are_wired_differently_are_no_repeat() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(8):
        first = builder.op("MulBackward0", last)
        second = builder.op("AddBackward0", first)
        builder.edge(first, second)
        last = builder.op("AddBackward0", second, first if number != 4 else second)
    assert outline(tree(builder.graph()))[:4] == ["", 0, [4, 1, 2, 3], 13]


def test_repeats_are_found_inside_rounds() -> None:
    inner = ["MulBackward0", "SinBackward0"] * 4
    graph = chain("MeanBackward0", *[*inner, "ExpBackward0"] * 5, "CosBackward0")
    assert outline(tree(graph)) == ["", 0, [5, [4, 1, 2], 9], 46]


def test_too_little_is_no_repeat() -> None:
    assert outline(tree(chain("MeanBackward0", *["MulBackward0"] * 6, "ExpBackward0"))) == ["", *range(8)]
    assert outline(tree(chain("MeanBackward0", *["MulBackward0"] * 7, "ExpBackward0"))) == ["", 0, [7, 1], 8]


def test_repeats_can_be_left_out() -> None:
    assert all(part.kind == "module" for part in all_parts(tree(blocks(12).graph(), repeats=False)))


def test_ghosts_go_to_the_innermost_module_that_has_a_part() -> None:
    builder = blocks(3)
    for name in ("h.1.norm.extra", "h.1.other.weight", "unused.weight", None):
        builder.leaf(name)
    parts = all_parts(tree(builder.graph()))
    ghosts = {part.path: [(ghost.leaf.name, ghost.home) for ghost in part.ghosts] for part in parts if part.ghosts}
    assert ghosts == {
        "": [("unused.weight", ""), (None, "")],
        "h.2": [("h.1.other.weight", "h.1")],  # drawn in the round that stands for all
        "h.2.norm": [("h.1.norm.extra", "h.1.norm")],
    }


def test_keys_are_unique() -> None:
    keys = [part.key for part in all_parts(tree(blocks(4).graph()))]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("path", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_paths_are_kept(path: str) -> None:
    parts = all_parts(tree(in_modules("a", path, "b", path)))
    assert [part.path for part in parts].count(path) == (1 if path == "" else 2)
    assert len(parts) <= 2 * (DEEPEST + 1) + 3
