"""Which hooks are registered where, found on a graph that exists already, without calling any of them.

Hooks of leaves, of tensors that a consumer saved, and of modules lie in dictionaries that Python can read. A node's own
hooks do not: asking for them leaves two empty dictionaries in the node, so that is done on request only, and so is
looking through all live objects for tensors. C++ hooks (DDP's reducer) can never be seen.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.nn import Module
from torch.nn.modules import module as torch_module

from gradviz.capture.walk import AutogradNode
from gradviz.capture.where import describe
from gradviz.graph import Hook, HookKind

EVERY_MODULE = "every module"


def tensor_hooks(tensor: torch.Tensor, owner: str) -> tuple[Hook, ...]:
    """The hooks of one tensor: ``register_hook``, ``register_post_accumulate_grad_hook`` and ``retain_grad``."""
    before, after = tensor._backward_hooks, tensor._post_accumulate_grad_hooks
    if not before and not after and not (tensor.retains_grad and not tensor.is_leaf):
        return ()
    hooks = [_hook("tensor", owner, function) for function in _functions(before)]
    if tensor.retains_grad and not tensor.is_leaf:
        hooks.append(Hook("retain_grad", owner, "retain_grad", None))
    hooks += [_hook("post_accumulate", owner, function) for function in _functions(after)]
    return tuple(hooks)


def module_hooks(modules: Mapping[str, Module]) -> Iterator[Hook]:
    """The backward hooks of modules, by path, and those registered for every module."""
    for path, module in modules.items():
        full = module._is_full_backward_hook
        kind: HookKind = "module_backward_legacy" if full is False else "module_backward"
        yield from (_hook("module_backward_pre", path, function) for function in module._backward_pre_hooks.values())
        yield from (_hook(kind, path, function) for function in module._backward_hooks.values())
    for function in torch_module._global_backward_pre_hooks.values():
        yield _hook("module_backward_pre", EVERY_MODULE, function)
    for function in torch_module._global_backward_hooks.values():
        yield _hook("module_backward", EVERY_MODULE, function)


def node_hooks(node: AutogradNode, owner: str) -> tuple[Hook, ...]:
    """The hooks registered on a node itself. Leaves two empty dictionaries of hooks in the node."""
    found: list[Hook] = []
    for kind, register in (("node_pre", node.register_prehook), ("node_post", node.register_hook)):
        handle = register(_probe)
        functions = handle.hooks_dict_ref()
        handle.remove()
        found += [_hook(kind, owner, function) for function in _functions(functions)]  # type: ignore[arg-type]
    return tuple(found)


def live_tensors_with_hooks() -> Iterator[torch.Tensor]:
    """Every live non-leaf tensor that has hooks or retains its gradient, out of all objects that Python tracks."""
    for thing in gc.get_objects():
        if (
            issubclass(type(thing), torch.Tensor)
            and not thing.is_leaf
            and (thing._backward_hooks or thing.retains_grad)
        ):
            yield thing


def _probe(*_: Any) -> None:
    """Registered and removed at once; never called."""


def _functions(hooks: Mapping[int, Callable[..., Any]] | None) -> list[Callable[..., Any]]:
    return list(hooks.values()) if hooks else []


def _hook(kind: HookKind, owner: str, function: Callable[..., Any]) -> Hook:
    """Looks through torch's own wrappers to the user's function."""
    qualified = getattr(function, "__qualname__", "")
    home = getattr(function, "__module__", "")
    if home == "torch.autograd.graph" and qualified.startswith("register_multi_grad_hook"):
        return Hook("multi_grad", owner, *describe(_captured(function, "fn") or function))
    if isinstance(function, torch_module._WrappedHook):
        return Hook("module_backward_legacy", owner, *describe(function.hook))
    if home == "torch.utils.hooks" and qualified.startswith("BackwardHook."):
        kept = _captured(function, "self")
        users = [*getattr(kept, "user_pre_hooks", ()), *getattr(kept, "user_hooks", ())]
        return Hook("module_backward", owner, *describe(users[0] if users else function))
    if "_apply_optimizer_in_backward" in qualified:
        return Hook("optimizer_in_backward", owner, *describe(function))
    return Hook(kind, owner, *describe(function))


def _captured(function: Callable[..., Any], variable: str) -> Any:
    """The value of a variable that a closure captured."""
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None) or ()
    values = dict(zip(code.co_freevars if code else (), cells, strict=False))
    return values[variable].cell_contents if variable in values else None
