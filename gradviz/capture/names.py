"""Which names the user's tensors have: given ones, paths in the model, else the caller's variables.

A tensor is called by the name that was given for it, else by its path in the outermost module that reaches it, else by
the variable, attribute of ``self`` or container entry that holds it where ``trace`` was called: the function's own
variables first, then those of its module. Runs none of the user's code: modules and objects are read through their own
dictionaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch.nn import Module

from gradviz.capture.variables import global_variables, is_module, is_tensor, local_variables
from gradviz.errors import GradvizError

Named = Any  # a Module, a mapping or an iterable of (name, Module or tensor)

# Wrappers whose only child is the user's module: their own attribute is not part of a name.
_WRAPPED = {
    "OptimizedModule": "_orig_mod",
    "DistributedDataParallel": "module",
    "DataParallel": "module",
    "CheckpointWrapper": "_checkpoint_wrapped_module",
    "FullyShardedDataParallel": "_fsdp_wrapped_module",
}


_MOST_PATHS = 100  # of one module


class Names(NamedTuple):
    """Names of live tensors, and what the given model consists of."""

    by_tensor: dict[int, list[str]]  # by id of the tensor, which ``tensors`` holds
    tensors: dict[str, torch.Tensor]
    homes: dict[str, str]  # name of a tensor -> path of the module that owns it
    parameters: list[torch.Tensor]  # of the given model, each once
    modules: list[tuple[str, Module]]  # of the given model, by path; a wrapper has the path of what it wraps
    others: dict[str, Module]  # found among the caller's variables
    outer: dict[str, Module]  # those of ``others`` that no other contains

    def every_module(self) -> dict[str, Module]:
        """The modules by path, those of the given model winning."""
        return {**self.others, **dict(self.modules)}

    def of(self, tensor: torch.Tensor) -> tuple[str | None, tuple[str, ...]]:
        """The tensor's name, and its further names."""
        names = self.by_tensor.get(id(tensor))
        if names is None:
            return None, ()
        return names[0], (tuple(names[1:]) if len(names) > 1 else ())


def collect(model: Named, names: Named, caller: FrameType | None) -> Names:
    """Gather the names of all tensors that can be named.

    Raises:
        GradvizError: if ``model`` or ``names`` is of another kind, or gives one name to two tensors.
    """
    found = Names({}, {}, {}, [], [], {}, {})
    for name, value in _given(names, "names"):
        for path, tensor, home in _named_tensors(value, name):
            _put(found, path, tensor, home)
    for name, value in [("", model)] if isinstance(model, Module) else _given(model, "model"):
        _enter(found, name, value)
    if caller is not None:
        _enter_variables(found, local_variables(caller))
        _enter_variables(found, global_variables(caller))
    return found


def walk_module(module: Module, prefix: str = "") -> Iterator[tuple[str, Module]]:
    """Path and module of every submodule, shared ones under each of their paths, without wrappers' own attributes.

    A module that is its own descendant (a child that knows its parent) is not entered again, nor is one that was
    entered under ``_MOST_PATHS`` paths: modules shared at every level have exponentially many.
    """
    stack: list[tuple[str, Module, tuple[Module, ...]]] = [(prefix, module, ())]
    entered: Counter[int] = Counter()
    while stack:
        path, current, parents = stack.pop()
        entered[id(current)] += 1
        if entered[id(current)] > _MOST_PATHS:
            continue
        yield path, current
        children = current._modules
        if children:
            hidden = _WRAPPED.get(type(current).__name__)
            parents = (*parents, current)
            stack += [
                (path if name == hidden else f"{path}.{name}" if path else name, child, parents)
                for name, child in reversed(list(children.items()))
                if child is not None and not (child._modules and any(child is parent for parent in parents))
            ]


def _given(value: Named, argument: str) -> Iterator[tuple[str, Any]]:
    if value is None:
        return
    pairs = value.items() if isinstance(value, Mapping) else value
    problem = isinstance(value, Module | torch.Tensor | str) or not isinstance(pairs, Iterable)
    for pair in () if problem else pairs:
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str)):
            problem = True
            break
        if not isinstance(pair[1], Module | torch.Tensor):
            problem = True
            break
        yield pair[0], pair[1]
    if problem:
        raise GradvizError(
            f"{argument}= cannot be read as names of tensors",
            f"it is a {type(value).__name__} that does not consist of pairs of a name and a tensor or module",
            'pass a mapping such as {"x": x, "generator": generator}, or pairs such as model.named_parameters()',
        )


def _enter(found: Names, name: str, value: Any) -> None:
    """Take over a tensor or the contents of a module that was given as (part of) the model."""
    if isinstance(value, torch.Tensor):
        _put(found, name, value, None)
        found.parameters.append(value)
        return
    found.modules.extend(walk_module(value, name))
    known = {id(parameter) for parameter in found.parameters}
    for path, tensor, home in _named_tensors(value, name):
        _put(found, path, tensor, home)
        if isinstance(tensor, torch.nn.Parameter) and id(tensor) not in known:
            known.add(id(tensor))
            found.parameters.append(tensor)


def _named_tensors(value: Any, name: str) -> Iterator[tuple[str, torch.Tensor, str | None]]:
    """A tensor with its own name, or the parameters and buffers of a module with their paths and their module's."""
    if isinstance(value, torch.Tensor):
        yield name, value, None
        return
    for path, module in walk_module(value, name):
        for group in (module._parameters, module._buffers):
            for attribute, tensor in list(group.items()):
                if tensor is not None:
                    yield (f"{path}.{attribute}" if path else attribute), tensor, path


def _put(found: Names, name: str, tensor: torch.Tensor, home: str | None) -> None:
    other = found.tensors.setdefault(name, tensor)
    if other is not tensor:
        raise GradvizError(
            f"Two different tensors are called {name!r}",
            "a name must lead to one tensor",
            "give each its own name, or name the modules apart: model={'generator': g, 'critic': c}",
        )
    names = found.by_tensor.setdefault(id(tensor), [])
    if name not in names:
        names.append(name)
    if home is not None:
        found.homes[name] = home


def _enter_variables(found: Names, values: list[tuple[str, Any]]) -> None:
    """Name what has no name yet after variables; a name that is taken is left alone."""
    given = {id(module) for _, module in (*found.modules, *found.others.items())}
    modules = {id(value): (name, value) for name, value in reversed(values) if is_module(value)}
    new = [entry for key, entry in reversed(modules.items()) if key not in given]
    inner = {id(sub) for _, module in new for _, sub in walk_module(module) if sub is not module}
    outer = [entry for entry in new if id(entry[1]) not in inner]
    before = set(found.by_tensor)
    for name, module in outer:
        prefix = name if len(outer) > 1 or found.modules or found.others or name.endswith("]") else ""
        found.outer[prefix] = module
        found.others.update(walk_module(module, prefix))
        for path, tensor, home in _named_tensors(module, prefix):
            if id(tensor) not in before and path not in found.tensors:
                _put(found, path, tensor, home)
    for name, value in values:
        if is_tensor(value) and id(value) not in found.by_tensor and name not in found.tensors:
            _put(found, name, value, None)
