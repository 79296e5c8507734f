"""Forwards: calls of modules that no other module was running."""

from __future__ import annotations

import sys

from torch.nn import Module

from gradviz.capture.module_calls import is_running
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.recording import ForwardCalled


class Forwards(Observer):
    """Events ForwardCalled, and exceptions that leave the outermost module."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._depth = 0
        self._root = 0  # id of the outermost module that runs
        self._raised: list[bool] = []  # of its event
        self._handled: int | None = None  # id of the exception that was being handled when it was called

    def enter(self) -> None:
        """Listen to the calls of all modules."""
        self.session.module_calls.begun.append(self._begin)
        self.session.module_calls.ended.append(self._end)

    def before(self, run: Run) -> None:
        """Torch tells a module's hooks nothing of KeyboardInterrupt and its like: look whether a module is running."""
        if self._depth and not run.nested and not is_running():
            self._depth = 0

    def _begin(self, module: Module) -> None:
        session = self.session
        if self._depth and self._root == id(module) and not is_running(2):  # the call that begins is the only one
            self._depth = 0
        self._depth += 1
        if self._depth > 1:
            return
        frame = session.frame()
        session.known.meet(module, frame)
        path, cls, training = session.known.path(module), type(module).__name__, module.training
        where, number, raised = session.code.source(frame), session.step, [False]
        self._root, self._raised, self._handled = id(module), raised, _handled()
        session.add(lambda: ForwardCalled(where, number, cls if path is None else path, cls, training, raised[0]))

    def _end(self, _: Module) -> None:
        if not self._depth:
            return
        self._depth -= 1
        error = sys.exc_info()[1]
        if not self._depth and error is not None and id(error) != self._handled:
            self._raised[0] = True
            self.session.raised(error)


def _handled() -> int | None:
    error = sys.exc_info()[1]
    return None if error is None else id(error)
