"""Magnitudes: measures tensors where they are, and brings the figures over with one synchronisation per device."""

from __future__ import annotations

import torch

from gradviz.recording import Magnitude


class Magnitudes:
    """Tensors are put in one by one, and read all at once. No tensor that was put in is held.

    (Being written: this one reads at once.)
    """

    def __init__(self) -> None:
        self._found: list[Magnitude | None] = []

    def put(self, tensor: torch.Tensor | None, *, full: bool = False) -> int:
        """Measure a tensor; the number under which ``self[number]`` has its size once it was read."""
        if tensor is None:
            self._found.append(None)
        else:
            self._found.append(Magnitude(float(torch.linalg.vector_norm(tensor.detach().double()))))
        return len(self._found) - 1

    def read(self) -> None:
        """Bring all figures over."""

    def __getitem__(self, number: int) -> Magnitude | None:
        return self._found[number]
