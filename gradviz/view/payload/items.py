"""The fold tree as columns: every item with the label of its box, and the boxes of leaves, dead ends and ghosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gradviz.view.folding.items import Item, key_inside
from gradviz.view.folding.leaves import leaves_beside
from gradviz.view.folding.measure import MOST_LEAVES
from gradviz.view.folding.part import Part
from gradviz.view.labels import boxes, frames
from gradviz.view.labels.cells import cell
from gradviz.view.labels.particulars import Particulars
from gradviz.view.payload.columns import Columns, columns, differences
from gradviz.view.payload.facts import Records
from gradviz.view.scene import Box


class Row(NamedTuple):
    """One item as the viewer gets it. ``members`` are the nodes, leaves or dead ends of a box beside an operation.

    ``frame`` is the title of its frame, empty where it cannot be opened. Only parts have their keys sent, where they do
    not follow from the parent's; those of all other boxes follow from their nodes and from what they stand beside.
    """

    parent: int
    kind: str
    start: int
    stop: int
    times: int
    single: int
    open: bool
    box: Box
    frame: str = ""
    members: tuple[int, ...] = ()


def list_rows(items: list[Item], facts: Particulars) -> list[Row]:
    """The rows of all items, in their order, then those of the boxes beside them."""
    writer = _Writer(facts)
    rows = [writer.row(item) for item in items]
    for number, item in enumerate(items):
        if isinstance(item.child, Part):
            rows += writer.ghosts(number, item.child)
        else:
            rows += writer.beside(number, item, rows[number].box)
    return rows


def write_items(rows: list[Row], records: Records) -> Columns:
    """The rows as columns, with the number of their members; the texts that they name are added to ``records``."""
    text, lists = records.texts, records.lists
    keys = _keys(rows)
    return columns(
        (
            *("parent", "kind", "key", "start", "stop", "times", "round", "open", "role", "label", "lines", "badges"),
            *("frame", "members"),
        ),
        (
            (
                row.parent,
                text[row.kind],
                text.optional(key),
                row.start,
                row.stop,
                row.times,
                row.single,
                row.open,
                text[row.box.role],
                text[row.box.title],
                lists[tuple(text[line] for line in row.box.lines)],
                lists[tuple(text[badge] for badge in row.box.badges)],
                text[row.frame],
                len(row.members),
            )
            for row, key in zip(rows, keys, strict=True)
        ),
    )


def write_members(rows: list[Row]) -> list[int]:
    """The members of all rows, one row's after the other's, as a column."""
    return differences(member for row in rows for member in row.members)


def _keys(rows: list[Row]) -> Iterator[str | None]:
    """The keys to be sent: those of parts, where they do not follow from the parent's."""
    drawn: Counter[int] = Counter()
    for row in rows:
        place = drawn[row.parent]
        drawn[row.parent] += not row.single
        key = row.box.key
        follows = row.parent >= 0 and key == key_inside(rows[row.parent].box.key, row.single, place)
        yield None if follows or not row.frame else key


class _Writer:
    def __init__(self, facts: Particulars) -> None:
        self._facts = facts
        self._plain: dict[tuple[object, ...], Box] = {}
        graph = facts.graph
        self._leaf_at = {id(leaf): place for place, leaf in enumerate(graph.leaves)}
        self._end_at = {id(end): place for place, end in enumerate(graph.dead_ends)}
        self._node_at = {node.id: place for place, node in enumerate(graph.nodes)}

    def row(self, item: Item) -> Row:
        facts, part, path = self._facts, item.child, item.path
        if not isinstance(part, Part):
            box = self._operation(part, item.shifts)
            return Row(item.parent, "operation", part, part + 1, 1, item.single, open=False, box=box)
        length = part.round_stop - part.start
        repeats = range(part.times)
        positions = [
            start + place
            for shift in item.shifts
            for start in (part.start + shift + length * number for number in repeats)
            for place in range(length)
        ]
        box = cell(facts, part, positions, path, None)
        frame = frames.chain(facts, part) if part.kind == "view" else frames.frame(facts, part, path)[0]
        kind = "chain" if part.kind == "view" else part.kind
        return Row(item.parent, kind, part.start, part.stop, part.times, item.single, item.open, box, frame)

    def _operation(self, position: int, shifts: tuple[int, ...]) -> Box:
        """The box of an operation. Most are told by their name and shapes alone, and have the label of another one."""
        facts = self._facts
        tape, node = facts.tape, facts.node(position)
        place = tape.nodes[position]
        if (
            len(shifts) > 1
            or facts.detail == "full"
            or node.hooks
            or position in tape.dead_ends
            or place in tape.roots
            or place in tape.leaves
        ):
            return boxes.operation(facts, [position + shift for shift in shifts], None)
        flow = facts.flow
        if node.id in flow.effects or node.id in flow.turns:
            return boxes.operation(facts, [position], None)
        # What arrived is told by its sizes; where nothing was watched there are none.
        key = (node.op, node.kind, node.slots, tuple(flow.sizes([node])), flow.state(node))
        known = self._plain.get(key)
        if known is None:
            known = self._plain[key] = boxes.operation(facts, [position], None)
        return known._replace(key=node.id, nodes=(node.id,))

    def beside(self, number: int, item: Item, user: Box) -> Iterator[Row]:
        """The boxes of an operation's leaves, and those of its dead ends where nothing is folded."""
        assert isinstance(item.child, int)
        facts, out = self._facts, self._facts.tape.out
        if not out[item.child] and not (facts.in_full and facts.tape.dead_ends):
            return
        positions = [item.child + shift for shift in item.shifts]
        for uses in leaves_beside(facts.tape, positions, len(facts.tape.leaves) if facts.in_full else MOST_LEAVES):
            box = boxes.leaf(facts, uses, user, item.path)
            yield _beside(number, "leaf", box, tuple(self._node_at[node] for node in box.nodes))
        for end in facts.telling_ends(positions) if facts.in_full else ():
            yield _beside(number, "dead_end", boxes.dead_end(end, user), (self._end_at[id(end)],))

    def ghosts(self, number: int, part: Part) -> Iterator[Row]:
        """The boxes of parameters that the graph does not reach, in the frame of their module."""
        for ghost, box in boxes.ghosts(self._facts, part, None):
            yield _beside(number, "ghost", box, tuple(self._leaf_at[id(leaf)] for leaf in ghost.leaves))


def _beside(parent: int, kind: str, box: Box, members: tuple[int, ...]) -> Row:
    return Row(parent, kind, 0, 0, 1, 0, open=False, box=box, members=members)
