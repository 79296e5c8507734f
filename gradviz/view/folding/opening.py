"""Decides which parts of the fold tree are open: what the user asked for, or what keeps a picture readable.

Readable is a budget: so many boxes, and so many lines (the height of the longest path). The top is opened first, then
what stands for most operations, as long as the budget holds. Small modules such as Linear stay closed, they list their
parameters. What is too long, or linked too densely to be followed, is cut into sections, the one nearest the loss open.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from gradviz.view.folding.ghosts import gather
from gradviz.view.folding.measure import Links, Opened, height, inside, leaves_before, links, weights
from gradviz.view.folding.part import Child, Part, is_single, parts_of
from gradviz.view.folding.sections import cut, cut_loose
from gradviz.view.folding.tape import Tape

LAYER = 8  # a module with no more operations, and no modules inside, is a layer: it stays closed
LONG = 40  # boxes inside a part, from which on it may be cut into sections; the top is cut wherever it must be
MOST_LINKS = 3  # for each box inside a part: beyond that arrows cannot be followed


class Budget(NamedTuple):
    """How large a picture may become; ``lines`` is its height (see gradviz/view/folding/measure.py)."""

    boxes: int
    lines: int


def open_all(top: Part) -> Opened:
    """Every part that may be opened."""
    opened: Opened = {}
    waiting = [top]
    while waiting:
        part = waiting.pop()
        opened[part] = inside(part)
        waiting += [child for child in parts_of(opened[part]) if _can_open(child)]
    return opened


def open_within(top: Part, tape: Tape, budget: Budget) -> Opened:
    """The parts to open within a budget; none, not even the top, where the budget is too small for it."""
    picture = _Picture(tape, budget)
    if not picture.open_top(top):
        return {}
    missed = picture.grow(top)
    if missed is not None:  # operations at the top take the room of what matters most: cut them into sections
        other = _Picture(tape, budget)
        if other.open_top(top, shortened=True) and other.grow(top) is not missed:
            return other.opened
    return picture.opened


class _Picture:
    """The open parts so far, with their size."""

    def __init__(self, tape: Tape, budget: Budget) -> None:
        self.opened: Opened = {}
        self._tape = tape
        self._leaves = leaves_before(tape)
        self._budget = budget
        self._first = max(3, min(18, budget.boxes // 3), budget.boxes // 8)  # boxes in the first section
        self._most = max(3, min(8, budget.boxes // 4), budget.boxes // 18)  # sections side by side
        self._boxes = 1  # the closed top
        self._linked: dict[Part, Links] = {}
        self._crowded: set[Part] = set()

    def open_top(self, top: Part, *, shortened: bool = False) -> bool:
        """Open the top, with its long stretches cut into sections if ``shortened``, or where it must be."""
        return (not shortened and self._open_as_it_is(top)) or self._open_in_sections(top, 0)

    def grow(self, top: Part) -> Part | None:
        """Open what stands for most operations, then the next. Returns the very first part if that did not fit."""
        waiting: list[tuple[int, int, int, Part]] = []
        self._wait(top, 1, waiting)
        first = waiting[0][-1] if waiting else None
        while waiting:
            rounds, part = heapq.heappop(waiting)[2:]
            if part in self.opened or self._open_as_it_is(part) or self._open_in_sections(part, LONG):
                self._wait(part, rounds, waiting)
        return None if first is None or first in self.opened else first

    def _wait(self, part: Part, rounds: int, waiting: list[tuple[int, int, int, Part]]) -> None:
        """Line up what is inside an open part that stands for so many rounds: of sections in a row only the first."""
        rounds *= part.times
        before: Child | None = None
        for child in self.opened[part]:
            in_row = _is_section(child) and _is_section(before)
            if isinstance(child, Part) and _can_open(child) and not _is_layer(child) and not in_row:
                heapq.heappush(waiting, (-rounds * (child.stop - child.start), child.start, rounds, child))
            before = child

    def _open_as_it_is(self, part: Part) -> bool:
        return self._fits(part, inside(part), dense=False)

    def _open_in_sections(self, part: Part, least: int) -> bool:
        """Open a part that is crowded, or holds so many boxes, in sections, the first of them open."""
        children = inside(part)
        loads = weights(children, self._tape)
        crowded = part in self._crowded
        if sum(loads) < least and not crowded:
            return False
        first = max(3, self._first // 3) if crowded else self._first
        for cut_up in (cut_loose, cut):
            sections = cut_up(part, children, loads, first, self._most)
            if len(sections) < len(children) and self._fits(part, sections, dense=cut_up is cut):
                head = sections[0]
                if not (isinstance(head, Part) and _is_section(head)) or self._open_as_it_is(head):
                    return True
                if len(self.opened) == 1:
                    return True
                self._close(part)  # closed sections alone would say no more than the closed part
        return False

    def _fits(self, part: Part, children: list[Child], *, dense: bool) -> bool:
        """Open a part if that keeps to the budget. ``dense``: no matter how many links its children have."""
        boxes = self._boxes + self._gain(part, children)
        if boxes > self._budget.boxes:
            return False
        linked = links(part, children, self._tape)
        if not dense and len(linked) > MOST_LINKS * (len(children) + 4):
            self._crowded.add(part)
            return False
        self.opened[part], self._linked[part] = children, linked
        if height(self.opened, self._linked, self._tape, self._leaves) > self._budget.lines:
            del self.opened[part], self._linked[part]
            return False
        self._boxes = boxes
        return True

    def _close(self, part: Part) -> None:
        self._boxes -= self._gain(part, self.opened.pop(part))
        del self._linked[part]

    def _gain(self, part: Part, children: list[Child]) -> int:
        """How many boxes more a picture has with this part open."""
        return sum(weights(children, self._tape)) - 1 + len(gather(part.ghosts))


def _can_open(part: Part) -> bool:
    """Whether a part may be opened. A repeat of one operation stays a box: its frame would say nothing more."""
    return not part.closed and not (part.kind == "repeat" and len(part.children) == 1 and is_single(part.children[0]))


def _is_section(child: Child | None) -> bool:
    return isinstance(child, Part) and child.kind == "section"


def _is_layer(part: Part) -> bool:
    """A module without modules inside, and with few operations; also a repeat of such a module."""
    if part.kind == "section" or (part.kind == "repeat" and part.names[0] != (part.path,)):
        return False
    return part.round_stop - part.start <= LAYER and all(map(is_single, part.children))
