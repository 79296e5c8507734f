"""Which hooks are registered where, found on a graph that exists already, without calling any of them.

Hooks of leaves, of tensors that a consumer saved, and of modules lie in dictionaries that Python can read. A node's own
hooks do not: asking for them leaves two empty dictionaries in the node, so that is done on request only, and so is
looking through all live objects for tensors. C++ hooks (DDP's reducer) can never be seen.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
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
    retained = not tensor.is_leaf and tensor.retains_grad
    if not before and not after and not retained:
        return ()
    hooks = _hooks("tensor", owner, before)
    if retained:
        hooks.append(Hook("retain_grad", owner, "retain_grad", None))
    return (*hooks, *_hooks("post_accumulate", owner, after))


def module_hooks(modules: Iterable[tuple[str, Module]]) -> tuple[Hook, ...]:
    """The backward hooks of modules, by path, and those registered for every module."""
    found: list[Hook] = []
    for path, module in modules:
        if module._backward_pre_hooks or module._backward_hooks:
            found += _hooks("module_backward_pre", path, module._backward_pre_hooks)
            found += _hooks(_module_kind(module._is_full_backward_hook), path, module._backward_hooks)
    kind = _module_kind(torch_module._global_is_full_backward_hook)
    found += _hooks("module_backward_pre", EVERY_MODULE, torch_module._global_backward_pre_hooks)
    return (*found, *_hooks(kind, EVERY_MODULE, torch_module._global_backward_hooks))


def node_hooks(node: AutogradNode, owner: str) -> tuple[Hook, ...]:
    """The hooks registered on a node itself. Leaves two empty dictionaries of hooks in the node."""
    found: list[Hook] = []
    registers: tuple[tuple[HookKind, Any], ...] = (
        ("node_pre", type(node).register_prehook),
        ("node_post", type(node).register_hook),
    )
    for kind, register in registers:
        handle = register(node, _probe)  # through the type: a ctx may hold anything
        functions = handle.hooks_dict_ref()
        handle.remove()
        found += _hooks(kind, owner, functions)
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


def _module_kind(is_full: bool | None) -> HookKind:
    return "module_backward_legacy" if is_full is False else "module_backward"


def _hooks(kind: HookKind, owner: str, functions: Mapping[int, Any] | None) -> list[Hook]:
    """What a dictionary of hooks holds, looking through torch's own wrappers to the user's functions."""
    found: list[Hook] = []
    for function in list(functions.values()) if functions else ():
        home, within = _origin(function)
        if home == "torch.utils.hooks" and within.startswith("BackwardHook."):
            found += _of_module(owner, within, _captured(function, "self"))
        elif home == "torch.autograd.graph" and function.__code__.co_name in ("inner_hook", "wrapped_fn"):
            found.append(Hook("multi_grad", owner, *describe(_captured(function, "fn"))))
        elif type(function) is torch_module._WrappedHook:
            found.append(Hook("module_backward_legacy", owner, *describe(function.hook)))
        elif "_apply_optimizer_in_backward" in within:
            found.append(Hook("optimizer_in_backward", owner, *describe(function)))
        else:
            found.append(Hook(kind, owner, *describe(function)))
    return found


def _origin(function: Any) -> tuple[str | None, str]:
    """The module in which a function is written (functools.wraps copies other words over the rest), and its name."""
    if type(function) is FunctionType:
        return function.__globals__.get("__name__"), function.__qualname__
    return None, ""


def _of_module(owner: str, qualified: str, kept: Any) -> list[Hook]:
    """The user's functions that torch's hook of a module calls, on the node at its output or on that at its input."""
    at_output = ".setup_output_hook." in qualified
    before = [Hook("module_backward_pre", owner, *describe(one)) for one in kept.user_pre_hooks if at_output]
    runs = not at_output or kept.input_tensors_index is None  # no input with a gradient: it is run at the output
    return before + [Hook("module_backward", owner, *describe(one)) for one in kept.user_hooks if runs]


def _captured(function: Any, variable: str) -> Any:
    """The value of a variable that a closure captured."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return cells[variable].cell_contents
