"""Everything that a program leaves behind, as plain data in which each bit counts: runs are compared with ``==``."""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.overrides import _get_current_function_mode_stack
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

import gradviz

_GRADVIZ = Path(gradviz.__file__).parent


def plain(value: Any) -> Any:
    """Tensors become their bytes; containers stay; functions and other objects become their names."""
    if isinstance(value, Tensor):
        return tensor_facts(value)
    if isinstance(value, Mapping):
        return {key if isinstance(key, str | int) else str(plain(key)): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value.hex()  # NaN equals itself
    if isinstance(value, str | int | bool | bytes | None):
        return value
    if hasattr(value, "tobytes"):
        return value.tobytes()
    return getattr(value, "__qualname__", type(value).__qualname__)


def tensor_facts(tensor: Tensor) -> dict[str, Any]:
    bare = tensor.detach()
    if bare.layout == torch.jagged:
        values: Any = [_bytes(one) for one in bare.unbind()]
    elif bare.is_sparse:
        values = bare.is_coalesced(), _bytes(bare._indices()), _bytes(bare._values())
    else:
        values = _bytes(bare)
    hooks = tensor._backward_hooks, tensor._post_accumulate_grad_hooks
    return {
        "values": values,
        "shape": [str(size) for size in tensor.shape],
        "dtype": str(tensor.dtype),
        "type": type(tensor).__qualname__,
        "requires_grad": tensor.requires_grad,
        "version": None if tensor.is_inference() else tensor._version,
        "history": None if tensor.grad_fn is None else tensor.grad_fn.name(),
        "hooks": [None if found is None else plain(list(found.values())) for found in hooks],
        "attributes": sorted(getattr(tensor, "__dict__", {})),
        "retains_grad": tensor.retains_grad,
        "grad": plain(tensor.grad) if tensor.is_leaf or tensor.retains_grad else None,
    }


def _bytes(tensor: Tensor) -> str:
    whole = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    flat = whole.resolve_neg().contiguous().reshape(-1)
    return hashlib.sha256(flat.view(torch.uint8).numpy().tobytes()).hexdigest()[:16] if flat.numel() else "empty"


def thing_facts(thing: Any) -> Any:
    """A module with all its parts, or an optimizer."""
    if isinstance(thing, nn.Module):
        return {path: _module_facts(module) for path, module in thing.named_modules()}
    assert isinstance(thing, Optimizer)
    hooks = {name: plain(list(found.values())) for name, found in vars(thing).items() if name.endswith("_hooks")}
    return {
        "state": plain(thing.state_dict()),
        "attributes": sorted(vars(thing)),
        "hooks": hooks,
        "gradients": [plain(p) for group in thing.param_groups for p in group["params"]],
    }


def _module_facts(module: nn.Module) -> Any:
    own = vars(module)
    hooks = {name: plain(list(found.values())) for name, found in own.items() if name.endswith("_hooks")}
    return {
        "type": type(module).__qualname__,
        "attributes": sorted(own),
        "training": module.training,
        "hooks": hooks,
        "parameters": plain(module._parameters),
        "buffers": plain(module._buffers),
    }


def torch_state() -> dict[str, Any]:
    """What torch and Python keep for the whole process or thread."""
    return {
        "random": hashlib.sha256(torch.get_rng_state().numpy().tobytes()).hexdigest(),
        "numbers": torch._C._autograd._get_sequence_nr(),
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": [torch.is_autocast_enabled("cpu"), str(torch.get_autocast_dtype("cpu"))],
        "autocast_cache": torch.is_autocast_cache_enabled(),
        "default_dtype": str(torch.get_default_dtype()),
        "function_modes": [type(mode).__qualname__ for mode in _get_current_function_mode_stack()],
        "dispatch_modes": [type(mode).__qualname__ for mode in _get_current_dispatch_mode_stack()],
        "function_on": torch._C._is_torch_function_enabled(),
        "anomaly": [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()],
        "multithreading": torch._C._is_multithreading_enabled(),
        "saved_hooks": torch._C._autograd._saved_tensors_hooks_is_enabled(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "trace": [sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__],
    }


def installed() -> dict[str, int]:
    """Identity of every attribute of torch's modules and of the classes in them; how many hooks dictionaries have."""
    return {
        path: len(value) if _is_hooks(path, value) else id(value)
        for path, value in _attributes_of_torch()
        if type(value) is not int  # counters
    }


def of_gradviz() -> list[str]:
    """Attributes of torch that hold gradviz's code. Unlike ``installed`` this can be asked while torch loads more."""
    found = []
    for path, value in _attributes_of_torch():
        functions = value.values() if _is_hooks(path, value) else [value]
        if any(_own(one) for one in functions):
            found.append(path)
    return found


def _own(value: Any) -> bool:
    function = value.__func__ if isinstance(value, MethodType | staticmethod | classmethod) else value
    return isinstance(function, FunctionType) and Path(function.__code__.co_filename).is_relative_to(_GRADVIZ)


def _attributes_of_torch() -> Iterator[tuple[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of torch's own attributes are deprecated
        for name, module in list(sys.modules.items()):
            if (name == "torch" or name.startswith("torch.")) and isinstance(module, ModuleType):
                for attribute, value in list(vars(module).items()):
                    yield f"{name}.{attribute}", value
                    if isinstance(value, type) and value.__module__ == name:
                        for inner, inner_value in list(vars(value).items()):
                            yield f"{name}.{attribute}.{inner}", inner_value


def _is_hooks(path: str, value: Any) -> bool:
    return "hooks" in path.rpartition(".")[2] and isinstance(value, dict)


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two values that ``plain`` made are not equal: the innermost places, and both values."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        parts = [(f"{path}.{key}", one.get(key, "absent"), other.get(key, "absent")) for key in keys]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = [(f"{path}[{place}]", *pair) for place, pair in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [f"{path}: {one!r:.200} != {other!r:.200}"]
    return [difference for part in parts for difference in differences(part[1], part[2], part[0])]
