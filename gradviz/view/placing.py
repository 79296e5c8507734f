"""What is open -> cells and frames: which box each position is drawn in, and in which rounds of repeats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gradviz.view.folding.choice import Choice
from gradviz.view.folding.part import Child, Part


class Cell(NamedTuple):
    """A box to be drawn: an operation or a closed part.

    ``frame`` is the open part around it (None: no frame, it lies at the top), ``path`` the module of that frame.
    """

    child: Child
    frame: Part | None
    path: str


class Frame(NamedTuple):
    """A frame to be drawn: an open part, with the frame around it as in Cell."""

    part: Part
    frame: Part | None
    path: str


class Placing(NamedTuple):
    """Where everything is drawn.

    Args:
        cells: the boxes of operations and closed parts, in drawing order.
        frames: the open parts but for the top, parents first.
        cell_of: for each position, the place of its cell in ``cells``.
        positions: for each cell, the positions that it stands for, the drawn round's first.
        rounds: tells rounds of open repeats apart.
        times: by frame, how many rounds everything in it stands for.
    """

    cells: list[Cell]
    frames: list[Frame]
    cell_of: list[int]
    positions: list[list[int]]
    rounds: Rounds
    times: dict[Part | None, int]

    def rounds_in(self, frame: Part | None) -> int:
        """How many rounds everything in this frame stands for."""
        return self.times[frame]


class Rounds:
    """Tells whether an edge leads from one round of an open repeat into another."""

    def __init__(self, repeats: list[tuple[Part, int]], positions: int) -> None:
        """``repeats``: each open repeat and the number of open repeats around it, outer ones first."""
        self._repeats = [(part.start, part.round_stop - part.start) for part, _ in repeats]
        levels = 1 + max((level for _, level in repeats), default=-1)
        self._at = [[-1] * positions for _ in range(levels)]
        for number, (part, level) in enumerate(repeats):
            self._at[level][part.start : part.stop] = [number] * (part.stop - part.start)

    def differ(self, source: int, target: int) -> bool:
        """Whether both positions lie in one repeat, in different rounds of it."""
        for level in self._at:  # inner repeats are known in the first rounds of outer ones: there both are moved
            number = level[source]
            if number < 0 or level[target] != number:
                return False
            start, period = self._repeats[number]
            before, after = (source - start) // period, (target - start) // period
            if before != after:
                return True
            source -= before * period
            target -= before * period
        return False


def place(choice: Choice, positions: int) -> Placing:
    """Lay out which box stands for which positions of a tape that has ``positions`` many."""
    cells, frames = _walk(choice)
    cell_of = [-1] * positions
    for number, (child, _, _) in enumerate(cells):
        if isinstance(child, Part):
            cell_of[child.start : child.stop] = [number] * (child.stop - child.start)
        else:
            cell_of[child] = number
    times: dict[Part | None, int] = {None: 1}
    level: dict[Part | None, int] = {None: 0}
    repeats: list[tuple[Part, int]] = []
    for part, around, _ in frames:
        times[part] = times[around] * part.times
        level[part] = level[around] + (part.kind == "repeat")
        if part.kind == "repeat":
            repeats.append((part, level[around]))
    for part, _ in reversed(repeats):  # inner repeats first, so that outer rounds copy them whole
        cell_of[part.start : part.stop] = cell_of[part.start : part.round_stop] * part.times
    members: list[list[int]] = [[] for _ in cells]
    for position, number in enumerate(cell_of):
        members[number].append(position)
    return Placing(cells, frames, cell_of, members, Rounds(repeats, positions), times)


def _walk(choice: Choice) -> tuple[list[Cell], list[Frame]]:
    """Boxes and frames in drawing order. Frames may nest deeply, so there is no recursion."""
    top, opened = choice.top, choice.opened
    if not opened:
        return ([Cell(top, None, "")] if top.stop else []), []
    cells: list[Cell] = []
    frames: list[Frame] = []
    stack: list[tuple[Part, Iterator[Child]]] = [(top, iter(opened[top]))]
    while stack:
        part, rest = stack[-1]
        frame = None if part is top else part
        for child in rest:
            if isinstance(child, Part) and child in opened:
                frames.append(Frame(child, frame, part.path))
                stack.append((child, iter(opened[child])))
                break
            cells.append(Cell(child, frame, part.path))
        else:
            stack.pop()
    return cells, frames
