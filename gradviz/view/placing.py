"""What is open -> cells and frames: which box each position of the tape is drawn in, and in which rounds of repeats it lies."""

from __future__ import annotations

from typing import NamedTuple

from gradviz.view.fold_argument import Choice
from gradviz.view.part import Child, Part


class Cell(NamedTuple):
    """A box to be drawn: an operation or a closed part, in the frame of ``frame`` (None: no frame)."""

    child: Child
    frame: Part | None


class Placing(NamedTuple):
    """Where everything is drawn.

    Args:
        cells: the boxes of operations and closed parts, in drawing order.
        frames: the open parts but for the top, each with the one around it, parents first.
        cell_of: for each position, the place of its cell in ``cells``.
        positions: for each cell, the positions that it stands for, the drawn round's first.
        rounds: tells rounds of open repeats apart.
        times: by open part, how many rounds everything in its frame stands for.
    """

    cells: list[Cell]
    frames: list[tuple[Part, Part]]
    cell_of: list[int]
    positions: list[list[int]]
    rounds: Rounds
    times: dict[Part, int]


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
    for number, (child, _) in enumerate(cells):
        if isinstance(child, Part):
            cell_of[child.start : child.stop] = [number] * (child.stop - child.start)
        else:
            cell_of[child] = number
    times = {choice.top: 1} if choice.opened else {}
    level = dict.fromkeys(times, 0)
    repeats: list[tuple[Part, int]] = []
    for part, around in frames:
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


def _walk(choice: Choice) -> tuple[list[Cell], list[tuple[Part, Part]]]:
    """Boxes and frames in drawing order. Frames may nest deeply, so there is no recursion."""
    if not choice.opened:
        return ([Cell(choice.top, None)] if choice.top.stop else []), []
    cells: list[Cell] = []
    frames: list[tuple[Part, Part]] = []
    stack = [(choice.top, iter(choice.opened[choice.top]))]
    while stack:
        part, rest = stack[-1]
        for child in rest:
            if isinstance(child, Part) and child in choice.opened:
                frames.append((child, part))
                stack.append((child, iter(choice.opened[child])))
                break
            cells.append(Cell(child, part))
        else:
            stack.pop()
    return cells, frames
