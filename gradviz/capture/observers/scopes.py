"""Scopes: the module that ran when a node was made, from torch's global hooks around every forward.

Nodes of a module's own forward hooks, which run after its forward, belong to the module that called it.
"""

from __future__ import annotations

from torch.nn import Module

from gradviz.capture.module_calls import is_running
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session


class Scopes(Observer):
    """Tells the session's origins of modules, and meets modules that are not known."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._stack: list[tuple[int, str]] = []  # id and path of the modules that run, the innermost last

    def enter(self) -> None:
        """Listen to the calls of all modules."""
        self.session.module_calls.begun.append(self._begin)
        self.session.module_calls.ended.append(self._end)

    def leave(self) -> None:
        """Forget what was running."""
        self._stack = []

    def before(self, run: Run) -> None:
        """Torch tells a module's hooks nothing of KeyboardInterrupt and its like: look whether a module is running."""
        if self._stack and not run.nested and not is_running():
            self._stack = []
            self.session.origins.entered(None)

    def _begin(self, module: Module) -> None:
        session, stack = self.session, self._stack
        if stack and stack[0][0] == id(module) and not is_running(2):  # the call that begins is the only one
            stack.clear()
        inside = stack[-1][1] if stack else None
        path = session.known.path(module, inside)
        if path is None:
            session.known.meet(module, session.frame(), inside)
            path = session.known.path(module, inside) or ""
        stack.append((id(module), path))
        if path not in session.origins.classes:
            session.origins.classes[path] = type(module).__name__
        session.origins.entered(path)

    def _end(self, module: Module) -> None:
        stack = self._stack
        for place in range(len(stack) - 1, -1, -1):  # those above it were interrupted
            if stack[place][0] == id(module):
                del stack[place:]
                self.session.origins.entered(stack[-1][1] if stack else None)
                return
