"""What a view holds open, as the viewer keeps it: what differs from how it opens at first, by key of the part.

A *repeat* that is open shows one round for all; *unrolled*, it shows each. Modules in other rounds than the drawn one
are on the screen only while the repeats around them are unrolled.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal, TypeAlias

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.folding.part import Part
from gradviz.view.payload import Payload

Fold: TypeAlias = Literal["open", "closed", "unrolled"]
Folds: TypeAlias = Mapping[str, Fold]


class FoldTree:
    """Works out what to open and to close. Takes a state and gives the next one; holds none.

    Args:
        graph: what the viewer shows.
        payload: the same, as the viewer gets it.
    """

    def __init__(self, graph: Graph, payload: Payload) -> None:
        self._graph, self._tape, self._items, self._beside = graph, payload.tape, payload.items, payload.beside
        self._first: dict[str, Fold] = {}
        self._repeats: set[str] = set()
        self._parts: dict[str, list[str]] = {}  # the keys of the parts of each module path, outer ones first
        for item in self._items[1:]:
            part = item.child
            if isinstance(part, Part):
                self._first[part.key] = "open" if item.open else "closed"
                if part.others:
                    self._repeats.add(part.key)
                if part.kind in ("module", "repeat"):
                    for path in (part.path,) if part.kind == "module" else dict.fromkeys((part.path, *part.names[0])):
                        self._parts.setdefault(path, []).append(part.key)

    def __contains__(self, key: object) -> bool:
        """Whether a part has this key."""
        return key in self._first

    def revealed(self, folds: Folds, node: str) -> dict[str, Fold]:
        """Open what hides a node: a repeat is unrolled only if its drawn round is another, and then stays so.

        A leaf is shown where it is in sight, else beside the first operation that uses it.
        """
        place = self._place[node]
        ways = [self._to_position(position, folds) for position in self._users.get(place) or [self._positions[place]]]
        return self._changed(folds, next((way for way in ways if self._holds(folds, way)), ways[0]))

    def folded(self, folds: Folds, paths: Sequence[str]) -> dict[str, Fold]:
        """Close the modules with these paths, or that match these patterns; for none, all.

        Raises:
            GradvizError: if nothing matches.
        """
        keys = [key for path in paths for key in self._matching(path)] if paths else self._first
        return self._changed(folds, dict.fromkeys(keys, "closed"))

    def unfolded(self, folds: Folds, paths: Sequence[str], *, rounds: bool) -> dict[str, Fold]:
        """Open the modules with these paths, or that match these patterns, and all around them.

        Where one of them is in sight, or lies in a drawn round, those in other rounds stay as they are. ``rounds``
        opens all of them, and unrolls the repeats among them.

        Raises:
            GradvizError: if nothing matches.
        """
        changes: dict[str, Fold] = {}
        for path in paths:
            ways = {key: self._to(self._part_at[key]) for key in self._matching(path)}
            near = [key for key, way in ways.items() if self._needs_no_unrolling(folds, way)]
            for key in ways if rounds else near or ways:
                for around, state in ways[key].items():
                    if state == "unrolled" or "unrolled" not in (changes.get(around), folds.get(around)):
                        changes[around] = state
                unroll = key in self._repeats and (rounds or folds.get(key) == "unrolled")
                changes[key] = "unrolled" if unroll or changes.get(key) == "unrolled" else "open"
        return self._changed(folds, changes)

    def unfolded_all(self, *, rounds: bool, most: int) -> tuple[dict[str, Fold], bool]:
        """Everything open, and whether that is so: what would make too many boxes stays closed. Outer parts come first.

        Args:
            rounds: whether to unroll every repeat.
            most: how many boxes there may be.
        """
        items = self._items
        unrolled = [rounds and isinstance(item.child, Part) and bool(item.child.others) for item in items]
        inside: Counter[tuple[int, bool]] = Counter()  # boxes; only the children of repeats are single rounds
        for number, item in enumerate(items):
            own = 1 if isinstance(item.child, Part) else 1 + self._beside[number]
            inside[item.parent, item.single > 0] += own
            if isinstance(item.child, Part):
                inside[number, False] += self._beside[number]  # ghosts
        changes: dict[str, Fold] = {}
        shown, boxes, whole = {0}, inside[0, False], True
        for number, item in enumerate(items[1:], 1):
            in_sight = item.parent in shown and (item.single > 0) == unrolled[item.parent]
            if not isinstance(item.child, Part) or not in_sight:
                continue
            gain = inside[number, unrolled[number]] - 1
            fits = boxes + gain <= most
            if fits:
                boxes += gain
                shown.add(number)
            whole = whole and fits
            changes[item.child.key] = ("unrolled" if unrolled[number] else "open") if fits else "closed"
        return self._changed({}, changes), whole

    def _needs_no_unrolling(self, folds: Folds, way: Folds) -> bool:
        return all(folds.get(key) == "unrolled" for key, state in way.items() if state == "unrolled")

    def _changed(self, folds: Folds, changes: Folds) -> dict[str, Fold]:
        """The next state, without what is as it was at first."""
        return {key: state for key, state in {**folds, **changes}.items() if self._first.get(key) not in (None, state)}

    def _matching(self, path: str) -> list[str]:
        """The keys of a path or pattern; of a module without a box, as lists of modules are, those right inside it."""
        if not isinstance(path, str):
            raise GradvizError(
                f"{path!r} is no path of a module",
                "modules are named by text, one by one",
                "pass several paths as several arguments: view.fold('a', 'b')",
            )
        found = [known for known in self._parts if known and fnmatchcase(known, path)]
        if not found:
            within = [known for known in self._parts if known.startswith(f"{path}.")]
            depth = min((known.count(".") for known in within), default=0)
            found = [known for known in within if known.count(".") == depth]
        if not found:
            near = difflib.get_close_matches(path, list(self._parts)[:10_000], n=3, cutoff=0.5)
            raise GradvizError(
                f"There is no module {path!r} to fold or unfold",
                "no module that is drawn as a box of its own has this path, and none lies in it",
                f"use one of {', '.join(map(repr, near))}" if near else "give a path, or a pattern such as 'encoder.*'",
            )
        return [key for known in found for key in self._parts[known]]

    def _holds(self, folds: Folds, way: Folds) -> bool:
        return all(folds.get(key, self._first.get(key, "open")) == state for key, state in way.items())

    def _to_position(self, position: int, folds: Folds) -> dict[str, Fold]:
        """What must be open for the operation at a position to be shown by itself, outer parts first."""
        ways = [self._to(number) for number in self._items_at[position]]
        kept = (way for way in ways if not any(way[key] == "open" and folds.get(key) == "unrolled" for key in way))
        return next(kept, ways[0])

    def _to(self, number: int) -> dict[str, Fold]:
        """What must be open for an item to be shown, outer parts first."""
        folds: list[tuple[str, Fold]] = []
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
    def _positions(self) -> dict[int, int]:
        return {place: position for position, place in enumerate(self._tape.nodes)}

    @cached_property
    def _users(self) -> dict[int, list[int]]:
        """For each leaf that is drawn beside operations, their positions, in the order of their nodes."""
        users: dict[int, list[int]] = {}
        for position in sorted(range(len(self._tape.out)), key=self._tape.nodes.__getitem__):
            for way in self._tape.out[position]:
                if way < 0:
                    users.setdefault(~way, []).append(position)
        return users

    @cached_property
    def _items_at(self) -> dict[int, list[int]]:
        """The items of the operation at each position, those in drawn rounds first."""
        found: dict[int, list[int]] = {}
        for number, item in enumerate(self._items):
            if isinstance(item.child, int):
                found.setdefault(item.child, []).append(number)
        return found

    @cached_property
    def _part_at(self) -> dict[str, int]:
        return {item.child.key: n for n, item in enumerate(self._items) if isinstance(item.child, Part)}
