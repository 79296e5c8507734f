"""Which parts must be open for a node, or another part, to be seen: the ways down the fold tree."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from gradviz.graph import Graph
from gradviz.view.folding.items import Item
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import Tape

Fold: TypeAlias = Literal["open", "closed", "unrolled"]
Folds: TypeAlias = Mapping[str, Fold]  # by key of the part


class Ways:
    """Knows the way to everything in a fold tree.

    Args:
        graph: the graph.
        tape: its operations in order.
        items: the fold tree, the whole graph first.
    """

    def __init__(self, graph: Graph, tape: Tape, items: list[Item]) -> None:
        self.items = items
        self._graph, self._tape = graph, tape

    def to_node(self, node: str, folds: Folds) -> dict[str, Fold]:
        """What must be open for a node to be shown by itself, outer parts first.

        A repeat is unrolled if it is so in ``folds``, or if the node does not lie in its drawn round. A leaf that
        several operations use is shown beside the first of them. The id must be one of the graph.
        """
        place = self._place[node]
        position = self._user[place] if place in self._user else self._position[place]
        ways = [self._to(number) for number in self._items_at[position]]
        kept = (way for way in ways if not any(way[key] == "open" and folds.get(key) == "unrolled" for key in way))
        return next(kept, ways[0])

    def to_part(self, key: str) -> dict[str, Fold]:
        """What must be open for the part with this key to be shown, outer parts first."""
        return self._to(self._part_at[key])

    def parts(self) -> dict[str, list[str]]:
        """The keys of the parts of each module path, outer ones first."""
        found: dict[str, list[str]] = {}
        for item in self.items[1:]:
            part = item.child
            if isinstance(part, Part) and part.kind in ("module", "repeat"):
                for path in (part.path,) if part.kind == "module" else dict.fromkeys((part.path, *part.names[0])):
                    found.setdefault(path, []).append(part.key)
        return found

    def _to(self, number: int) -> dict[str, Fold]:
        folds: list[tuple[str, Fold]] = []
        while self.items[number].parent >= 0:
            item = self.items[number]
            around = self.items[item.parent].child
            assert isinstance(around, Part)
            folds.append((around.key, "unrolled" if item.single else "open"))
            number = item.parent
        return dict(reversed(folds))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {node.id: place for place, node in enumerate(self._graph.nodes)}

    @cached_property
    def _position(self) -> dict[int, int]:
        return {place: position for position, place in enumerate(self._tape.nodes)}

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
    def _items_at(self) -> dict[int, list[int]]:
        """The items of the operation at each position, those in drawn rounds first."""
        found: dict[int, list[int]] = {}
        for number, item in enumerate(self.items):
            if isinstance(item.child, int):
                found.setdefault(item.child, []).append(number)
        return found

    @cached_property
    def _part_at(self) -> dict[str, int]:
        return {item.child.key: n for n, item in enumerate(self.items) if isinstance(item.child, Part)}
