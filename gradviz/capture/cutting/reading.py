"""Which tensors a call of torch was given, and which it gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import torch

from gradviz.capture.cutting.marks import Marks
from gradviz.capture.variables import is_tensor


class Given(NamedTuple):
    """``live`` are the tensors with history, ``marked`` the bits of all, ``constant`` those of tensors without."""

    live: list[torch.Tensor]
    marked: int
    constant: int


def values_in(values: Iterable[Any]) -> Iterator[Any]:
    """The values, and the entries of those that are lists or tuples."""
    for value in values:
        if issubclass(type(value), list | tuple):
            yield from value
        else:
            yield value


def read(args: Iterable[Any], kwargs: Mapping[str, Any], marks: Marks) -> Given:
    """What a call was given."""
    live: list[torch.Tensor] = []
    marked = constant = 0
    for value in values_in((*args, *kwargs.values()) if kwargs else args):
        if not is_tensor(value):
            continue
        bits = marks.of(value)
        marked |= bits
        if value.requires_grad:
            live.append(value)
        else:
            constant |= bits
    return Given(live, marked, constant)


def holds(tensors: list[torch.Tensor], tensor: torch.Tensor) -> bool:
    """Whether this very tensor is among them."""
    return any(one is tensor for one in tensors)
