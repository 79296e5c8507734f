"""Ledger: the cuts of a watch, and what they turn out to have severed.

A cut is counted once per line (``Site``). How far it reaches differs from call to call: each reach that a line has had
is one bit of the marks (``_Reached``), so that a helper called for two networks is not blamed for both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gradviz.capture.cutting.reach import bits
from gradviz.recording import Cut, Source
from gradviz.recording.facts import CutKind

# Inside one line the way out of torch is the cause, before a new wrapping, before the detach that they need.
_EXITS = ("to_numpy", "to_python")
_RANKS: dict[CutKind, int] = {"to_numpy": 0, "to_python": 0, "rewrap": 1}  # others 2
_UNLESS_BROKEN = ("checkpoint", "custom_function")  # their own backward leads on


@dataclass(eq=False)
class Site:
    """One line that cut."""

    kind: CutKind
    operation: str
    where: Source | None
    opened: Source | None
    times: int = 0
    listed: bool = False
    backward: int | None = None
    severs: bool = False
    severed: dict[int, None] = field(default_factory=dict)  # numbers of leaves
    suspected: dict[int, None] = field(default_factory=dict)
    entered: Source | None = None
    severed_from: dict[str, None] = field(default_factory=dict)
    region: int = 0

    def count(self, operation: str, region: int) -> None:
        """It cut; what stands in one region without gradients (its number, 0 where there is none) counts once."""
        if (region and region != self.region) or (not region and operation == self.operation):
            self.times += 1
        self.region = region


@dataclass
class _Reached:
    site: Site
    leaves: int
    when: int


class _Entry(NamedTuple):
    """A value of unknown origin came in; ``exits`` may be where it left, the nearest first."""

    where: Source | None
    exits: tuple[int, ...]


class Ledger:
    """All cuts of a watch."""

    def __init__(self) -> None:
        self._sites: dict[object, Site] = {}
        self._bits: list[_Reached | _Entry] = []
        self._numbers: dict[object, int] = {}
        self._time = 0
        self.trained = 0  # leaves that some backward reached

    def site(self, kind: CutKind, operation: str, where: Source | None, opened: Source | None) -> Site:
        """The line's site; operations in one region without gradients count as one."""
        key = (kind, where, opened) if opened is not None else (kind, where, operation)
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(kind, operation, where, opened)
        return site

    def cut(self, site: Site, leaves: int) -> int:
        """The site has cut off these leaves: the bit to mark with."""
        self._time += 1
        key = site, leaves
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._bits)
            self._bits.append(_Reached(site, leaves, self._time))
        else:
            reached = self._bits[number]
            assert isinstance(reached, _Reached)
            reached.when = self._time
        return 1 << number

    def entry(self, where: Source | None, exits: tuple[int, ...]) -> int:
        """A value of unknown origin came in: the bit to mark with."""
        key = where, exits
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._bits)
            self._bits.append(_Entry(where, exits))
        return 1 << number

    def of_line(self, marked: int, where: Source | None) -> tuple[int, int]:
        """Of some bits, those of cuts in this line that are not exits, and the leaves of them."""
        found = self._select(marked, lambda it: it.site.where == where and it.site.kind not in _EXITS)
        return found, self.leaves(found)

    def leaves(self, marked: int) -> int:
        """The leaves that these bits cut off."""
        leaves = 0
        for number in bits(marked):
            if isinstance(reached := self._bits[number], _Reached):
                leaves |= reached.leaves
        return leaves

    def only(self, marked: int, leaf: int) -> int:
        """Of some bits, those that cut off nothing but this leaf."""
        return self._select(marked, lambda reached: reached.leaves == leaf)

    def of_kind(self, kind: CutKind) -> int:
        """All bits of one kind of cut."""
        return self._select((1 << len(self._bits)) - 1, lambda reached: reached.site.kind == kind)

    def useful(self) -> int:
        """The bits that may yet sever something."""
        useful = 0
        for number, bit in enumerate(self._bits):
            if isinstance(bit, _Reached):
                useful |= bool(bit.leaves & ~self.trained) << number
            elif any(useful >> one & 1 for one in bit.exits):
                useful |= 1 << number
        return useful

    def judge(self, marked: int, missing: int, backward: int | None) -> int:
        """Values with these marks reached a backward that does not reach the ``missing`` leaves.

        Every cut was made where a way to its leaves was still there. So the last one is the one after which no way
        remains. Returns the bits that severed something.
        """
        severing = 0
        for number, reached in self._latest_first(marked):
            site = reached.site
            site.listed = True
            mine = reached.leaves & missing
            missing &= ~mine
            if site.backward is None or (mine and not site.severs):
                site.backward = backward
            site.severs |= bool(mine)
            site.severed |= dict.fromkeys(bits(mine))
            severing |= bool(mine) << number
        for number in bits(marked):
            entry = self._bits[number]
            if isinstance(entry, _Entry):
                missing &= ~self._suspect(entry, missing, backward)
        return severing

    def blame(self, severing: int, node: str) -> None:
        """A node of the graph got the value of these cuts as a constant."""
        for number in bits(severing):
            reached = self._bits[number]
            assert isinstance(reached, _Reached)
            reached.site.severed_from[node] = None

    def told(self, names: dict[int, str]) -> tuple[Cut, ...]:
        """The cuts, in the order in which their lines were first met. What trained was not severed.

        ``names`` are the names of leaves by number, in the order in which they are to be told.
        """
        severed = {leaf for site in self._sites.values() for leaf in site.severed}
        return tuple(cut for site in self._sites.values() if (cut := self._cut(site, severed, names)) is not None)

    def named(self) -> set[int]:
        """The numbers of the leaves that the cuts speak of."""
        return {leaf for site in self._sites.values() for leaf in (*site.severed, *site.suspected)}

    def _cut(self, site: Site, severed: set[int], names: dict[int, str]) -> Cut | None:
        def lost(leaves: dict[int, None], without: set[int]) -> tuple[str, ...]:
            kept = {leaf for leaf in leaves if not self.trained >> leaf & 1 and leaf not in without}
            return tuple(dict.fromkeys(name for leaf, name in names.items() if leaf in kept))

        severs, suspects = lost(site.severed, set()), lost(site.suspected, severed)
        listed = site.listed and site.kind not in _UNLESS_BROKEN
        if not (listed or severs or suspects):
            return None
        return Cut(
            site.kind,
            site.operation,
            site.where,
            site.opened,
            site.backward,
            severs,
            suspects,
            site.entered if suspects else None,
            tuple(site.severed_from) if severs else (),
            site.times,
        )

    def _select(self, marked: int, wanted: Callable[[_Reached], bool]) -> int:
        selected = 0
        for number in bits(marked):
            if isinstance(reached := self._bits[number], _Reached) and wanted(reached):
                selected |= 1 << number
        return selected

    def _latest_first(self, marked: int) -> Iterator[tuple[int, _Reached]]:
        found = [(number, bit) for number in bits(marked) if isinstance(bit := self._bits[number], _Reached)]
        line: dict[Source | None, int] = {}
        for _, reached in found:
            line[reached.site.where] = max(line.get(reached.site.where, 0), reached.when)
        found.sort(key=lambda one: (-line[one[1].site.where], _RANKS.get(one[1].site.kind, 2), -one[1].when))
        yield from found

    def _suspect(self, entry: _Entry, missing: int, backward: int | None) -> int:
        """Which of the missing leaves may have been lost where a value left torch before this entry."""
        suspected = 0
        for number in entry.exits:
            reached = self._bits[number]
            assert isinstance(reached, _Reached)
            mine = reached.leaves & missing & ~suspected
            if mine:
                site = reached.site
                site.suspected |= dict.fromkeys(bits(mine))
                site.entered = site.entered or entry.where
                site.backward = backward if site.backward is None else site.backward
                suspected |= mine
        return suspected
