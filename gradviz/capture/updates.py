"""Update: how far one optimizer step moves each parameter, measured without a copy of the model.

Parameters of up to 16,384 elements are copied before the step. Of larger ones about 4,096 evenly spaced elements are,
and what they tell is scaled up. Figures stay on their device until ``read`` brings them over, all at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from gradviz.capture.figures import figure
from gradviz.capture.magnitudes import Magnitudes
from gradviz.capture.unseen import unseen
from gradviz.recording import ParameterUpdate

_EXACT = 16_384
_SAMPLE = 4_096


class _Moved(NamedTuple):
    """The same elements before and after; their norm times ``scaling`` is that of the whole."""

    old: Tensor
    new: Tensor
    scaling: float


class _Before(NamedTuple):
    """A parameter while the step runs."""

    parameter: Tensor
    name: str
    lr: float | Tensor | None
    gradient: int  # ticket of its size
    old: Tensor | None
    spacing: int

    def moved(self) -> _Moved | None:
        """Where it is now; None where that cannot be compared."""
        old = self.old
        if old is None or (new := _elements(self.parameter, self.spacing)).shape != old.shape:
            return None
        return _Moved(old, new, 1.0 if self.spacing == 1 else (self.parameter.numel() / old.numel()) ** 0.5)


class _After(NamedTuple):
    """Tickets of its sizes."""

    name: str
    lr: float | Tensor | None
    gradient: int
    change: int
    size: int
    scaling: float


class Update:
    """One step of one optimizer.

    Args:
        optimizer: it is about to step.
        name: tells what a parameter is called.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, name: Callable[[Tensor], str]) -> None:
        self._sizes = Magnitudes()
        self._after: list[_After] = []
        self._told: tuple[ParameterUpdate, ...] | None = None
        scale = getattr(optimizer, "grad_scale", None)  # set by a GradScaler for a step that unscales by itself
        self._scale = scale.detach().clone() if isinstance(scale, Tensor) else None
        held = [(parameter, group.get("lr")) for group in optimizer.param_groups for parameter in group["params"]]
        measured = not _captured(held[0][0]) if held else False
        with unseen():
            gradients = [p.grad if measured and _is_measurable(p) else None for p, _ in held]
            tickets = self._sizes.put_all(gradients)
            self._before = [
                _begin(parameter, name(parameter), lr, ticket, measured)
                for (parameter, lr), ticket in zip(held, tickets, strict=True)
            ]

    def end(self) -> None:
        """The step has ended: measure, and let the parameters go."""
        with unseen():
            moved = [before.moved() for before in self._before]
            sizes = self._sizes.put_all([None if one is None else one.old for one in moved])
            changes = self._sizes.put_all([None if one is None else one.old.sub_(one.new) for one in moved])
        self._after = [
            _After(before.name, before.lr, before.gradient, change, size, 1.0 if one is None else one.scaling)
            for before, one, change, size in zip(self._before, moved, changes, sizes, strict=True)
        ]
        self._before = []

    def read(self) -> tuple[ParameterUpdate, ...]:
        """What the step did to each parameter."""
        if self._told is None:
            self._sizes.read()
            scale = 1.0 if self._scale is None else figure(self._scale)
            self._told = tuple(self._tell(after, scale) for after in self._after)
            self._after, self._sizes = [], Magnitudes()
        return self._told

    def _tell(self, after: _After, scale: float | None) -> ParameterUpdate:
        gradient, change, size = (self._norm(ticket) for ticket in (after.gradient, after.change, after.size))
        return ParameterUpdate(
            after.name,
            None if after.lr is None else figure(after.lr),
            None if gradient is None or scale is None else gradient / scale,
            None if change is None else change * after.scaling,
            None if size is None else size * after.scaling,
            after.scaling != 1.0,
        )

    def _norm(self, ticket: int) -> float | None:
        found = self._sizes[ticket]
        return None if found is None else found.norm


def _begin(parameter: Tensor, name: str, lr: float | Tensor | None, gradient: int, measured: bool) -> _Before:
    rate = lr.detach().clone() if isinstance(lr, Tensor) else lr
    if not measured or not _is_measurable(parameter):
        return _Before(parameter, name, rate, gradient, None, 1)
    count = parameter.numel()
    spacing = 1 if count <= _EXACT else (count // _SAMPLE) | 1  # odd: it does not meet one column of 2**n again
    return _Before(parameter, name, rate, gradient, _elements(parameter, spacing).clone(), spacing)


def _elements(tensor: Tensor, spacing: int) -> Tensor:
    """All elements, or evenly spaced ones in the order of memory: those are a view, however the tensor is laid out."""
    tensor = tensor.detach()
    if spacing == 1:
        return tensor
    count = tensor.numel()
    span = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)) + 1
    if span != count:  # there are gaps
        return tensor.flatten()[::spacing]
    return tensor.as_strided(((count - 1) // spacing + 1,), (spacing,), tensor.storage_offset())


def _is_measurable(tensor: Tensor) -> bool:
    """Not where it would communicate (DTensor), has no values (meta), or is no plain block of memory."""
    plain = tensor.layout == torch.strided and not tensor.is_nested and tensor.device.type != "meta"
    return plain and not is_traceable_wrapper_subclass(tensor)


def _captured(tensor: Tensor) -> bool:
    """Whether the step goes into a CUDA graph, where nothing of ours may be added."""
    return tensor.is_cuda and torch.cuda.is_current_stream_capturing()
