"""Writes tables as columns of small integers, which compress well: texts and records are kept once and named by place.

A column holds the difference of each value to the one before, the first to 0: what grows evenly, or repeats, becomes a
few numbers over and over. -1 stands for None, so it may be no value of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import islice
from operator import sub
from typing import Any, TypeVar

from gradviz.view import escape
from gradviz.wording import visible

LONGEST = escape.TOOLTIP  # letters of a text; a longer one loses its middle, visibly

_Kept = TypeVar("_Kept", bound=Hashable)

Columns = dict[str, list[int]]


class Places(dict[_Kept, int]):
    """Distinct values in the order in which they came, with the place of each; asking for a new one adds it."""

    def __missing__(self, value: _Kept) -> int:
        self[value] = place = len(self)
        return place


class Texts(Places[str]):
    """Distinct texts, written so that they can be shown: see ``gradviz.wording.visible``."""

    def optional(self, text: str | None) -> int:
        """The place of a text, -1 for None."""
        return -1 if text is None else self[text]

    def visible(self) -> list[str]:
        """The texts by place, with hidden characters spelled out."""
        return [visible(text, LONGEST) for text in self]


def differences(values: Iterable[int]) -> list[int]:
    """Each value without the one before it, the first as it is; true counts as 1."""
    listed = [0, *values]
    return list(map(sub, islice(listed, 1, None), listed))


def columns(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Columns:
    """The columns of a table whose cells are integers, true or false."""
    turned = list(zip(*rows, strict=True)) or [() for _ in names]
    return {name: differences(values) for name, values in zip(names, turned, strict=True)}
