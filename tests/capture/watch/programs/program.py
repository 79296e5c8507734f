"""Program: one small training program; each differs from the others in what it asks of autograd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torch import Tensor, nn


class Program(NamedTuple):
    """``step`` makes one training step and returns what the user would print; ``given`` is passed to the watch."""

    step: Callable[[], Any]
    given: tuple[Any, ...]
    state: Callable[[], Any] = lambda: None  # what else is compared


def simple(
    model: nn.Module, optimizer: Any, inputs: Callable[[], Tensor], loss_of: Callable[[Any], Tensor] | None = None
) -> Program:
    def step() -> Tensor:
        optimizer.zero_grad()
        output = model(inputs())
        loss = output.square().mean() if loss_of is None else loss_of(output)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))
