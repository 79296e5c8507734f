"""Exits: values of tensors that went to Python or numpy, and whether what comes back is one of them.

Proven is only identity: the very float object that ``item()`` gave, an array over the tensor's own memory. Everything
else that comes in after an exit is of unknown origin. Rules: floats are held, until the next optimizer step; arrays are
not.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from gradviz.capture.session import Session

_MOST_NUMBERS = 1000  # of one value, and 100 times as many in all


class Exits:
    """What left torch since the last optimizer step.

    Attributes:
        open: exits that may explain a value of unknown origin: number of the cut, and whether its values are floats.
    """

    def __init__(self, session: Session) -> None:
        self._session, self._step = session, session.step
        self.open: dict[tuple[int, bool], None] = {}  # the nearest last
        self._floats: dict[int, tuple[float, int]] = {}
        self._arrays: list[tuple[weakref.ref[Any], int, int, int]] = []

    def keep(self, useful: int) -> None:
        """Of the cuts, only these can still matter."""
        for key in [key for key in self.open if not useful >> key[0] & 1]:
            del self.open[key]

    def left(self, cut: int, value: Any, bits: int, tensor: torch.Tensor) -> None:
        """A value of a tensor left at a cut; ``bits`` is what is marked with if it comes back."""
        self._renew()
        floating = tensor.dtype.is_floating_point
        self.open.pop((cut, floating), None)
        self.open[cut, floating] = None
        if is_array(value):
            first = _address(value)
            last = first + max(value.nbytes, 1)
            storage = tensor.untyped_storage()
            if storage.data_ptr() <= first < storage.data_ptr() + storage.nbytes():
                first, last = storage.data_ptr(), storage.data_ptr() + storage.nbytes()
            self._drop_dead()
            self._arrays.append((weakref.ref(value), first, last, bits))
        elif len(self._floats) < 100 * _MOST_NUMBERS:
            for number in numbers_in(value):
                self._floats[id(number)] = number, self._of_numbers((number,)) | bits

    def read(self, values: Iterable[Any], *, whole: bool) -> tuple[int, list[tuple[Any, bool]]]:
        """The bits of values that left before, and the values of unknown origin, with whether they are floats.

        ``whole`` tells that lists and integers count too: they become a tensor.
        """
        self._renew()
        known, unknown = 0, list[tuple[Any, bool]]()
        for value in values:
            if is_array(value):
                bits, floats = self._of_array(value), value.dtype.kind in "fc"
            elif type(value) is float or (whole and type(value) in (list, tuple, int)):
                numbers = list(numbers_in(value))
                bits, floats = self._of_numbers(numbers), bool(numbers)
            else:
                continue
            known |= bits
            if not bits:
                unknown.append((value, floats))
        return known, unknown

    def candidates(self, floating: bool) -> tuple[int, ...]:
        """The cuts at which a value of this kind may have left, the nearest first."""
        return tuple(cut for cut, floats in reversed(self.open) if floats == floating)

    def _renew(self) -> None:
        if self._session.step != self._step:  # an optimizer has stepped
            self._step = self._session.step
            self.open.clear()
            self._floats.clear()
            self._drop_dead()

    def _drop_dead(self) -> None:
        self._arrays = [entry for entry in self._arrays if entry[0]() is not None]

    def _of_numbers(self, numbers: Iterable[float]) -> int:
        bits = 0
        for number in numbers:
            if id(number) in self._floats:
                bits |= self._floats[id(number)][1]
        return bits

    def _of_array(self, array: Any) -> int:
        bits, address = 0, _address(array)
        for reference, first, last, marked in self._arrays:
            if first <= address < last and reference() is not None:
                bits |= marked
        return bits


def numbers_in(value: Any) -> Iterator[float]:
    """The floats of a number or of nested lists."""
    stack, left = [value], _MOST_NUMBERS
    while stack and left:
        left -= 1
        one = stack.pop()
        if type(one) is float:
            yield one
        elif type(one) in (list, tuple):
            stack.extend(one[:_MOST_NUMBERS])


def is_array(value: Any) -> bool:
    """Whether it is an array of numpy, which need not be there."""
    return type(value).__module__ == "numpy" and hasattr(value, "__array_interface__") and hasattr(value, "nbytes")


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
