"""Origins: which of the user's lines, and which module, made a node, by its sequence number.

Autograd numbers the nodes of each thread in the order in which they are made. Rules: of several calls around a node the
innermost tells its line; what was made before the watch is unknown; so is what another thread numbered, never a wrong
line.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from gradviz.capture.calls import next_number
from gradviz.capture.code import UserCode
from gradviz.capture.walk import Walk, sequence_number
from gradviz.recording import Source

_LEAF = 2**64 - 1  # the number of every AccumulateGrad


class Origin(NamedTuple):
    """Where a node comes from. ``seen`` tells that ``module`` is exact: None is then outside of every module."""

    source: Source | None
    module: str | None
    seen: bool = False


_UNKNOWN = Origin(None, None)


class Origins:
    """The lines and modules of one watched thread, as intervals of sequence numbers.

    Attributes:
        classes: class names of the modules that ran, by path.
        mixed: whether a graph was met that several threads have built.
    """

    def __init__(self, code: UserCode) -> None:
        self._code = code
        self._begin: int | None = None  # number of the first node that is watched
        self._firsts: list[int] = []  # of disjoint intervals in rising order
        self._ends: list[int] = []
        self._sources: list[Source | None] = []
        self._applied: tuple[int, Source | None] | None = None  # a custom Function whose nodes are not counted yet
        self._changes: list[int] = []  # from this number on …
        self._modules: list[str | None] = []  # … this module ran
        self.classes: dict[str, str] = {}
        self.mixed = False

    def begin(self) -> None:
        """Nodes that are made from now on are seen."""
        self._begin = next_number()

    def made(self, first: int, end: int, source: Source | None) -> None:
        """A call made the nodes ``first`` to ``end - 1``; calls inside it have told theirs before."""
        if self._applied is not None:
            self._close(first)
        if first >= end:
            return
        firsts, ends, sources = self._firsts, self._ends, self._sources
        if not ends or ends[-1] <= first:
            if ends and ends[-1] == first and sources[-1] is source:
                ends[-1] = end
            else:
                firsts.append(first)
                ends.append(end)
                sources.append(source)
            return
        inner = bisect_right(ends, first)
        told = list(zip(firsts[inner:], ends[inner:], sources[inner:], strict=True))
        del firsts[inner:], ends[inner:], sources[inner:]
        for inner_first, inner_end, inner_source in told:  # what lies between them is the outer call's
            self.made(first, inner_first, source)
            self.made(inner_first, inner_end, inner_source)
            first = inner_end
        self.made(first, end, source)

    def applied(self, source: Source | None) -> None:
        """A custom Function makes its node next, and perhaps views of its results, of which no call tells."""
        first = next_number()
        if self._applied is not None:
            self._close(first)
        self._applied = first, source

    def entered(self, module: str | None) -> None:
        """From the next node on, this module runs; None for no module."""
        number, changes = next_number(), self._changes
        if changes and changes[-1] == number:
            self._modules[-1] = module
        else:
            changes.append(number)
            self._modules.append(module)

    def of(self, walk: Walk) -> list[Origin]:
        """Where each node of a walk comes from."""
        if self._applied is not None:
            self._close(next_number())
        numbers = [sequence_number(node) for node in walk.nodes]
        foreign = self._foreign(walk, numbers)
        self.mixed = self.mixed or foreign
        return [_UNKNOWN if foreign else self._of(number) for number in numbers]

    def _close(self, end: int) -> None:
        assert self._applied is not None
        first, source = self._applied
        self._applied = None
        self.made(first, end if end > first else first + 1, source)

    def _of(self, number: int) -> Origin:
        if self._begin is None or number < self._begin or number == _LEAF:
            return _UNKNOWN
        place = bisect_right(self._ends, number)
        inside = place < len(self._ends) and self._firsts[place] <= number
        change = bisect_right(self._changes, number) - 1
        return Origin(
            self._sources[place] if inside else None, self._modules[change] if change >= 0 else None, seen=True
        )

    def _foreign(self, walk: Walk, numbers: list[int]) -> bool:
        """Whether other threads numbered nodes too: a number that is not out yet, or not above that of a child."""
        coming = next_number()
        if any(coming <= number < _LEAF for number in numbers):
            return True
        for number, targets in zip(numbers, walk.targets, strict=True):
            for target in targets:
                if number <= numbers[target] < _LEAF and number != _LEAF:
                    return True
        return False
