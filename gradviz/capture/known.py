"""Known: the modules, optimizers and names of a watch, given or discovered.

Rules: the first name that a tensor gets stays, so that events, hooks and leaves of all graphs call it the same; a
module met while the watch lasts is named after the variable that holds it (or what contains it), else after the
function that calls it (``decode()``). Only what was given is held; all else is known by weak references, and an object
that gets the id of a dead one inherits nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FrameType
from typing import Any

import torch
from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.living import Facts
from gradviz.capture.names import Named, Names, collect, walk_module
from gradviz.capture.variables import local_items, local_variables

UNNAMED = "(unnamed)"


class Known:
    """What a watch knows by name.

    Args:
        modules: given ones by name; one alone has the name "".
        optimizers: given ones by name.
        names: further names of tensors.
    """

    def __init__(self, modules: Mapping[str, Module], optimizers: Mapping[str, Optimizer], names: Named) -> None:
        self.modules, self.optimizers, self.names = dict(modules), dict(optimizers), names
        self._tensors: Facts[str] = Facts()
        self._nameless: Facts[int] = Facts()  # id of the code that was looked through in vain
        self._paths: Facts[tuple[str, ...]] = Facts()
        self._met: Facts[str] = Facts()  # outermost modules that were discovered
        self._called: Facts[str] = Facts()  # optimizers
        self._list_paths()

    def collect(self, caller: FrameType | None) -> Names:
        """The names of live tensors, for a trace called from ``caller``; those that were used before come first."""
        found = collect(self._outermost() or None, self.names, caller)
        for key, names in found.by_tensor.items():
            tensor = found.tensors[names[0]]
            kept = self._tensors.get(tensor)
            if kept is None:
                self._tensors.put(tensor, names[0])
            elif kept != names[0] and found.tensors.get(kept, tensor) is tensor:
                found.by_tensor[key] = [kept, *(name for name in names if name != kept)]
                found.tensors[kept] = tensor
                if names[0] in found.homes:
                    found.homes.setdefault(kept, found.homes[names[0]])
        for tensor, name in self._tensors.alive():
            if id(tensor) not in found.by_tensor and name not in found.tensors:
                found.by_tensor[id(tensor)] = [name]
                found.tensors[name] = tensor
        return found

    def name(self, tensor: torch.Tensor, caller: FrameType | None = None) -> str:
        """What a tensor is called, now and later; "(unnamed)" where nothing names it."""
        name = self._tensors.get(tensor)
        if name is None:
            code = 0 if caller is None else id(caller.f_code)
            if self._nameless.get(tensor) == code:
                return UNNAMED
            name = self.collect(caller).of(tensor)[0]
            if name is None:
                self._nameless.put(tensor, code)
        return name or UNNAMED

    def path(self, module: Module, inside: str | None = None) -> str | None:
        """The path of a module, None for one that is not known; of a shared one, that below ``inside`` if any is."""
        paths = self._paths.get(module)
        if paths is None:
            return None
        if inside and len(paths) > 1:
            return next((path for path in paths if path.startswith(f"{inside}.")), paths[0])
        return paths[0]

    def optimizer(self, optimizer: Optimizer, caller: FrameType | None = None) -> str:
        """What an optimizer is called."""
        for name, one in self.optimizers.items():
            if one is optimizer:
                return name
        called = self._called.get(optimizer)
        if called is None and caller is not None:
            called = _variable(optimizer, caller)
            if called is not None:
                self._called.put(optimizer, called)
        return called or type(optimizer).__name__

    def meet(self, thing: Any, caller: FrameType | None, inside: str | None = None) -> None:
        """A module is called (by the module at path ``inside``), or an optimizer made or used: now it is known."""
        if isinstance(thing, Optimizer):
            self.optimizer(thing, caller)
        elif isinstance(thing, Module) and self._paths.get(thing) is None:
            self._list_paths()  # it may have been added to a module that is known
            if self._paths.get(thing) is None:
                outer, name = self._holder(thing, caller, inside)
                self._met.put(outer, name)
                self._list(outer, name)

    def _holder(self, module: Module, caller: FrameType | None, inside: str | None) -> tuple[Module, str]:
        """The outermost module among the caller's variables that contains this one, and its name."""
        found = None if caller is None else collect(self._outermost() or None, self.names, caller)
        outer, name = module, None
        for variable, one in () if found is None else found.outer.items():
            if any(inner is module for _, inner in walk_module(one)):
                outer, name = one, variable
                break
        if inside is None and name is not None:
            return outer, self._free(name, outer)
        function = "" if caller is None else caller.f_code.co_name
        called = f"{function}()" if function.isidentifier() else type(module).__name__
        return outer, self._free(".".join(filter(None, (inside, called, name))), outer)

    def _free(self, name: str, module: Module) -> str:
        """The name, or a further one if another living module has it."""
        taken = {path for path, one in self._outermost().items() if one is not module}
        free, count = name, 2
        while free in taken:
            free, count = f"{name or type(module).__name__}_{count}", count + 1
        return free

    def _outermost(self) -> dict[str, Module]:
        return {**{name: module for module, name in self._met.alive()}, **self.modules}

    def _list_paths(self) -> None:
        for name, module in self._outermost().items():
            self._list(module, name)

    def _list(self, outer: Module, name: str) -> None:
        paths: dict[int, tuple[Module, list[str]]] = {}
        for path, module in walk_module(outer, name):
            paths.setdefault(id(module), (module, []))[1].append(path)
        for module, mine in paths.values():
            if self._paths.get(module) is None:
                self._paths.put(module, tuple(mine))


def _variable(thing: object, caller: FrameType) -> str | None:
    """The variable, or attribute of ``self``, that holds an object."""
    for name, value in (*local_variables(caller), *local_items(caller), *caller.f_globals.items()):
        if value is thing:
            return name
    return None
