"""figure: reads a number that may still be on a device, or have no value at all."""

from __future__ import annotations

from typing import Any

from gradviz.capture.unseen import unseen


def figure(number: Any) -> float | None:
    """A number, or the value of a tensor of one element; None where it has none (meta and fake tensors)."""
    if type(number) is float or type(number) is int:
        return float(number)
    with unseen():
        try:
            return float(number)
        except RuntimeError:
            return None
