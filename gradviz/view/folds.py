"""What a view holds open, as the viewer keeps it: what differs from how it opens at first, by key of the part.

A *repeat* that is open shows one round for all; *unrolled*, it shows each. Modules in other rounds than the drawn one
are on the screen only while the repeats around them are unrolled.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase

from gradviz.errors import GradvizError
from gradviz.view.folding.part import Part
from gradviz.view.folding.ways import Fold, Folds, Ways

MOST_BOXES = 20_000  # that are opened at once: what a browser draws fluently


class FoldTree:
    """Works out what to open and to close. Takes a state and gives the next one; holds none.

    Args:
        ways: those in the fold tree of what the viewer shows.
    """

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._first: dict[str, Fold] = {}
        self._repeats: set[str] = set()
        for item in ways.items[1:]:
            if isinstance(item.child, Part):
                self._first[item.child.key] = "open" if item.open else "closed"
                if item.child.others:
                    self._repeats.add(item.child.key)
        self._parts = ways.parts()

    def __contains__(self, key: object) -> bool:
        """Whether a part has this key."""
        return key in self._first

    def revealed(self, folds: Folds, node: str) -> dict[str, Fold]:
        """Open what hides a node. A repeat that is unrolled stays so; one whose drawn round is another is unrolled."""
        return self._changed(folds, self._ways.to_node(node, folds))

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
            ways = {key: self._ways.to_part(key) for key in self._matching(path)}
            near = [key for key, way in ways.items() if self._needs_no_unrolling(folds, way)]
            for key in ways if rounds else near or ways:
                for around, state in ways[key].items():
                    if state == "unrolled" or "unrolled" not in (changes.get(around), folds.get(around)):
                        changes[around] = state
                unroll = key in self._repeats and (rounds or folds.get(key) == "unrolled")
                changes[key] = "unrolled" if unroll or changes.get(key) == "unrolled" else "open"
        return self._changed(folds, changes)

    def unfolded_all(self, *, rounds: bool) -> tuple[dict[str, Fold], bool]:
        """Everything open, and whether that is so: what would make too many boxes stays closed. Outer parts come first.

        Args:
            rounds: whether to unroll every repeat.
        """
        items = self._ways.items
        unrolled = [rounds and isinstance(item.child, Part) and bool(item.child.others) for item in items]
        inside = Counter((item.parent, item.single > 0) for item in items)  # only children of repeats are single rounds
        changes: dict[str, Fold] = {}
        shown, boxes, whole = {0}, inside[0, False], True
        for number, item in enumerate(items[1:], 1):
            in_sight = item.parent in shown and (item.single > 0) == unrolled[item.parent]
            if not isinstance(item.child, Part) or not in_sight:
                continue
            gain = inside[number, unrolled[number]] - 1
            fits = boxes + gain <= MOST_BOXES
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
