"""Marks: which tensors carry values that lost their history, and at which cuts, as the bits of one number.

A tensor is known by its id for as long as it lives, and is not kept alive.
"""

from __future__ import annotations

import weakref

import torch


class Marks:
    """Bits by tensor; ``table`` is empty where nothing is marked, which costs least to ask."""

    def __init__(self) -> None:
        self.table: dict[int, tuple[weakref.ref[torch.Tensor], int]] = {}

    def of(self, tensor: torch.Tensor) -> int:
        """The bits of a tensor, 0 where it has none."""
        found = self.table.get(id(tensor))
        return 0 if found is None else found[1]

    def add(self, tensor: torch.Tensor, bits: int) -> None:
        """Mark a tensor; what is written into a view reaches its base."""
        self._add(tensor, bits)
        if tensor._is_view() and (base := tensor._base) is not None:
            self._add(base, bits)

    def keep(self, useful: int) -> None:
        """Forget all other bits."""
        for key, (reference, bits) in list(self.table.items()):
            if bits & useful:
                self.table[key] = reference, bits & useful
            else:
                del self.table[key]

    def _add(self, tensor: torch.Tensor, bits: int) -> None:
        table, key = self.table, id(tensor)
        found = table.get(key)
        if found is not None:
            table[key] = found[0], found[1] | bits
            return

        def gone(reference: weakref.ref[torch.Tensor]) -> None:
            current = table.get(key)
            if current is not None and current[0] is reference:
                del table[key]

        table[key] = weakref.ref(tensor, gone), bits
