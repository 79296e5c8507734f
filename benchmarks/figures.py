"""What a measurement gives: spreads for the tables, and targets that hold or not."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """The median of several measurements, and their quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)

    @classmethod
    def of_ratios(cls, values: Sequence[float], references: Sequence[float]) -> Spread:
        """The spread of the ratios, each to the reference of the same round."""
        return cls.of([value / reference for value, reference in zip(values, references, strict=True)])

    def text(self, unit: str = "") -> str:
        """``13.3× (13.0 to 13.7)``; the same without quartiles where there was a single measurement."""
        alone = f"{_rounded(self.median)}{unit}"
        return alone if self.low == self.high else f"{alone} ({_rounded(self.low)} to {_rounded(self.high)})"


class Target(NamedTuple):
    """A figure that was aimed for, and the one that was measured."""

    what: str
    measured: float
    limit: float
    unit: str
    at_least: bool = False  # otherwise at most

    @property
    def holds(self) -> bool:
        """Whether the measured figure is on the right side of the limit."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


def _rounded(value: float) -> str:
    """Three digits that matter, never an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
