"""The tensors that nodes saved for their backward, read without running unpack hooks or any of the user's code.

``SavedTensor.data`` and ``.unpack_hook`` never run a hook (torch >= 2.10); ``_saved_*`` and ``saved_tensors`` do, so
they are read only where no hook is installed, and only to learn whether a tensor is freed or was modified in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import torch

from gradviz.capture.measure import Measure
from gradviz.capture.walk import AutogradNode
from gradviz.capture.where import describe
from gradviz.graph import Saved, SavedState

_VERSIONS = re.compile(r"is at version (\d+); expected version \d+")
_new = tuple.__new__  # half the time of a NamedTuple's own constructor, here where a million may be made


def saved_names(node_class: type) -> tuple[str, ...]:
    """Names of what a built-in node class can save: it has ``_saved_<name>`` and ``_raw_saved_<name>`` for each."""
    return tuple(name[11:] for name in vars(node_class) if name.startswith("_raw_saved_"))


class SavedReader:
    """Reads what the nodes of one trace saved, and remembers what the rest of the trace has to know of it."""

    def __init__(self, measure: Measure) -> None:
        self.freed = False  # whether some saved tensor was freed
        self.checkpointed = False  # whether checkpointing packed something of the node that was read last
        self.hooked: dict[int, torch.Tensor] = {}  # saved non-leaf tensors with hooks of their own, by id
        self._measure = measure
        self._unpack_hooks: dict[int, str] = {}

    def of_operation(self, node: AutogradNode, names: tuple[str, ...]) -> tuple[Saved, ...]:
        """What a built-in node saved. ``names`` are those of ``saved_names(type(node))``."""
        self.checkpointed = False
        found = []
        for name in names:
            try:
                raw = getattr(node, "_raw_saved_" + name)
            except RuntimeError:  # lists of tensors raise once they are freed
                found.append(self._empty(name, "freed"))
                continue
            if type(raw) is not tuple:
                found.append(self._read(raw, node, name))
            else:
                found += self._read_list(raw, name, partial(getattr, node, "_saved_" + name))
        return tuple(found)

    def of_function(self, node: AutogradNode) -> tuple[Saved, ...]:
        """What a custom ``autograd.Function`` saved: by ``save_for_backward``, and as attributes of its ``ctx``."""
        self.checkpointed = False
        try:
            raws = node._raw_saved_tensors or ()
            found = self._read_list(raws, "saved_tensors", partial(getattr, node, "saved_tensors"))
        except RuntimeError:
            found = [self._empty("saved_tensors", "freed")]
        for attribute, value in node.__dict__.items():
            if issubclass(type(value), torch.Tensor):
                found.append(self._tensor(f"ctx.{attribute}", value, "held"))
            elif type(value) in (list, tuple):
                found += [
                    self._tensor(f"ctx.{attribute}[{index}]", entry, "held")
                    for index, entry in enumerate(value)
                    if issubclass(type(entry), torch.Tensor)
                ]
        return tuple(found)

    def _read(self, raw: Any, node: AutogradNode, name: str) -> Saved:
        hook = raw.unpack_hook
        data = raw.data
        if hook is not None:
            return self._packed(name, data, hook)
        if data is not None and not data._version:  # never modified in place, so it cannot be stale
            return self._tensor(name, data, "held")
        try:
            getattr(node, "_saved_" + name)  # runs no hook, there is none
        except RuntimeError as error:
            if data is None:
                return self._empty(name, "freed")
            return self._tensor(name, data, "stale" if _VERSIONS.search(str(error)) else "held")
        return self._empty(name, "absent") if data is None else self._tensor(name, data, "held")

    def _read_list(self, raws: tuple[Any, ...], label: str, read: Callable[[], Any]) -> list[Saved]:
        """The entries of a list that was not freed; ``read`` is torch's own access to it, which would run hooks."""
        datas = [raw.data for raw in raws]
        hooks = [raw.unpack_hook for raw in raws]
        modified = any(data is not None and _version(data) for data, hook in zip(datas, hooks, strict=True) if not hook)
        refused = _refused_version(read) if modified and not any(hooks) else None
        states: list[SavedState] = ["held"] * len(raws) if refused is None else self._states(datas, refused)
        found = []
        for index, (data, hook, state) in enumerate(zip(datas, hooks, states, strict=True)):
            name = f"{label}[{index}]"
            if hook is not None:
                found.append(self._packed(name, data, hook))
            elif data is None:
                found.append(self._empty(name, "absent"))
            else:
                found.append(self._tensor(name, data, state))
        return found

    def _states(self, datas: list[torch.Tensor | None], refused: int) -> list[SavedState]:
        """Which entries are stale, of a list whose first stale entry torch refused because it is at this version.

        What is behind that one torch does not say. Entries were saved at one moment, so those that share a storage are
        stale together.
        """
        versions = [0 if data is None else _version(data) for data in datas]
        suspects = [index for index, version in enumerate(versions) if version == refused]
        storages = {self._measure.stored(data)[2] for index in suspects if (data := datas[index]) is not None}
        certain = len(suspects) == 1 or (len(storages) == 1 and None not in storages)
        states: list[SavedState] = []
        for index, version in enumerate(versions):
            if not version or index < suspects[0]:
                states.append("held")
            else:
                states.append("stale" if certain and index in suspects else "unknown")
        return states

    def _tensor(self, name: str, tensor: torch.Tensor, state: SavedState) -> Saved:
        if (tensor._backward_hooks or tensor.retains_grad) and not tensor.is_leaf:
            self.hooked[id(tensor)] = tensor
        return _new(Saved, (name, *self._measure.stored(tensor), state, None))

    def _packed(self, name: str, packed: Any, hook: Any) -> Saved:
        if type(hook) is FunctionType and hook.__module__ == "torch.utils.checkpoint":
            self.checkpointed = True
        text = self._unpack_hooks.get(id(hook))
        if text is None:
            function, where = describe(hook)
            text = self._unpack_hooks[id(hook)] = f"{function} ({where})" if where else function
        meta = self._measure.tensor(packed) if issubclass(type(packed), torch.Tensor) else None
        return Saved(name, meta, None, None, "hooked", text)

    def _empty(self, name: str, state: SavedState) -> Saved:
        self.freed = self.freed or state == "freed"
        return Saved(name, None, None, None, state)


def held_tensor(node: AutogradNode, name: str) -> torch.Tensor | None:
    """The tensor that a built-in node holds under a name, if it is there and not packed by hooks."""
    try:
        raw = getattr(node, "_raw_saved_" + name, None)
    except RuntimeError:
        return None
    if raw is None or type(raw) is tuple or raw.unpack_hook is not None:
        return None
    data: torch.Tensor | None = raw.data
    return data


def _refused_version(read: Callable[[], Any]) -> int | None:
    """The version at which torch refuses a saved tensor because it was modified in place, if it refuses one."""
    try:
        read()
    except RuntimeError as error:
        refused = _VERSIONS.search(str(error))
        return int(refused[1]) if refused else None
    return None


def _version(tensor: torch.Tensor) -> int:
    try:
        return tensor._version
    except RuntimeError:  # inference tensors keep no count; they can be saved by no node, but may lie on a ctx
        return 0
