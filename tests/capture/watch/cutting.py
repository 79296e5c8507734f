"""Runs small programs in a watch and tells their cuts; lines are told by a comment in the program."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

import gradviz
from gradviz.recording import Cut, Recording


class Two(nn.Module):
    """A value goes from one layer to the next through a function."""

    def __init__(self, between: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 1)
        self.between = between

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.between(self.first(x))).sum()


FIRST = ("first.weight", "first.bias")


def cuts_through(between: Callable[[Tensor], Tensor]) -> tuple[Cut, ...]:
    """The cuts of a step of ``Two``."""
    model = Two(between)
    return cuts_of(lambda: model(torch.ones(3, 2)).backward(), model)


def cuts_of(program: Callable[[], Any], *given: Any, names: Any = None) -> tuple[Cut, ...]:
    """The cuts of a program; an error that it raises is swallowed."""
    return recording_of(program, *given, names=names).cuts


def recording_of(program: Callable[[], Any], *given: Any, names: Any = None) -> Recording:
    """What a watch saw of a program."""
    try:
        with gradviz.watch(*given, names=names, steps=None) as watched:
            program()
    except RuntimeError:
        pass
    assert watched.recording is not None
    return watched.recording


def severing(cuts: tuple[Cut, ...]) -> list[Cut]:
    """Those that severed something."""
    return [cut for cut in cuts if cut.severed]


def line(program: Callable[..., Any], comment: str) -> int:
    """The number of the line that ends with this comment."""
    lines, first = inspect.getsourcelines(program)
    (place,) = [number for number, text in enumerate(lines, first) if text.rstrip().endswith(f"# {comment}")]
    return place
