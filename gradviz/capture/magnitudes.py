"""Magnitudes: measures tensors where they are, and brings the figures over with one synchronisation per device.

Rules: no tensor that was put in is held, only figures of one element. A norm is 0.0 only where every element is zero,
and not finite only where an element is not. On a CPU a figure can be read at once, so a norm that came near the ends
of its range is measured again in float64; on other devices, where looking would make the program wait, all are measured
in float64 (float64 itself, and where there is none, after a division by the largest element). Under vmap the whole
batch is measured. What has no values, or refuses, has no size.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import torch
from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack
from torch.utils._python_dispatch import _disable_current_modes

from gradviz.capture.measuring import Figures, flat, read, start, told
from gradviz.capture.unseen import unseen
from gradviz.recording import Magnitude

_norm = torch.linalg.vector_norm
_without_functions = torch._C.DisableTorchFunction
_modes = torch._C._len_torch_dispatch_stack
_transforms = torch._C._functorch.peek_interpreter_stack  # inside torch.func.grad a norm would get a history
_PLAIN = frozenset((torch.Tensor, torch.nn.Parameter))
# Above these a norm has lost nothing to elements whose squares are too small for the dtype.
_SAFE = {torch.float32: 1e-13, torch.float64: 1e-140}


class Magnitudes:
    """Tensors are put in one by one, from any thread, and read all at once.

    Attributes:
        refused: names of the types of tensors that could not be measured.
    """

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self._tickets = itertools.count()
        self._found: dict[int, float | Magnitude | None] = {}
        self._waiting: dict[int, Figures] = {}
        self._divisor = 1.0

    def put(self, tensor: torch.Tensor | None, *, full: bool = False) -> int:
        """Measure a tensor; ``self[ticket]`` is its size once it was read. ``full`` measures more than the norm."""
        ticket = next(self._tickets)
        if tensor is None:
            self._found[ticket] = None
            return ticket
        with _without_functions():
            if not full and _is_plain(tensor):
                try:
                    norm = _norm(tensor.detach() if tensor.requires_grad else tensor).item()
                except RuntimeError:  # it is sparse, nested, or batched
                    norm = 0.0
                if _SAFE[tensor.dtype] < norm < math.inf:
                    self._found[ticket] = norm
                    return ticket
            self._put(ticket, tensor, full)
        return ticket

    def put_all(self, tensors: Sequence[torch.Tensor | None]) -> list[int]:
        """Measure the norms of many tensors that are there at once: those on a CPU in one call."""
        with unseen():
            quick = [(place, one) for place, one in enumerate(tensors) if one is not None and _is_quick(one)]
            norms = torch.stack(torch._foreach_norm([one for _, one in quick])).tolist() if quick else []
        known = {
            place: norm for (place, one), norm in zip(quick, norms, strict=True) if _SAFE[one.dtype] < norm < math.inf
        }
        tickets = []
        for place, tensor in enumerate(tensors):
            if place in known:
                ticket = next(self._tickets)
                self._found[ticket] = known[place]
            else:
                ticket = self.put(tensor)
            tickets.append(ticket)
        return tickets

    def read(self, divisor: float = 1.0) -> None:
        """Bring all figures over; all sizes are divided by ``divisor``."""
        self._divisor = divisor
        devices: dict[torch.device, list[int]] = {}
        for ticket, figures in self._waiting.items():
            devices.setdefault(figures.norm.device, []).append(ticket)
        with _without_functions():
            for device, tickets in devices.items():
                waiting = [self._waiting[ticket] for ticket in tickets]
                try:
                    self._found.update(zip(tickets, read(device, waiting), strict=True))
                except RuntimeError:  # an error of the device, which its next user will meet as well
                    self.refused.add(str(device))
        self._waiting.clear()

    def __getitem__(self, ticket: int) -> Magnitude | None:
        found = self._found.get(ticket)
        if found is None:
            return None
        size = Magnitude(found) if type(found) is float else found
        assert isinstance(size, Magnitude)
        if self._divisor == 1.0:
            return size
        largest = None if size.largest is None else size.largest / self._divisor
        return size._replace(norm=size.norm / self._divisor, largest=largest)

    def _put(self, ticket: int, tensor: torch.Tensor, full: bool) -> None:
        self._found[ticket] = None
        try:
            with _undisturbed(tensor) as plain:
                figures = start(plain, full)
                if figures is None:
                    return
                if figures.norm.is_cpu:
                    self._found[ticket] = told(figures, [figure.item() for figure in flat(figures)])
                else:
                    self._waiting[ticket] = figures
        except Exception:  # noqa: BLE001  # a tensor subclass may raise anything
            self.refused.add(type(tensor).__name__)


@contextmanager
def _undisturbed(tensor: torch.Tensor) -> Iterator[torch.Tensor]:
    """The tensor under all wrappers of torch.func; neither its transforms nor the user's modes see what is done."""
    with ExitStack() as stack:
        if _transforms() is not None:
            stack.enter_context(temporarily_clear_interpreter_stack())
            while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
                tensor = torch._C._functorch.get_unwrapped(tensor)
        if torch._C._functorch.is_legacy_batchedtensor(tensor):  # autograd.grad(…, is_grads_batched=True)
            torch._C._vmapmode_increment_nesting()
            for level in range(torch._C._vmapmode_decrement_nesting(), 0, -1):
                tensor = torch._remove_batch_dim(tensor, level, 1, 0)  # where it has no such dimension, one of size 1
        if _modes():
            stack.enter_context(_disable_current_modes())
        yield tensor


def _is_plain(tensor: torch.Tensor) -> bool:
    """Whether its norm can be computed and read right here: its own kind and what surrounds the call allow it."""
    known = type(tensor) in _PLAIN and tensor.is_cpu and tensor.dtype in _SAFE
    return known and not _modes() and _transforms() is None


def _is_quick(tensor: torch.Tensor) -> bool:
    """Whether torch's own function for many tensors measures it as ``put`` does."""
    return _is_plain(tensor) and tensor.layout is torch.strided and not tensor.is_nested
