"""Chains of views: what is one, what ends one, and where it is drawn as one box."""

from __future__ import annotations

from typing import Any

import pytest

from gradviz.graph import Graph
from gradviz.view.compose import compose
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import read_tape
from gradviz.view.folding.tree import fold_tree
from tests.view.builders import Builder, all_parts, assert_faithful, outline
from tests.view.labels.finding import HOOK

OPS = ("ViewBackward0", "TransposeBackward0", "CloneBackward0", "UnsafeViewBackward0")


def view(builder: Builder, op: str, *sources: int, **facts: Any) -> int:
    return builder.op(op, *sources, kind="view" if op in OPS[:2] else "op", **facts)


def plumbing(builder: Builder, last: int, **facts: Any) -> int:
    """The four operations of OPS in a row; returns the last."""
    for op in OPS:
        last = view(builder, op, last, **facts)
    return last


def in_row() -> Builder:
    """A product, a chain of four views (nodes 1 to 4), and a sine."""
    builder = Builder()
    builder.op("SinBackward0", plumbing(builder, builder.op()))
    return builder


def chains(graph: Graph) -> list[list[str]]:
    """The nodes of each chain."""
    tape = read_tape(graph)
    return [[graph.nodes[place].id for place in tape.nodes[start:stop]] for start, stop in tape.chains.items()]


def tree(graph: Graph) -> Part:
    return fold_tree(graph, read_tape(graph))


def test_views_and_the_copies_between_them_are_a_chain() -> None:
    assert chains(in_row().graph()) == [["n1", "n2", "n3", "n4"]]
    assert outline(tree(in_row().graph())) == ["", 0, ["views", 1, 2, 3, 4], 5]


def test_one_view_is_no_chain() -> None:
    builder = Builder()
    builder.op("SinBackward0", view(builder, "ViewBackward0", builder.op()))
    assert chains(builder.graph()) == []


@pytest.mark.parametrize(
    "fault",
    ["two ways in", "two ways out", "leaf", "dead end", "hook", "root", "operation", "module", "in place"],
)
def test_what_tells_more_ends_a_chain(fault: str) -> None:
    builder = in_row()
    changes: dict[str, dict[str, Any]] = {
        "hook": {"hooks": (HOOK,)},
        "operation": {"op": "SumBackward0"},
        "module": {"module": "m"},
        "in place": {"op": "CopySlices", "kind": "in_place"},
    }
    builder.nodes[3] = builder.nodes[3]._replace(**changes.get(fault, {}))
    if fault == "two ways in":
        builder.edge(0, 3)
    if fault == "two ways out":
        builder.edge(3, 5)
    if fault == "leaf":
        builder.leaf("w", 3)
    if fault == "dead end":
        builder.dead_end(3)
    assert chains(builder.graph(*([0, 3] if fault == "root" else [0]))) == [["n1", "n2"]]


def test_chains_that_backward_runs_alternately_follow_one_another() -> None:
    builder = Builder()
    attention = builder.op("BmmBackward0")
    ends = [attention] * 3
    for op in OPS:
        ends = [view(builder, op, end) for end in ends]
    builder.op("SplitBackward0", *ends)
    graph = builder.graph()
    assert chains(graph) == [["n1", "n4", "n7", "n10"], ["n2", "n5", "n8", "n11"], ["n3", "n6", "n9", "n12"]]
    tape = read_tape(graph)
    assert all(position < way for position, ways in enumerate(tape.out) for way in ways)


def test_a_chain_leads_around_a_call_of_another_module_but_not_into_the_next_call() -> None:
    def modules(*paths: str) -> list[list[str]]:
        builder = Builder()
        builder.op()
        view(builder, "ViewBackward0", 0, module="a")
        for number, path in enumerate(paths):
            builder.op(f"Op{number}Backward0", 0, module=path)
        view(builder, "ViewBackward0", 1, module="a")
        builder.op("SinBackward0", *range(2, len(builder.nodes)), module="a")
        return chains(builder.graph())

    assert modules("a.fc", "a", "a.fc.x") == [["n1", "n5"]]
    assert modules("a.fc", "ab") == []
    assert modules("") == []


def test_chains_are_the_same_in_every_round() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in reversed(range(9)):
        last = plumbing(builder, builder.op("SinBackward0", last, module=f"h.{number}"), module=f"h.{number}")
    builder.op("ExpBackward0", last)
    graph = builder.graph()
    assert outline(tree(graph)) == ["", 0, ["h", [9, 1, ["views", 2, 3, 4, 5]]], 46]
    scene = compose(graph, fold=5)
    assert_faithful(graph, scene)
    (box,) = [box for box in scene.boxes if box.role == "view"]
    assert (len(box.nodes), box.nodes[:4]) == (36, ("n2", "n3", "n4", "n5"))


@pytest.mark.parametrize(("times", "kinds"), [(3, ["view"] * 3), (20, ["repeat"])])
def test_many_chains_side_by_side_are_a_repeat_and_three_are_not(times: int, kinds: list[str]) -> None:
    builder = Builder()
    split = builder.op("SplitBackward0")
    builder.op("StackBackward0", *[plumbing(builder, split) for _ in range(times)])
    for number in range(40):
        builder.op(f"Op{number}Backward0", len(builder.nodes) - 1)
    graph = builder.graph()
    assert [part.kind for part in tree(graph).children if isinstance(part, Part)] == kinds
    scene = compose(graph)
    assert_faithful(graph, scene)
    titles = [box.title for box in scene.boxes if box.title.startswith("3 views")]
    assert titles == (["3 views, 1 copy ×20"] if kinds == ["repeat"] else ["3 views, 1 copy"] * 3)


def test_a_module_of_views_alone_keeps_its_name() -> None:
    builder = Builder()
    end = plumbing(builder, builder.op(), module="rearrange")
    for number in range(40):
        end = builder.op(f"Op{number}Backward0", end)
    assert "rearrange" in {box.title for box in compose(builder.graph(), fold="auto").boxes}
    assert [group.title for group in compose(builder.graph(), fold=1).groups] == ["rearrange"]


@pytest.mark.parametrize(
    ("options", "views"),
    [({}, 1), ({"fold": 3}, 1), ({"fold": ["x"]}, 1), ({"fold": None}, 4), ({"detail": "full"}, 4)],
    ids=repr,
)
def test_where_nothing_is_folded_every_view_has_its_box(options: dict[str, Any], views: int) -> None:
    builder = in_row()
    for number in range(40):
        builder.op(f"Op{number}Backward0", len(builder.nodes) - 1)
    boxes = compose(builder.graph(), **options).boxes
    assert len([box for box in boxes if set(box.nodes) <= {"n1", "n2", "n3", "n4"}]) == views


def test_a_small_graph_shows_every_view() -> None:
    assert [len(box.nodes) for box in compose(in_row().graph()).boxes] == [1] * 6


def test_a_very_long_chain_is_one_part() -> None:
    builder = Builder()
    last = builder.op()
    for _ in range(20_000):
        last = view(builder, "ViewBackward0", last)
    builder.op("SinBackward0", last)
    assert [part.kind for part in all_parts(tree(builder.graph()))] == ["module", "view"]
