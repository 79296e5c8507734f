"""ModuleCalls: every call of a module in the watched thread, from one pair of torch's global hooks around forward."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

_CALL = Module._call_impl.__code__


class ModuleCalls:
    """Tells listeners, in their order.

    ``begun(module)``: it is about to run. ``ended(module)``: it has run, or raised (``sys.exc_info`` tells). Of
    KeyboardInterrupt and its like torch tells the hooks nothing: ``running`` shows what is left of a call.
    """

    def __init__(self) -> None:
        self.begun: list[Callable[[Module], None]] = []
        self.ended: list[Callable[[Module], None]] = []
        self._thread = 0
        self._handles: list[Any] = []

    def enter(self) -> None:
        """Begin to see the calls of this thread."""
        self._thread = threading.get_ident()
        self._handles = [
            register_module_forward_pre_hook(self._begin),
            register_module_forward_hook(self._end, always_call=True),
        ]

    def leave(self) -> None:
        """Take the hooks away; it can be called again."""
        while self._handles:
            self._handles.pop().remove()
        self.begun, self.ended = [], []

    def _begin(self, module: Module, _: Any) -> None:
        if threading.get_ident() == self._thread:
            for tell in self.begun:
                tell(module)

    def _end(self, module: Module, _args: Any, _result: Any) -> None:
        if threading.get_ident() == self._thread:
            for tell in self.ended:
                tell(module)


def is_running(calls: int = 1) -> bool:
    """Whether so many calls of modules are among the frames of this thread."""
    frame: FrameType | None = sys._getframe(1)
    while calls and frame is not None:
        calls -= frame.f_code is _CALL
        frame = frame.f_back
    return not calls
