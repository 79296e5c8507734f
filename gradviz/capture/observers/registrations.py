"""Registrations: every hook that is registered while a watch lasts, with the line that does it.

Tensors tell through the function mode, nodes through the one Python function that torch's C code calls for them,
modules through their own methods. Rules: a hook of torch's own that carries the user's (a module's on a node, a
multi-grad hook's on each of its tensors) is told once, as the user's.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch.nn.modules import module as torch_module

from gradviz.capture.calls import next_number
from gradviz.capture.hooks import EVERY_MODULE, find
from gradviz.capture.registered import OnTensor
from gradviz.capture.run import Observer
from gradviz.capture.walk import sequence_number
from gradviz.capture.where import describe
from gradviz.graph import Hook, HookKind
from gradviz.recording import HookRegistered, Source

_ON_MODULES: tuple[tuple[HookKind, str], ...] = (
    ("module_backward", "register_full_backward_hook"),
    ("module_backward_pre", "register_full_backward_pre_hook"),
    ("module_backward_legacy", "register_backward_hook"),
)
_ON_EVERY_MODULE: tuple[tuple[HookKind, str], ...] = (
    ("module_backward", "register_module_full_backward_hook"),
    ("module_backward_pre", "register_module_full_backward_pre_hook"),
    ("module_backward_legacy", "register_module_backward_hook"),
)
_UNKNOWN_NODE = "a node"


class Registrations(Observer):
    """Writes HookRegistered events, and ``Recording.hooks``."""

    def enter(self) -> None:
        """Listen to everything that registers a backward hook."""
        session = self.session
        tensor, particular = torch.Tensor, session.calls.particular
        particular.setdefault(tensor.register_hook, []).append(self._on_tensor)
        particular.setdefault(tensor.register_post_accumulate_grad_hook, []).append(self._after_accumulation)
        particular.setdefault(tensor.retain_grad, []).append(self._retains)
        session.taps.add(torch.autograd.Function, "_register_hook", self._on_node)
        for kind, name in _ON_MODULES:
            session.taps.add(torch.nn.Module, name, self._on_module(kind))
        for kind, name in _ON_EVERY_MODULE:
            session.taps.add(torch_module, name, self._on_every_module(kind))
        self._last: weakref.ref[Any] | None = None  # of a multi-grad hook: torch's function on its latest tensor
        self._first = 0  # and the handle of that on its first one

    def tell(self) -> dict[str, Any]:
        """All hooks that were seen or found."""
        return {"hooks": self.session.registered.told()}

    def _on_tensor(self, _: Any, args: tuple[Any, ...], __: Any, handle: Any, ___: bool) -> None:
        tensor = args[0]
        functions = tensor._backward_hooks
        if not tensor.is_leaf:
            on_tensor = OnTensor(weakref.ref(functions), _number(tensor))
            if all(one.functions() is not functions for one in self.session.registered.on_tensors):
                self.session.registered.on_tensors.append(on_tensor)
        hook = functions[handle.id]
        owner = self._name(tensor)
        (found,) = find("tensor", owner, {handle.id: hook})
        if found.hook.kind == "multi_grad" and self._continues(hook, found.spot.container):
            self.session.registered.join(handle.id, self._first)
        else:
            self._first = handle.id
            self._add(handle.id, found.hook, owned=tensor.is_leaf)

    def _continues(self, hook: Any, cell: Any) -> bool:
        """Whether torch's function on a tensor belongs to the same multi-grad hook as the one before it."""
        last = None if self._last is None else self._last()
        self._last = weakref.ref(hook)
        return last is not None and any(cell is other for other in last.__closure__)

    def _after_accumulation(self, _: Any, args: tuple[Any, ...], __: Any, handle: Any, ___: bool) -> None:
        described = describe(args[0]._post_accumulate_grad_hooks[handle.id])
        self._add(handle.id, Hook("post_accumulate", self._name(args[0]), *described), owned=True)

    def _retains(self, _: Any, args: tuple[Any, ...], *__: Any) -> None:
        tensor = args[0]
        session = self.session
        if tensor.is_leaf or any(one.tensor() is tensor for one in session.registered.retained):
            return
        hook, where = Hook("retain_grad", self._name(tensor), "retain_grad", None), session.where()
        session.registered.retain(tensor, _number(tensor), hook, where)
        session.add(HookRegistered(where, session.step, *hook[:3]))

    def _on_node(self, call: Any, functions: Any, hook: Any) -> Any:
        functions, handle = call(functions, hook)
        registered = self.session.registered
        if all(one() is not functions for one in registered.on_nodes):
            registered.on_nodes.append(weakref.ref(functions))
        for found in find("unknown", _UNKNOWN_NODE, {handle.id: hook}):
            if found.hook.kind in ("unknown", "optimizer_in_backward"):
                self._add(handle.id, found.hook, owned=False)
        return functions, handle

    def _on_module(self, kind: HookKind) -> Any:
        def around(call: Any, module: torch.nn.Module, hook: Any, *args: Any, **kwargs: Any) -> Any:
            handle = call(module, hook, *args, **kwargs)
            path = self.session.known.path(module)
            owner = type(module).__name__ if path is None else path
            self._add(handle.id, Hook(kind, owner, *describe(hook)), owned=True)
            return handle

        return around

    def _on_every_module(self, kind: HookKind) -> Any:
        def around(call: Any, hook: Any, *args: Any, **kwargs: Any) -> Any:
            handle = call(hook, *args, **kwargs)
            self._add(handle.id, Hook(kind, EVERY_MODULE, *describe(hook)), owned=True)
            return handle

        return around

    def _name(self, tensor: torch.Tensor) -> str:
        return self.session.known.name(tensor, self.session.frame())

    def _add(self, handle: Any, hook: Hook, *, owned: bool) -> None:
        session = self.session
        where: Source | None = session.where()
        session.registered.register(handle, hook, where, owned=owned)
        step, registered = session.step, session.registered

        def registered_on_node() -> HookRegistered:  # on which one, and when it runs, is known once it was met
            return HookRegistered(where, step, *(registered.hook(handle) or hook)[:3])

        session.add(registered_on_node if hook.kind == "unknown" else HookRegistered(where, step, *hook[:3]))


def _number(tensor: torch.Tensor) -> int:
    node = tensor.grad_fn
    return next_number() if node is None else sequence_number(node)
