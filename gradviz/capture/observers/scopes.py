"""Scopes: the module that ran when a node was made, from torch's global hooks around every forward.

Nodes of a module's own forward hooks, which run after its forward, belong to the module that called it.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session

_CALL = Module._call_impl.__code__


class Scopes(Observer):
    """Tells the session's origins of modules, and meets modules that are not known."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._stack: list[tuple[int, str]] = []  # id and path of the modules that run, the innermost last
        self._handles: list[Any] = []

    def enter(self) -> None:
        """Hook into the calls of all modules."""
        self._handles = [
            register_module_forward_pre_hook(self._begin),
            register_module_forward_hook(self._end, always_call=True),
        ]

    def leave(self) -> None:
        """Take the hooks away."""
        for handle in self._handles:
            handle.remove()
        self._stack = []

    def before(self, run: Run) -> None:
        """Torch tells a module's hooks nothing of KeyboardInterrupt and its like: look whether a module is running."""
        if self._stack and not run.nested and not _is_running():
            self._stack = []
            self.session.origins.entered(None)

    def _begin(self, module: Module, _: Any) -> None:
        session, stack = self.session, self._stack
        if threading.get_ident() != session.thread:
            return
        if stack and stack[0][0] == id(module) and not _is_running(2):  # the call that begins is the only one
            stack.clear()
        inside = stack[-1][1] if stack else None
        path = session.known.path(module, inside)
        if path is None:
            session.known.meet(module, session.code.frame(sys._getframe(1)), inside)
            path = session.known.path(module, inside) or ""
        stack.append((id(module), path))
        if path not in session.origins.classes:
            session.origins.classes[path] = type(module).__name__
        session.origins.entered(path)

    def _end(self, module: Module, _args: Any, _result: Any) -> None:
        if threading.get_ident() != self.session.thread:
            return
        stack = self._stack
        for place in range(len(stack) - 1, -1, -1):  # those above it were interrupted
            if stack[place][0] == id(module):
                del stack[place:]
                self.session.origins.entered(stack[-1][1] if stack else None)
                return


def _is_running(calls: int = 1) -> bool:
    """Whether so many calls of modules are among the frames of this thread."""
    frame = sys._getframe(1)
    while calls and frame is not None:
        calls -= frame.f_code is _CALL
        frame = frame.f_back  # type: ignore[assignment]
    return not calls
