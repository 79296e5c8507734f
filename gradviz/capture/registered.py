"""Registered: the hooks that a watch saw being registered, or found, and how often each of them fired.

Rules: nothing of the user's is held, only weak references to dictionaries of hooks and to tensors. A handle's id, which
torch gives to every registration of the process once, tells which hook is which.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, MutableMapping
from typing import Any, NamedTuple, TypeAlias

import torch

from gradviz.graph import Hook
from gradviz.recording import HookRecord, Source

Dictionary: TypeAlias = MutableMapping[int, Any]


class OnTensor(NamedTuple):
    """A dictionary of hooks of a tensor that may be dead, and the sequence number of the node that made the tensor."""

    functions: weakref.ref[Dictionary]
    number: int


class Retained(NamedTuple):
    """A tensor that retains its gradient, the sequence number of the node that made it, what stands for a handle."""

    tensor: weakref.ref[torch.Tensor]
    number: int
    handle: tuple[str, int]


class _Record:
    """``owned`` tells that the hook is described as it was registered, and not as it is found later."""

    def __init__(self, hook: Hook, registered: Source | None, *, owned: bool) -> None:
        self.hook, self.registered, self.owned, self.fired = hook, registered, owned, 0


class Registered:
    """All that one watch knows of hooks.

    Attributes:
        on_tensors: dictionaries of hooks of non-leaf tensors.
        on_nodes: dictionaries of nodes' own hooks. Torch does not tell of which.
        retained: tensors on which ``retain_grad`` was called.
    """

    def __init__(self) -> None:
        self.on_tensors: list[OnTensor] = []
        self.on_nodes: list[weakref.ref[Dictionary]] = []
        self.retained: list[Retained] = []
        self._records: dict[Hashable, _Record] = {}
        self._same: dict[int, int] = {}
        self._count = 0

    def register(self, handle: Hashable, hook: Hook, where: Source | None, *, owned: bool) -> None:
        """A hook was registered. ``owned``: its owner is known for good."""
        self._records[handle] = _Record(hook, where, owned=owned)

    def retain(self, tensor: torch.Tensor, number: int, hook: Hook, where: Source | None) -> None:
        """A tensor was told to retain its gradient."""
        self._count += 1
        self.retained.append(Retained(weakref.ref(tensor), number, ("retain_grad", self._count)))
        self.register(self.retained[-1].handle, hook, where, owned=False)

    def join(self, handle: int, first: int) -> None:
        """Two handles are of one hook (a multi-grad hook has one for each of its tensors)."""
        self._same[handle] = first

    def found(self, handle: Hashable, hook: Hook) -> None:
        """A hook is there, on a graph that a run of the engine is about to use."""
        record = self._record(handle)
        if record is None:
            self._records[handle] = _Record(hook, None, owned=False)
        elif not record.owned:
            record.hook = hook

    def fired(self, handle: Hashable) -> Source | None:
        """A hook that was found is called; where it was registered, if that was seen."""
        record = self._record(handle)
        if record is None:
            return None
        record.fired += 1
        return record.registered

    def hook(self, handle: Hashable) -> Hook | None:
        """A registered hook as it is known by now."""
        record = self._record(handle)
        return None if record is None else record.hook

    def forget_dead(self) -> None:
        """Drop what no graph holds any more."""
        self.on_tensors = [one for one in self.on_tensors if one.functions() is not None]
        self.on_nodes = [one for one in self.on_nodes if one() is not None]
        self.retained = [one for one in self.retained if one.tensor() is not None]

    def told(self) -> tuple[HookRecord, ...]:
        """One record per hook; registrations of one function by one line on one owner are one hook."""
        fired: dict[tuple[Hook, Source | None], int] = {}
        for record in self._records.values():
            key = record.hook, record.registered
            fired[key] = fired.get(key, 0) + record.fired
        return tuple(HookRecord(hook, where, count) for (hook, where), count in fired.items())

    def _record(self, handle: Hashable) -> _Record | None:
        return self._records.get(self._same.get(handle, handle) if type(handle) is int else handle)
