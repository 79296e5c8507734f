"""What a builder of the zoo gives: outputs to trace, with what a test has to know about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn


class Sample(NamedTuple):
    """Freshly built outputs of one kind of graph.

    ``roots`` are the tensors and GradientEdges in ``outputs``, in the order in which they must be found (by default
    ``outputs`` itself is the only one). ``model`` is what trace is given beside them. ``calls`` counts runs of user
    code that a trace must not cause. ``runnable`` says whether a backward can be run.
    """

    outputs: Any
    roots: tuple[Any, ...] = ()
    model: nn.Module | None = None
    calls: list[str] = []  # noqa: RUF012  (never changed where it is the default)
    runnable: bool = True

    @property
    def root_list(self) -> tuple[Any, ...]:
        return self.roots or (self.outputs,)


Builder = Callable[[], Sample]


def leaf(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, requires_grad=True)


def linear(inputs: int = 4, outputs: int = 3) -> nn.Linear:
    return nn.Linear(inputs, outputs)


def built(build: Builder, seed: int = 0) -> Sample:
    """Build with a seed, so that a second one is equal."""
    torch.manual_seed(seed)
    return build()
