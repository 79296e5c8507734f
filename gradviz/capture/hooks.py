"""Which hooks are registered where, found on a graph that exists already, without calling any of them.

Hooks of leaves, of tensors that a consumer saved, and of modules lie in dictionaries that Python can read. A node's own
hooks do not: asking for them leaves two empty dictionaries in the node, so that is done on request only, and so is
looking through all live objects for tensors. C++ hooks (DDP's reducer) can never be seen.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from types import CellType, FunctionType
from typing import Any, Literal, NamedTuple

import torch
from torch.nn import Module
from torch.nn.modules import module as torch_module

from gradviz.capture.probes import Spot, behind, is_own
from gradviz.capture.walk import AutogradNode
from gradviz.capture.where import describe
from gradviz.graph import Hook, HookKind

EVERY_MODULE = "every module"


class Found(NamedTuple):
    """A hook, where its function stands, and the entry that ``handle.remove()`` deletes (None: it is deleted)."""

    hook: Hook
    spot: Spot
    entry: Spot | None


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
    before, after = dictionary(node, "register_prehook"), dictionary(node, "register_hook")
    return (*_hooks("node_pre", owner, before), *_hooks("node_post", owner, after))


def dictionary(node: AutogradNode, register: Literal["register_prehook", "register_hook"]) -> MutableMapping[int, Any]:
    """The live dictionary of a node's own hooks, which is left in the node."""
    handle = getattr(type(node), register)(node, _probe)  # through the type: a ctx may hold anything
    functions: MutableMapping[int, Any] = handle.hooks_dict_ref()
    handle.remove()
    return functions


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


def find(
    kind: HookKind,
    owner: str,
    functions: MutableMapping[int, Any] | None,
    path: Callable[[Module], str | None] = lambda _: None,
) -> Iterator[Found]:
    """The user's functions in a dictionary of hooks, through torch's own wrappers around them.

    Hooks of a module belong to the module's path, where ``path`` knows it.
    """
    for key, standing in list(functions.items()) if functions else ():
        assert functions is not None
        function, spot = behind(standing), Spot(functions, key)
        home, within = _origin(function)
        if is_own(function):
            continue
        if home == "torch.utils.hooks" and within.startswith("BackwardHook."):
            kept = captured(function, "self")
            at = path(kept.module)
            yield from _of_module(owner if at is None else at, within, kept)
        elif home == "torch.autograd.graph" and function.__code__.co_name in ("inner_hook", "wrapped_fn"):
            cell = cell_of(function, "fn")
            yield Found(_hook("multi_grad", owner, cell.cell_contents), Spot(cell, None), spot)
        elif type(function) is torch_module._WrappedHook:
            module = function.module()
            entry = None if module is None else _entry(function.hook, 0, _registered(module, "backward_hooks"))
            at = None if module is None else path(module)
            yield Found(_hook("module_backward_legacy", owner if at is None else at, function.hook), spot, entry)
        elif "_apply_optimizer_in_backward" in within:
            yield Found(_hook("optimizer_in_backward", owner, function), spot, spot)
        else:
            yield Found(_hook(kind, owner, function), spot, spot)


def captured(function: Any, variable: str) -> Any:
    """The value of a variable that a closure captured."""
    return cell_of(function, variable).cell_contents


def cell_of(function: Any, variable: str) -> CellType:
    """The cell that holds a variable which a closure captured."""
    cells: dict[str, CellType] = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return cells[variable]


def _hooks(kind: HookKind, owner: str, functions: MutableMapping[int, Any] | None) -> list[Hook]:
    return [found.hook for found in find(kind, owner, functions)]


def _hook(kind: HookKind, owner: str, function: Any) -> Hook:
    return Hook(kind, owner, *describe(behind(function)))


def _origin(function: Any) -> tuple[str | None, str]:
    """The module in which a function is written (functools.wraps copies other words over the rest), and its name."""
    if type(function) is FunctionType:
        return function.__globals__.get("__name__"), function.__qualname__
    return None, ""


def _of_module(owner: str, qualified: str, kept: Any) -> Iterator[Found]:
    """The user's functions that torch's hook of a module calls, on the node at its output or on that at its input."""
    at_output = ".setup_output_hook." in qualified
    if at_output:
        yield from _listed("module_backward_pre", owner, kept.user_pre_hooks, kept.module, "backward_pre_hooks")
    if not at_output or kept.input_tensors_index is None:  # no input with a gradient: it is run at the output
        yield from _listed("module_backward", owner, kept.user_hooks, kept.module, "backward_hooks")


def _listed(kind: HookKind, owner: str, functions: list[Any], module: Any, registry: str) -> Iterator[Found]:
    for place, function in enumerate(functions):
        same = sum(behind(one) is behind(function) for one in functions[:place])
        entry = _entry(behind(function), same, _registered(module, registry))
        yield Found(_hook(kind, owner, function), Spot(functions, place), entry)


def _registered(module: Any, registry: str) -> tuple[MutableMapping[int, Any], ...]:
    """Where torch keeps the hooks of every module, and those of one, in the order in which it calls them."""
    return getattr(torch_module, "_global_" + registry), getattr(module, "_" + registry)


def _entry(function: Any, same: int, registries: tuple[MutableMapping[int, Any], ...]) -> Spot | None:
    """Where a function is registered, as entry number ``same`` of those that are it; None once it was removed."""
    spots = [Spot(one, key) for one in registries for key, value in one.items() if value is function]
    return spots[same] if same < len(spots) else None
