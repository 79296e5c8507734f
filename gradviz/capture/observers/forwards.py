"""Forwards: calls of modules that no other module was running."""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.recording import ForwardCalled

_CALL = Module._call_impl.__code__


class Forwards(Observer):
    """Events ForwardCalled, and exceptions that leave the outermost module."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._depth = 0
        self._root = 0  # id of the outermost module that runs
        self._raised: list[bool] = []  # of its event
        self._handled: int | None = None  # id of the exception that was being handled when it was called
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

    def before(self, run: Run) -> None:
        """Torch tells a module's hooks nothing of KeyboardInterrupt and its like: look whether a module is running."""
        if self._depth and not run.nested and not _running():
            self._depth = 0

    def _begin(self, module: Module, _: Any) -> None:
        session = self.session
        if threading.get_ident() != session.thread:
            return
        if self._depth and self._root == id(module) and _running() < 2:  # the one that begins
            self._depth = 0
        self._depth += 1
        if self._depth > 1:
            return
        frame = session.code.frame(sys._getframe(1))
        session.known.meet(module, frame)
        path, cls, training = session.known.path(module), type(module).__name__, module.training
        where, number, raised = session.code.source(frame), session.step, [False]
        self._root, self._raised, self._handled = id(module), raised, _handled()
        session.add(lambda: ForwardCalled(where, number, cls if path is None else path, cls, training, raised[0]))

    def _end(self, _module: Module, _args: Any, _result: Any) -> None:
        if threading.get_ident() != self.session.thread or not self._depth:
            return
        self._depth -= 1
        error = sys.exc_info()[1]
        if not self._depth and error is not None and id(error) != self._handled:
            self._raised[0] = True
            self.session.raised(error)


def _handled() -> int | None:
    error = sys.exc_info()[1]
    return None if error is None else id(error)


def _running() -> int:
    """How many calls of modules are among the frames of this thread."""
    frame: FrameType | None = sys._getframe(1)
    calls = 0
    while frame is not None:
        calls += frame.f_code is _CALL
        frame = frame.f_back
    return calls
