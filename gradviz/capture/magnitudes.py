"""Magnitudes: measures tensors where they are, and brings the figures over with one synchronisation per device.

Rules: no tensor that was put in is held, only figures of one element. A norm is 0.0 only where every element is zero,
and not finite only where an element is not. On a CPU a figure can be read at once, so a norm that came near the ends
of its range is measured again in float64; on other devices, where looking would make the program wait, all are measured
in float64 (float64 itself, and where there is none, after a division by the largest element). Wider copies are made
piece by piece. Of a DTensor the local shard is measured, of a sparse tensor the sum of its duplicates, of a nested one
all its parts, under vmap the whole batch. What has no values (meta, fake), or refuses, has no size.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import torch
from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.utils._python_dispatch import _disable_current_modes

from gradviz.capture.unseen import unseen
from gradviz.recording import Magnitude

_norm = torch.linalg.vector_norm
_without_functions = torch._C.DisableTorchFunction
_modes = torch._C._len_torch_dispatch_stack
_transforms = torch._C._functorch.peek_interpreter_stack  # inside torch.func.grad a norm would get a history
_PLAIN = frozenset((torch.Tensor, torch.nn.Parameter))
# Above these a norm has lost nothing to elements whose squares are too small for the dtype.
_SAFE = {torch.float32: 1e-13, torch.float64: 1e-140}
_WIDEST = frozenset((torch.float64, torch.complex128))
_PIECE = 2**18  # elements: 2 MiB in float64
_PIECES = 64  # at most: the wider copy of one is 3 % of a float32 tensor


class _Figures(NamedTuple):
    """Of one tensor, still on its device. The norm is to be multiplied by ``factor``, where there is one."""

    norm: torch.Tensor
    factor: torch.Tensor | None
    full: tuple[torch.Tensor, ...]  # largest, and how many elements are not zero, and finite, of those that are stored
    stored: int
    elements: int | None  # None unless all is to be measured
    stream: Any


class Magnitudes:
    """Tensors are put in one by one, from any thread, and read all at once.

    Attributes:
        refused: names of the types of tensors that could not be measured.
    """

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self._tickets = itertools.count()
        self._found: dict[int, float | Magnitude | None] = {}
        self._waiting: dict[int, _Figures] = {}
        self._divisor = 1.0

    def put(self, tensor: torch.Tensor | None, *, full: bool = False) -> int:
        """Measure a tensor; ``self[ticket]`` is its size once it was read. ``full`` measures more than the norm."""
        ticket = next(self._tickets)
        if tensor is None:
            self._found[ticket] = None
            return ticket
        with _without_functions():
            plain = type(tensor) in _PLAIN and tensor.is_cpu and not _modes() and _transforms() is None
            if plain and not full and tensor.dtype in _SAFE:
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
                    self._found.update(zip(tickets, _read(device, waiting), strict=True))
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
                figures = _figures(plain, full)
                if figures is None:
                    return
                if figures.norm.is_cpu:
                    self._found[ticket] = _told(figures, [figure.item() for figure in _flat(figures)])
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


def _is_quick(tensor: torch.Tensor) -> bool:
    """Whether torch's own function for many tensors measures it as ``put`` does."""
    plain = type(tensor) in _PLAIN and tensor.is_cpu and tensor.layout is torch.strided and not tensor.is_nested
    return plain and tensor.dtype in _SAFE and not _modes() and _transforms() is None


def _figures(tensor: torch.Tensor, full: bool) -> _Figures | None:
    """Start to measure a tensor; None where it has no values."""
    parts = _parts(tensor)
    if parts is None:
        return None
    device = parts[0].device if parts else tensor.device
    pieces = [piece for part in parts for piece in _pieces(part)]
    factor = None
    if not pieces:
        norm = torch.zeros((), device=device)
    elif device.type == "mps" or pieces[0].dtype in _WIDEST:
        factor = _largest(pieces)
        limits = torch.finfo(factor.dtype)
        factor = factor.clamp(limits.tiny, limits.max)  # NaN stays NaN
        norm = _whole([_norm(piece / factor) for piece in pieces])
    else:
        norm = _whole([_norm(_floating(piece), dtype=_wider(piece)) for piece in pieces])
    more = _more(pieces) if full and pieces else ()
    stored = sum(piece.numel() for piece in pieces)
    elements = stored if tensor.is_nested else tensor.numel()
    return _Figures(norm, factor, more, stored, elements if full else None, _stream(device))


def _parts(tensor: torch.Tensor) -> Sequence[torch.Tensor] | None:
    """Dense tensors that hold every element that is not zero; None where there are no values to be read."""
    if isinstance(tensor, FakeTensor | FunctionalTensor) or tensor.is_meta or _capturing(tensor):
        return None
    local = getattr(tensor, "_local_tensor", None)
    if isinstance(local, torch.Tensor):  # a DTensor
        return _parts(local)
    tensor = tensor.detach() if tensor.requires_grad else tensor
    if tensor.is_nested:
        return [tensor.values()] if tensor.is_contiguous() else tensor.unbind()
    if tensor.layout is torch.sparse_coo:
        return [tensor.coalesce().values()]
    if tensor.layout is not torch.strided:
        return [tensor.values()]
    return [tensor.dequantize() if tensor.is_quantized else tensor]


def _pieces(part: torch.Tensor) -> Sequence[torch.Tensor]:
    """Views of a tensor that together are the whole of it."""
    elements = part.numel()
    if elements <= _PIECE:
        return [part] if elements else []
    return part.chunk(min(_PIECES, -(-elements // _PIECE)), part.shape.index(max(part.shape)))


def _floating(piece: torch.Tensor) -> torch.Tensor:
    measurable = piece.is_complex() or (piece.is_floating_point() and piece.dtype.itemsize > 1)  # float8 is not
    return piece if measurable else piece.double()


def _wider(piece: torch.Tensor) -> torch.dtype:
    return torch.complex128 if piece.is_complex() else torch.float64


def _whole(norms: list[torch.Tensor]) -> torch.Tensor:
    """The norm of a tensor from the norms of its pieces."""
    return norms[0] if len(norms) == 1 else _norm(torch.stack(norms))


def _largest(pieces: list[torch.Tensor]) -> torch.Tensor:
    each = [_floating(piece).abs().amax() for piece in pieces]
    return each[0] if len(each) == 1 else torch.stack(each).amax()


def _more(pieces: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    nonzero = [torch.count_nonzero(_floating(piece)) for piece in pieces]
    finite = [torch.isfinite(_floating(piece)).sum() for piece in pieces]
    return _largest(pieces), torch.stack(nonzero).sum(), torch.stack(finite).sum()


def _capturing(tensor: torch.Tensor) -> bool:
    """Whether a CUDA graph is being captured: measuring would become part of it, and cannot be read."""
    return tensor.is_cuda and torch.cuda.is_current_stream_capturing()


def _stream(device: torch.device) -> Any:
    """The stream on which the figures are computed, None on a CPU. The engine gives each node its own."""
    return None if device.type == "cpu" else torch.accelerator.current_stream(device)


def _flat(figures: _Figures) -> list[torch.Tensor]:
    return [figures.norm, *(() if figures.factor is None else (figures.factor,)), *figures.full]


def _read(device: torch.device, waiting: list[_Figures]) -> list[Magnitude]:
    """All figures of one device: this waits for it, once."""
    here = torch.accelerator.current_stream(device)
    for stream in {figures.stream for figures in waiting} - {here}:
        here.wait_stream(stream)
    flat = [_flat(figures) for figures in waiting]
    values = iter(torch.stack(list(itertools.chain.from_iterable(flat))).tolist())
    own = [list(itertools.islice(values, len(figures))) for figures in flat]
    return list(map(_told, waiting, own))


def _told(figures: _Figures, values: list[float]) -> Magnitude:
    norm, *others = values
    if figures.factor is not None:
        factor, *others = others
        bounded = math.isfinite(norm) and math.isfinite(factor)
        norm = min(norm * factor, sys.float_info.max) if bounded else norm * factor
    norm = norm if norm == norm else math.nan  # one object, so that equal recordings compare equal
    if figures.elements is None:
        return Magnitude(norm)
    largest, nonzero, finite = others or (0.0, 0, 0)
    zeros = (figures.elements - nonzero) / max(figures.elements, 1)
    return Magnitude(norm, largest if largest == largest else math.nan, zeros, int(figures.stored - finite))
