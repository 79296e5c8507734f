"""Tensor or slot -> TensorMeta, and the storage behind a tensor. Reads metadata only, never values.

One Measure serves one trace: equal descriptions are one shared object (most of a large graph has a handful), and
storages are numbered in the order in which they were met, so that no address is needed to tell which ones are shared.
So are the sizes of ragged dimensions (``"j1"``): torch counts them through the whole process.
Callers disable ``__torch_function__`` first: reading the shape of a tensor subclass would run the user's code.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import torch

from gradviz.capture.walk import AutogradNode
from gradviz.graph import TensorMeta

_WRAPPERS = {"DTensor": "_local_tensor", "NestedTensor": "_values"}  # torch's own: what holds their storage
_RAGGED = re.compile(r"\bj\d+\b")
_UNTOLD = (RuntimeError, NotImplementedError, AttributeError, TypeError, ValueError)


class Measure:
    """Describes tensors and slots, and numbers storages."""

    def __init__(self) -> None:
        self._metas: dict[tuple[Any, ...], TensorMeta] = {}
        self._storages: dict[int, int] = {}
        self._ragged: dict[str, str] = {}

    def slots(self, node: AutogradNode) -> tuple[TensorMeta, ...]:
        """What arrives at each slot of a node; the layout is not told there."""
        told = node._input_metadata
        return (self._slot(told[0]),) if len(told) == 1 else tuple(map(self._slot, told))

    def _slot(self, metadata: Any) -> TensorMeta:
        try:
            key = (tuple(metadata.shape), metadata.dtype, metadata.device, None)
        except RuntimeError:  # strided nested tensors have no single shape
            return TensorMeta(None, _name(metadata.dtype), str(metadata.device))
        try:
            return self._metas[key]
        except (KeyError, TypeError):
            return self._meta(*key)

    def tensor(self, tensor: torch.Tensor) -> TensorMeta:
        """What a tensor is; its shape is None where torch does not tell it (nested, uninitialised)."""
        try:
            shape = tensor.shape
        except _UNTOLD:
            return TensorMeta(None, _name(tensor.dtype), str(tensor.device), _name(tensor.layout))
        key = (shape, tensor.dtype, tensor.device, tensor.layout)
        try:
            return self._metas[key]
        except (KeyError, TypeError):
            return self._meta(*key)

    def stored(self, tensor: torch.Tensor) -> tuple[TensorMeta, int | None, int | None]:
        """What a tensor is, the bytes and the number of the storage behind it; None where torch does not tell.

        Of a DTensor the local shard is measured (its storage reports the global size), of a jagged tensor the values.
        """
        meta = self.tensor(tensor)
        if type(tensor).__name__ in _WRAPPERS:
            inner = getattr(tensor, _WRAPPERS[type(tensor).__name__], None)
            tensor = inner if isinstance(inner, torch.Tensor) else tensor
        try:
            storage = tensor.untyped_storage()
            return meta, storage.nbytes(), self._storages.setdefault(storage._cdata, len(self._storages))
        except _UNTOLD:
            return meta, None, None

    def _meta(self, shape: Any, dtype: torch.dtype, device: torch.device, layout: torch.layout | None) -> TensorMeta:
        sizes = tuple(size if type(size) is int else self._symbol(str(size)) for size in shape)
        meta = TensorMeta(sizes, _name(dtype), str(device), None if layout is None else _name(layout))
        return self._metas.setdefault((sizes, dtype, device, layout), meta)

    def _symbol(self, size: str) -> str:
        ragged = self._ragged
        return _RAGGED.sub(lambda name: ragged.setdefault(name[0], f"j{len(ragged) + 1}"), size)


@cache
def _name(torch_constant: torch.dtype | torch.layout) -> str:
    return str(torch_constant).removeprefix("torch.")
