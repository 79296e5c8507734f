"""Everything of a watched backward arrives at the viewer, and little space is taken by it."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

from gradviz.recording.narration import tell_event
from gradviz.recording.phrases import cut_in_full, hook_effect
from gradviz.view.payload import encode
from gradviz.view.shown import Shown
from gradviz.view.theme import SIGNALS, THEMES
from gradviz.wording import figure, visible
from tests.view.builders import chain
from tests.view.payload.examples import EXAMPLES
from tests.view.payload.reading import Content, rows, text, undo
from tests.view.watching import backward, gradient, watched

WATCHED = ["watched", "watched-hooks", "watched-transformer"]


def section(content: Content, name: str) -> list[dict[str, int]]:
    return rows({**content, "part": content["backward"][name]}, "part")


def size(magnitude: Any) -> str | None:
    return None if magnitude is None else figure(magnitude.norm)


def listed(content: Content, place: int) -> list[str | None]:
    return [text(content, member) for member in content["lists"][place]]


def test_a_plain_graph_has_no_such_section() -> None:
    content = encode(EXAMPLES["everything"].graph()).content
    assert "backward" not in content
    assert "zero grad" not in json.dumps(content)


@pytest.mark.parametrize("name", WATCHED)
def test_gradients_arrive_in_their_order(name: str) -> None:
    shown = EXAMPLES[name].shown()
    content = encode(shown).content
    added = iter(section(content, "contributions"))
    assert shown.backward is not None
    for row, one in zip(section(content, "gradients"), shown.backward.gradients, strict=True):
        assert (f"n{row['node']}", row["slot"], text(content, row["norm"])) == (one.node, one.slot, size(one.size))
        largest, zeros, nonfinite = (None, None, None) if one.size is None else one.size[1:]
        assert text(content, row["largest"]) == (None if largest is None else figure(largest))
        assert text(content, row["zeros"]) == (None if zeros is None else figure(zeros))
        assert row["nonfinite"] == (-1 if nonfinite is None else nonfinite)
        told = [
            (f"n{r['source']}", r["source_slot"], text(content, r["norm"])) for r in islice(added, row["contributions"])
        ]
        assert told == [(each.source, each.source_slot, size(each.size)) for each in one.contributions]
    assert next(added, None) is None


@pytest.mark.parametrize("name", WATCHED)
def test_hooks_and_the_real_order_arrive(name: str) -> None:
    shown = EXAMPLES[name].shown()
    content = encode(shown).content
    assert shown.backward is not None
    assert tuple(f"n{place}" for place in undo(content["backward"]["executed"])) == shown.backward.executed
    hooks = rows(content, "hooks")
    for row, one in zip(section(content, "effects"), shown.backward.effects, strict=True):
        hook = hooks[row["hook"]]
        assert tuple(text(content, hook[key]) for key in ("kind", "owner", "name", "where")) == tuple(one.hook)
        assert (None if row["node"] < 0 else f"n{row['node']}") == one.node
        assert row["started"] == one.started
        assert listed(content, row["before"]) == [size(each) for each in one.before]
        assert listed(content, row["after"]) == [size(each) for each in one.after]
        assert [bool(row[key]) for key in ("returned_none", "replaced", "in_place", "removed")] == [
            one.returned_none,
            one.replaced,
            one.in_place,
            one.removed,
        ]
        assert text(content, row["registered"]) == str(one.registered)
        assert text(content, row["error"]) == (None if one.error is None else visible(one.error, 600))
        assert tuple(f"n{place}" for place in content["lists"][row["reached"]]) == one.reached
        assert text(content, row["words"]) == visible(hook_effect(one), 600)
        assert bool(row["late"]) == (one.hook.kind != "tensor")


def test_turns_cuts_and_events_arrive() -> None:
    shown = EXAMPLES["watched"].shown()
    content = encode(shown).content
    assert shown.backward is not None
    assert shown.recording is not None
    names = ("kind", "before", "after", "words")
    assert [[text(content, row[key]) for key in names] for row in section(content, "turns")] == [
        ["nonfinite", "0.408", "nan", "turns non-finite here"],
        ["zero", "0.408", "0", "turns zero here"],
    ]
    assert [(r["source"], r["target"], r["slot"]) for r in section(content, "turns")] == [(1, 3, 0), (2, 4, 0)]
    first, second = section(content, "cuts")
    assert [text(content, first[key]) for key in ("kind", "operation", "where", "opened", "entered", "words")] == [
        "detach",
        "x.detach()",
        "train.py:42",
        None,
        None,
        cut_in_full(shown.recording.cuts[0]),
    ]
    assert (content["lists"][first["from"]], first["times"]) == ((1,), 3)
    assert listed(content, first["severed"]) == ["head.weight", "head.bias"]
    leaves = [shown.graph.leaves[place].name for place in content["lists"][first["leaves"]]]
    assert leaves == ["head.weight", "head.bias"]
    assert [text(content, second[key]) for key in ("opened", "entered")] == ["train.py:40", "train.py:44"]
    assert listed(content, second["suspected"]) == ["head.bias"]
    told = [[text(content, row[key]) for key in ("kind", "where", "words")] for row in section(content, "events")]
    for known, event in zip(told, shown.recording.events, strict=True):
        kind, words = tell_event(event, shown.recording.backwards)
        assert known == [kind, None if event.where is None else str(event.where), visible(words, 600)]
    assert [row["step"] for row in section(content, "events")] == [0, 0, 0, 0, 0, 0, 1, 1, 1]


def test_the_head_says_what_ran() -> None:
    head = encode(EXAMPLES["watched"].shown()).content["backward"]
    names = ("kind", "where", "error", "create_graph", "scale", "event")
    assert [head[name] for name in names] == ["backward", "train.py:31", "RuntimeError: bad", False, "65536", 2]
    assert head["signals"]["words"] == [list(signal) for signal in SIGNALS]
    assert set(head["signals"]) == {"words", *THEMES}
    head = encode(EXAMPLES["watched-hooks"].shown()).content["backward"]
    assert [head[name] for name in ("error", "scale")] == [None, None]


def test_nan_and_infinity_are_valid_json() -> None:
    content = encode(EXAMPLES["watched"].shown()).content
    assert json.loads(json.dumps(content, allow_nan=False)) == json.loads(json.dumps(content))


def test_gradients_of_twenty_thousand_nodes_take_little_space() -> None:
    graph = chain(*("ABCDEFG"[number * number % 11 % 7] for number in range(20_000)))
    given = watched(graph, backward(graph, *(gradient(number, 1.01 ** -(number % 997)) for number in range(20_000))))
    assert given.recording is not None
    shown = Shown(graph, given.recording.backwards[0], given.recording)
    assert len(encode(shown).compressed(9)) < len(encode(graph).compressed(9)) + 120_000
