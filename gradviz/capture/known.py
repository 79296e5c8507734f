"""Known: the modules, optimizers and names of a watch, given or discovered."""

from __future__ import annotations

from collections.abc import Mapping
from types import FrameType
from typing import Any

import torch
from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.names import Named, Names, collect


class Known:
    """What a watch knows by name. (Being written: discovery, stable names.)"""

    def __init__(self, modules: Mapping[str, Module], optimizers: Mapping[str, Optimizer], names: Named) -> None:
        self.modules, self.optimizers, self.names = dict(modules), dict(optimizers), names

    def collect(self, caller: FrameType | None) -> Names:
        """The names of live tensors, for a trace called from ``caller``."""
        return collect(self.modules or None, self.names, caller)

    def name(self, tensor: torch.Tensor, caller: FrameType | None = None) -> str:
        """What a tensor is called, now and later; "(unnamed)" where nothing names it."""
        return self.collect(caller).of(tensor)[0] or "(unnamed)"

    def path(self, module: Module) -> str | None:
        """The path of a module, None for one that is not known."""
        for name, outer in self.modules.items():
            for path, one in outer.named_modules(prefix=name):
                if one is module:
                    return path
        return None

    def optimizer(self, optimizer: Optimizer, caller: FrameType | None = None) -> str:
        """What an optimizer is called."""
        for name, one in self.optimizers.items():
            if one is optimizer:
                return name
        return type(optimizer).__name__

    def meet(self, thing: Any, caller: FrameType | None) -> None:
        """A root module is called, or an optimizer made or used: from now on it is known."""
