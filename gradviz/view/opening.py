"""Decides which parts of the fold tree are open: what the user asked for, or what keeps a picture readable.

Readable is a budget: so many boxes, and so many ranks (boxes on the longest path). The top is opened first, then what
stands for most operations, as long as the budget holds. Small modules such as Linear stay closed, they list their
parameters. A part that is too long for the budget is cut into sections, and the one nearest the loss is opened.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from gradviz.view.ghosts import gather
from gradviz.view.part import Child, Part, parts_of
from gradviz.view.sections import cut
from gradviz.view.tape import Tape

LAYER = 8  # a module with no more operations, and no modules inside, is a layer: it stays closed
LONG = 40  # boxes inside a part, from which on it may be cut into sections; the top is cut wherever it must be
MOST_LEAVES = 8  # leaves of one operation that are drawn one by one


class Budget(NamedTuple):
    """How large a picture may become."""

    boxes: int
    ranks: int


Opened = dict[Part, list[Child]]  # the open parts, parents first, and what is drawn in their frames


def open_all(top: Part) -> Opened:
    """Every part that may be opened. A repeat of one operation stays a box: its frame would say nothing more."""
    opened: Opened = {}
    waiting = [top]
    while waiting:
        part = waiting.pop()
        opened[part] = _inside(part)
        waiting += [child for child in parts_of(opened[part]) if _can_open(child)]
    return opened


def open_within(top: Part, tape: Tape, budget: Budget) -> Opened:
    """The parts to open within a budget; none, not even the top, where the budget is too small for it."""
    picture = _Picture(tape, budget)
    if not picture.try_open(top):
        return {}
    sizes: dict[Part, int] = {top: 1}
    waiting: list[tuple[int, int, int, Part]] = []
    part = top
    while True:
        rounds = sizes.pop(part) * part.times
        children = parts_of(picture.opened[part])
        for child in children[:1] if children and children[0].kind == "section" else children:
            if _can_open(child) and not _is_layer(child):
                sizes[child] = rounds
                heapq.heappush(waiting, (-rounds * (child.stop - child.start), child.start, -child.stop, child))
        while waiting:
            part = heapq.heappop(waiting)[-1]
            if picture.try_open(part):
                break
        else:
            return picture.opened


def count_boxes(opened: Opened, tape: Tape) -> int:
    """How many boxes a picture has: parts, operations, their leaves, and ghosts."""
    return sum(
        sum(_weights(children, tape))
        - len(opened.keys() & set(parts_of(children)))
        + len(gather(part.ghosts, part.path))
        for part, children in opened.items()
    )


class _Picture:
    """The open parts so far, with their size."""

    def __init__(self, tape: Tape, budget: Budget) -> None:
        self.opened: Opened = {}
        self._tape = tape
        self._budget = budget
        self._boxes = 1  # the closed top
        self._links: dict[Part, list[tuple[int, int]]] = {}

    def try_open(self, part: Part) -> bool:
        """Open this part if the budget allows it, in sections if it is long."""
        children = _inside(part)
        weights = _weights(children, self._tape)
        if self._fits(part, children, sum(weights)):
            return True
        most = max(3, self._budget.boxes // 7)
        if part.kind == "section" or sum(weights) < (LONG if self.opened else 2 * most):
            return False
        sections = cut(part, children, weights, most, max(3, self._budget.boxes // 15))
        return self._fits(part, sections, len(sections))

    def _fits(self, part: Part, children: list[Child], weight: int) -> bool:
        boxes = self._boxes - 1 + weight + len(gather(part.ghosts, part.path))
        if boxes > self._budget.boxes:
            return False
        self.opened[part] = children
        self._links[part] = _links(part, children, self._tape)
        if self._ranks() > self._budget.ranks:
            del self.opened[part], self._links[part]
            return False
        self._boxes = boxes
        return True

    def _ranks(self) -> int:
        """The longest path, an open part counting as a whole: renderers keep its frame together."""
        lengths: dict[Part, int] = {}
        for part, children in reversed(self.opened.items()):
            own = [lengths.get(child, 1) if isinstance(child, Part) else 1 for child in children]
            depth = [0] * len(children)
            for before, after in self._links[part]:
                depth[after] = max(depth[after], depth[before] + own[before])
            ends = (
                depth[place] + own[place] + (not isinstance(child, Part) and min(self._tape.out[child], default=0) < 0)
                for place, child in enumerate(children)
            )
            lengths[part] = max(ends, default=1)
        return next(reversed(lengths.values()))


def _inside(part: Part) -> list[Child]:
    """What the frame of a part holds. A module that only wraps another is passed through: one frame serves both."""
    return [_unwrapped(child) if isinstance(child, Part) else child for child in part.children]


def _unwrapped(part: Part) -> Part:
    while part.kind == "module" and not part.closed and not part.ghosts and len(part.children) == 1:
        child = part.children[0]
        if not isinstance(child, Part):
            break
        part = child
    return part


def _can_open(part: Part) -> bool:
    return not part.closed and not (
        part.kind == "repeat" and len(part.children) == 1 and part.children[0] == part.start
    )


def _is_layer(part: Part) -> bool:
    """A module without modules inside, and with few operations; also a repeat of such a module."""
    if part.kind == "section" or part.kind == "repeat" and part.names[0] != (part.path,):
        return False
    return part.round_stop - part.start <= LAYER and not parts_of(part.children)


def _weights(children: list[Child], tape: Tape) -> list[int]:
    return [1 if isinstance(child, Part) else 1 + leaf_boxes(child, tape) for child in children]


def leaf_boxes(position: int, tape: Tape) -> int:
    """How many boxes the leaves of an operation take: one each, or one for all if they are many."""
    leaves = len({way for way in tape.out[position] if way < 0})
    return leaves if leaves <= MOST_LEAVES else 1


def _links(part: Part, children: list[Child], tape: Tape) -> list[tuple[int, int]]:
    """Which children lead to which others, by place; the first round of a repeat."""
    start, stop = part.start, part.round_stop
    owner: list[int] = []
    for place, child in enumerate(children):
        owner += [place] * (child.stop - child.start if isinstance(child, Part) else 1)
    found: set[tuple[int, int]] = set()
    for position in range(start, stop):
        place = owner[position - start]
        for way in tape.out[position]:
            if position < way < stop and owner[way - start] != place:
                found.add((place, owner[way - start]))
    return sorted(found)
