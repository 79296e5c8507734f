"""Shown -> Payload: the graph's columns, those of its fold tree, and what a drawing says besides."""

from __future__ import annotations

import gc
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from gradviz.graph import Graph
from gradviz.view.folding.choice import Fold, choose
from gradviz.view.folding.items import Item, list_items
from gradviz.view.folding.tape import Tape, read_tape
from gradviz.view.labels import summary
from gradviz.view.labels.particulars import Detail, look_up
from gradviz.view.payload.columns import LONGEST, differences
from gradviz.view.payload.facts import Records, write_graph
from gradviz.view.payload.items import list_rows, write_items, write_members
from gradviz.view.payload.looks import write_looks
from gradviz.view.payload.watched import write_backward
from gradviz.view.shown import Shown, as_shown
from gradviz.wording import visible

SCHEMA = "gradviz.view"
VERSION = 1


class Payload(NamedTuple):
    """What the viewer gets of a graph.

    Args:
        content: what is sent, before compression.
        tape: the operations in order.
        items: the fold tree.
        beside: how many boxes of leaves, dead ends and ghosts each item has, by its place.
    """

    content: dict[str, Any]
    tape: Tape
    items: list[Item]
    beside: Counter[int]

    def compressed(self, level: int = 6) -> bytes:
        """The bytes to send; ``level`` is zlib's, 9 for the fewest."""
        text = json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))
        return zlib.compress(text.encode(), level)


def encode(given: Graph | Shown, *, fold: Fold = "auto", detail: Detail = "normal") -> Payload:
    """What the viewer needs to show the graph and to fold it by itself.

    Args:
        given: a graph, or one with what a backward did in it.
        fold: what is closed at first, see ``gradviz.draw``; all of it can be opened.
        detail: how much the boxes tell, see ``gradviz.draw``.

    Raises:
        GradvizError: for other values of ``fold``.
    """
    with _collector_paused():
        return _encode(as_shown(given), fold, detail)


def _encode(shown: Shown, fold: Fold, detail: Detail) -> Payload:
    graph = shown.graph
    tape = read_tape(graph)
    choice = choose(graph, tape, fold, 0, views=detail != "full", rounds=True)
    facts = look_up(shown, tape, detail, in_full=choice.in_full, hover=False)
    items = list_items(choice, tape)
    rows, records = list_rows(items, facts), Records()
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "title": visible(summary.title(facts), LONGEST),
        "notes": [visible(note, LONGEST) for note in (*choice.notes, *summary.notes(facts))],
        "full": choice.in_full,
        "looks": write_looks(),
        "tape": differences(tape.nodes),
        **write_graph(graph, records),
        "items": write_items(rows, records),
        "members": write_members(rows),
        **write_backward(shown, records),
    }
    beside = Counter(row.parent for row in rows[len(items) :])
    return Payload(content | records.tables(), tape, items, beside)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Without Python's collector, which would look through the growing tables again and again (two fifths of the time).

    Nothing that is made here is a cycle.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
