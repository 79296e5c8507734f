"""Graph -> Payload, and what of the fold tree Python asks about later: which folds show a node or a module."""

from __future__ import annotations

import gc
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Literal

from gradviz.graph import Graph
from gradviz.view.folding.choice import Fold, choose
from gradviz.view.folding.items import Item, list_items
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import Tape, read_tape
from gradviz.view.labels import summary
from gradviz.view.labels.particulars import Detail, look_up
from gradviz.view.payload.columns import differences
from gradviz.view.payload.facts import Records, write_graph
from gradviz.view.payload.items import list_rows, write_items
from gradviz.view.payload.looks import write_looks

SCHEMA = "gradviz.view"
VERSION = 1


class Payload:
    """What the viewer gets of a graph, and its fold tree.

    Args:
        graph: the graph.
        tape: its operations in order.
        items: the fold tree.
        content: what is sent, before compression.
    """

    def __init__(self, graph: Graph, tape: Tape, items: list[Item], content: dict[str, Any]) -> None:
        self.content = content
        self._graph, self._tape, self._items = graph, tape, items

    @property
    def items(self) -> list[Item]:
        """The fold tree, the whole graph first."""
        return self._items

    def compressed(self, level: int = 6) -> bytes:
        """The bytes to send; ``level`` is zlib's, 9 for the fewest."""
        text = json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))
        return zlib.compress(text.encode(), level)

    def around_node(self, node: str) -> dict[str, Literal["open", "unrolled"]]:
        """What must be open for a node to be shown by itself, by key of the part, outer ones first.

        A repeat is unrolled unless the node lies in its drawn round. A leaf that several operations use is shown beside
        the first of them. The id must be one of the graph.
        """
        place = self._place[node]
        user = self._user.get(place)
        position = self._tape.nodes.index(place) if user is None else user
        return self._around(self._item_at[position])

    def around_ghost(self, leaf: int) -> dict[str, Literal["open", "unrolled"]]:
        """The same for a parameter that the graph does not reach, by its place in ``graph.leaves``."""
        known = self._graph.leaves[leaf]
        for number, item in enumerate(self._items):
            part = item.child
            if isinstance(part, Part) and any(g.leaf is known and g.home == part.path for g in part.ghosts):
                return self._around(number) | {part.key: "open"}
        return {}

    def parts(self) -> dict[str, list[str]]:
        """The keys of the parts of each module path, outer ones first."""
        found: dict[str, list[str]] = {}
        for item in self._items[1:]:
            part = item.child
            if isinstance(part, Part) and part.kind in ("module", "repeat"):
                for path in (part.path,) if part.kind == "module" else dict.fromkeys((part.path, *part.names[0])):
                    found.setdefault(path, []).append(part.key)
        return found

    def around_part(self, key: str) -> dict[str, Literal["open", "unrolled"]]:
        """What must be open for the part with this key to be shown."""
        return self._around(self._part_at[key])

    def _around(self, number: int) -> dict[str, Literal["open", "unrolled"]]:
        folds: list[tuple[str, Literal["open", "unrolled"]]] = []
        while self._items[number].parent >= 0:
            item = self._items[number]
            around = self._items[item.parent].child
            assert isinstance(around, Part)
            folds.append((around.key, "unrolled" if item.single else "open"))
            number = item.parent
        return dict(reversed(folds))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {node.id: place for place, node in enumerate(self._graph.nodes)}

    @cached_property
    def _user(self) -> dict[int, int]:
        """For each leaf that is drawn beside operations, the position of the first of them."""
        user: dict[int, int] = {}
        for position, ways in enumerate(self._tape.out):
            for way in ways:
                if way < 0:
                    user.setdefault(~way, position)
        return user

    @cached_property
    def _item_at(self) -> dict[int, int]:
        """The operation of each position: in the drawn round if it lies there, for those items come first."""
        found: dict[int, int] = {}
        for number, item in enumerate(self._items):
            if isinstance(item.child, int):
                found.setdefault(item.child, number)
        return found

    @cached_property
    def _part_at(self) -> dict[str, int]:
        return {item.child.key: n for n, item in enumerate(self._items) if isinstance(item.child, Part)}


def encode(graph: Graph, *, fold: Fold = "auto", detail: Detail = "normal") -> Payload:
    """What the viewer needs to show the graph and to fold it by itself.

    Args:
        graph: what was traced.
        fold: what is closed at first, see ``gradviz.draw``; all of it can be opened.
        detail: how much the boxes tell, see ``gradviz.draw``.

    Raises:
        GradvizError: for other values of ``fold``.
    """
    with _collector_paused():
        return _encode(graph, fold, detail)


def _encode(graph: Graph, fold: Fold, detail: Detail) -> Payload:
    tape = read_tape(graph)
    choice = choose(graph, tape, fold, 0, views=detail != "full", rounds=True)
    facts = look_up(graph, tape, detail, in_full=choice.in_full, hover=False)
    items = list_items(choice, tape)
    records = Records()
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "title": summary.title(facts),
        "notes": [*choice.notes, *summary.notes(facts)],
        "full": choice.in_full,
        "looks": write_looks(),
        "tape": differences(tape.nodes),
        "items": write_items(list_rows(items, facts), records),
        **write_graph(graph, records),
    }
    return Payload(graph, tape, items, content | records.tables())


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
