"""Finds stretches of a sequence that repeat: blocks of a model, the steps of an unrolled loop.

Deterministic and close to linear: at each place only a few periods are tried (the distances to the next places that
look alike), how far a period holds is compared in large chunks and remembered, and the longest stretch wins, the
shorter period where two are equally long.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

MOST_PERIODS = 32  # tried at one place
LONG = 2_000  # a longer sequence is searched by sixteen tokens at once: single ones are found too often


class Run(NamedTuple):
    """``rounds`` equal stretches of ``period`` items each, the first of them at ``start``."""

    start: int
    period: int
    rounds: int


def tandem_repeats(tokens: Sequence[int], accept: Callable[[Run], int]) -> list[Run]:
    """The runs of equal consecutive stretches in ``tokens``, from left to right, none overlapping another.

    Args:
        tokens: equal numbers stand for equal items.
        accept: says how many rounds of a run may be folded, 0 for none.
    """
    following = _following(tokens)
    holds = _Holds(tokens)
    runs: list[Run] = []
    start = 0
    while start < len(tokens):
        for run in _runs_at(start, following, holds):
            rounds = accept(run)
            if rounds:
                runs.append(run._replace(rounds=rounds))
                start += run.period * rounds
                break
        else:
            start += 1
    return runs


def _runs_at(start: int, following: list[int], holds: _Holds) -> list[Run]:
    """The runs that begin here, the longest first."""
    size, found = len(following), []
    other = following[start]
    for _ in range(MOST_PERIODS):
        period = other - start
        if start + 2 * period > size:
            break
        length = holds.until(start, period) - start
        if length >= period:
            found.append(Run(start, period, length // period + 1))
            if length + 2 * period > size - start:  # it reaches the end: no other can be longer
                break
        other = following[other]
    if len(found) > 1:
        found.sort(key=lambda run: (-run.period * run.rounds, run.period))
    return found


def _following(tokens: Sequence[int]) -> list[int]:
    """For each place, the next one that looks alike; the length of the sequence where there is none."""
    size = len(tokens)
    following = [size] * size
    latest: dict[int, int] = {}
    seen = tokens if size <= LONG else _windows(_windows(tokens, 1), 4)
    for place in range(len(seen) - 1, -1, -1):
        following[place] = latest.get(seen[place], size)
        latest[seen[place]] = place
    return following


def _windows(tokens: Sequence[int], step: int) -> list[int]:
    """For each place, a number for the four tokens at it and one, two and three steps further on."""
    numbers: dict[tuple[int, int, int, int], int] = {}
    shifted = (tokens[place * step :] for place in range(4))
    return [numbers.setdefault(window, len(numbers)) for window in zip(*shifted, strict=False)]


class _Holds:
    """How far each period holds. It is asked from left to right: answers are kept, each stretch is compared once."""

    def __init__(self, tokens: Sequence[int]) -> None:
        packed = array("q", tokens)
        self._data = packed.tobytes()
        self._width = packed.itemsize
        self._size = len(tokens)
        self._until: dict[int, int] = {}

    def until(self, start: int, period: int) -> int:
        """The first place from ``start`` on that differs from the one a period later, or has none."""
        known = self._until.get(period, -1)
        if known <= start:
            known = self._until[period] = self._compare(start, period)
        return known

    def _compare(self, start: int, period: int) -> int:
        data, width = self._data, self._width
        end = self._size - period
        step = 8
        while start < end:
            step = min(step, end - start)
            here, there = start * width, (start + period) * width
            if data[here : here + step * width] == data[there : there + step * width]:
                start += step
                step *= 2
            elif step == 1:
                break
            else:
                end = start + step  # the difference lies within what was compared
                step //= 2
        return start
