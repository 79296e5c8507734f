"""Following: finds the cut that a call makes, and marks what carries its value on.

All of it is called while the user's call is on the stack, with torch's function modes off.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from gradviz.capture.cutting.classify import Verdict, Verdicts, kind_of
from gradviz.capture.cutting.exits import Exits
from gradviz.capture.cutting.ledger import Ledger
from gradviz.capture.cutting.marks import Marks
from gradviz.capture.cutting.places import Places
from gradviz.capture.cutting.reach import Reach
from gradviz.capture.cutting.reading import Given, holds, read, values_in
from gradviz.capture.cutting.regions import Regions
from gradviz.capture.session import Session
from gradviz.capture.variables import is_tensor
from gradviz.capture.walk import sequence_number
from gradviz.recording.facts import CutKind

_EXPLICIT = ("rewrap", "copy")  # they end history with gradients on as well as off


class Following:
    """The values of one watch that lost their history."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.marks, self.reach, self.ledger = Marks(), Reach(), Ledger()
        self.regions, self.exits = Regions(session), Exits(session)
        self.constants: dict[int, int] = {}  # by number of a node: the bits of the constants that it was given
        self.verdicts, self.places = Verdicts(), Places(session.code)

    def flow(self, verdict: Verdict, args: tuple[Any, ...], kwargs: Mapping[str, Any], result: Any) -> None:
        """A call gave a tensor, or several."""
        given = read(args, kwargs, self.marks)
        if self.exits.open:
            given = given._replace(marked=given.marked | self._entered(verdict, args, kwargs))
        if not given.live and not given.marked:
            return
        for tensor in values_in((result,)):
            if is_tensor(tensor):
                bits = self._bits_of(verdict, given, tensor)
                if bits:
                    self.marks.add(tensor, bits)

    def written(self, function: Any, target: torch.Tensor, values: tuple[Any, ...]) -> None:
        """Values were written into a tensor: by an index, or as its data."""
        verdict = self.verdicts.of(function)
        given = read(values_in(values), {}, self.marks)
        bits = given.marked
        if given.live and (verdict.kind == "data" or not target.requires_grad or target.is_leaf):
            bits |= self._cut(verdict, kind_of(verdict, target), self._leaves(given.live))
        bits = self._foreign(bits, target)
        if bits:
            self.marks.add(target, bits)

    def detached(self, function: Any, tensor: torch.Tensor, leaves: int) -> None:
        """A tensor lost its own history, which led to these leaves."""
        verdict = self.verdicts.of(function)
        bits = self._cut(verdict, "detach", leaves)
        if bits:
            self.marks.add(tensor, bits)

    def wrapped(self, operation: str, value: Any, result: torch.Tensor, kind: CutKind = "rewrap") -> None:
        """A new tensor, without history, was made of other ones by a call that no function mode sees."""
        values = tuple(values_in((value,)))
        given = read(values, {}, self.marks)
        verdict = Verdict(operation, kind, values=True, entry=True)
        if self.exits.open:
            given = given._replace(marked=given.marked | self._entered(verdict, values, {}))
        if (given.live or given.marked) and not holds(given.live, result):
            bits = self._rewrapped(verdict, given)
            if bits:
                self.marks.add(result, bits)

    def left(self, kind: CutKind, function: Any, tensor: torch.Tensor, result: Any, *, returns: bool) -> None:
        """A tensor's value went to Python or numpy. ``returns`` tells that it may come back as numbers."""
        marked = self.marks.of(tensor)
        if not tensor.requires_grad and not (marked and returns):
            return
        place = self.places.find(sys._getframe(1))
        if place is None:
            return
        where = self._session.code.source(place.frame)
        site = self.ledger.site(kind, self.verdicts.of(function).name, where, None)
        site.times += 1
        site.listed |= place.direct and not self._session.running
        same, here = self.ledger.of_line(marked, where)
        if tensor.requires_grad:
            here |= self.reach.of(tensor)
        leaves = here | self.ledger.leaves(marked)
        if returns and leaves & ~self.ledger.trained:
            back = (marked & ~same) | (self.ledger.cut(site, here) if here else 0)
            self.exits.left(self.ledger.cut(site, leaves).bit_length() - 1, result, back, tensor)

    def _bits_of(self, verdict: Verdict, given: Given, tensor: torch.Tensor) -> int:
        """With what a result is to be marked."""
        if tensor.requires_grad and not tensor.is_leaf:
            if given.constant:
                self._constant(given.constant, tensor)
            return given.marked
        sources = [one for one in given.live if one is not tensor] if verdict.cuts else []
        if verdict.kind == "rewrap":
            return 0 if holds(given.live, tensor) else self._rewrapped(verdict, given)
        bits = given.marked
        if sources:
            bits |= self._cut(verdict, kind_of(verdict, tensor), self._leaves(sources))
        return self._foreign(bits, tensor)

    def _rewrapped(self, verdict: Verdict, given: Given) -> int:
        """A new wrapping takes the place of the detach in its line."""
        place = self.places.find(sys._getframe(1))
        where = None if place is None else self._session.code.source(place.frame)
        same, leaves = self.ledger.of_line(given.marked, where)
        leaves |= self._leaves(given.live)
        return (given.marked & ~same) | (self._cut(verdict, verdict.kind or "rewrap", leaves) if leaves else 0)

    def _foreign(self, bits: int, tensor: torch.Tensor) -> int:
        """Without what a leaf that is updated has of itself."""
        if bits and tensor.requires_grad and tensor.is_leaf:
            bits &= ~self.ledger.only(bits, self.reach.leaf(tensor))
        return bits

    def _leaves(self, tensors: Iterable[torch.Tensor]) -> int:
        leaves = 0
        for tensor in tensors:
            leaves |= self.reach.of(tensor)
        return leaves

    def _cut(self, verdict: Verdict, kind: CutKind, leaves: int) -> int:
        """A cut was made: the bit to mark with, 0 where nothing is to be followed."""
        place = self.places.find(sys._getframe(1))
        follow = bool(leaves & ~self.ledger.trained)
        if place is None or not (follow or place.direct):
            return 0
        region = None if kind in _EXPLICIT else self.regions.current()
        where, opened, operation = self._session.code.source(place.frame), None, verdict.name
        if region is not None:
            kind, opened = region.kind or kind, region.opened
            if kind == "checkpoint":
                where, opened, operation = opened, None, kind
        site = self.ledger.site(kind, operation, where, opened)
        site.count(operation, 0 if region is None else region.number)
        site.listed |= place.direct and not self._session.running
        return self.ledger.cut(site, leaves) if follow else 0

    def _entered(self, verdict: Verdict, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int:
        """The bits of values that came from Python or numpy."""
        known, unknown = self.exits.read((*args, *kwargs.values()), whole=verdict.entry)
        if unknown:
            place = self.places.find(sys._getframe(1))
            if place is not None and place.frame is not None:
                constants = place.frame.f_code.co_consts
                for floating in {floats for value, floats in unknown if not any(value is one for one in constants)}:
                    exits = self.exits.candidates(floating)
                    if exits:
                        known |= self.ledger.entry(self._session.code.source(place.frame), exits)
        return known

    def _constant(self, bits: int, result: torch.Tensor) -> None:
        """The node that was just made may have a dead end where a marked value came in."""
        node = result.grad_fn
        if node is not None and any(child is None for child, _ in node.next_functions):
            number = sequence_number(node)
            self.constants[number] = self.constants.get(number, 0) | bits
