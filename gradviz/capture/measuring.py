"""Figures of one tensor, computed where it is: its norm, and what else is asked for, without waiting for a device.

Rules: wider copies are made piece by piece. Of a DTensor the local shard is measured, of a sparse tensor the sum of its
duplicates, of a nested one all its parts. What has no values (meta, fake) has no figures.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor

from gradviz.recording import Magnitude

_norm = torch.linalg.vector_norm
_WIDEST = frozenset((torch.float64, torch.complex128))
_PIECE = 2**18  # elements: 2 MiB in float64
_PIECES = 64  # at most: the wider copy of one is 3 % of a float32 tensor


class Figures(NamedTuple):
    """Of one tensor, still on its device. The norm is to be multiplied by ``factor``, where there is one."""

    norm: torch.Tensor
    factor: torch.Tensor | None
    full: tuple[torch.Tensor, ...]  # largest, and how many elements are not zero, and finite, of those that are stored
    stored: int
    elements: int | None  # None unless all is to be measured
    stream: Any


def start(tensor: torch.Tensor, full: bool) -> Figures | None:
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
    return Figures(norm, factor, more, stored, elements if full else None, _stream(device))


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


def flat(figures: Figures) -> list[torch.Tensor]:
    """The figures one after the other, the norm first."""
    return [figures.norm, *(() if figures.factor is None else (figures.factor,)), *figures.full]


def read(device: torch.device, waiting: list[Figures]) -> list[Magnitude]:
    """All figures of one device: this waits for it, once."""
    here = torch.accelerator.current_stream(device)
    for stream in {figures.stream for figures in waiting} - {here}:
        here.wait_stream(stream)
    parts = [flat(figures) for figures in waiting]
    values = iter(torch.stack(list(itertools.chain.from_iterable(parts))).tolist())
    own = [list(itertools.islice(values, len(part))) for part in parts]
    return list(map(told, waiting, own))


def told(figures: Figures, values: list[float]) -> Magnitude:
    """The size that figures tell, of their values in the order of ``flat``."""
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
