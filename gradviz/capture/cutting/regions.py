"""Regions: which of the user's lines switched gradients off where they are off.

torch's context managers are tapped where they begin and end: as a ``with`` block, as a decorator (then the line is
that of the decorator) and as a call (``torch.set_grad_enabled(False)``). What C++ switches off, for the forward of a
custom Function, is told from the frames, and only when somebody asks.
"""

from __future__ import annotations

import linecache
import re
import sys
from inspect import unwrap
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import torch

from gradviz.capture.cutting.places import is_of_torch, outside
from gradviz.capture.session import Session
from gradviz.recording import Source
from gradviz.recording.facts import CutKind

_DECORATOR = re.compile(r"\b(no_grad|inference_mode|set_grad_enabled)\b")
_HEAD = re.compile(r"\s*(async\s+def|def|class)\b")


class Region(NamedTuple):
    """``kind`` is None where gradients are switched on. ``called`` tells that no block ends it."""

    key: int  # id of the context manager
    kind: CutKind | None
    opened: Source | None
    called: bool = False
    number: int = 0  # in the order in which regions were opened, from 1


class Regions:
    """The regions that are open, the innermost last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: list[Region] = []
        self._decorators: dict[CodeType, int] = {}
        self._count = 0

    def enter(self) -> None:
        """Begin to listen; taken away with the taps of the session."""
        taps = self._session.taps
        for manager in (torch.no_grad, torch.enable_grad, torch.inference_mode, torch.set_grad_enabled):
            taps.add(manager, "__enter__", self._enter)
            taps.add(manager, "__exit__", self._exit)
        taps.add(torch.set_grad_enabled, "__init__", self._call)

    def current(self) -> Region | None:
        """The region that switched gradients off; None where they are on.

        Called while the user's call is on the stack.
        """
        if torch.is_grad_enabled():
            return None
        if self._open and self._open[-1].kind is not None:
            return self._open[-1]
        code = self._session.code
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "apply" and is_of_torch(frame, "autograd/function.py"):
                return Region(0, "custom_function", code.source(code.frame(frame)))
            frame = frame.f_back
        return Region(0, "inference_mode" if torch.is_inference_mode_enabled() else "no_grad", None)

    def _enter(self, call: Any, manager: Any) -> Any:
        result = call(manager)
        if self._open and self._open[-1].key == id(manager) and self._open[-1].called:
            self._open[-1] = self._open[-1]._replace(called=False)
        else:
            self._open.append(self._region(manager, sys._getframe(1)))
        return result

    def _exit(self, call: Any, manager: Any, *error: Any) -> Any:
        result = call(manager, *error)
        for place in reversed(range(len(self._open))):
            if self._open[place].key == id(manager):
                del self._open[place]
                break
        return result

    def _call(self, call: Any, manager: Any, mode: Any) -> None:
        call(manager, mode)
        caller = outside(sys._getframe(1))
        if caller is None or is_of_torch(caller, "autograd/grad_mode.py"):
            return  # part of one of the others
        if self._open and self._open[-1].called:
            self._open.pop()
        self._open.append(self._region(manager, caller)._replace(called=True))

    def _region(self, manager: Any, frame: FrameType | None) -> Region:
        kind: CutKind | None = None
        if isinstance(manager, torch.no_grad):
            kind = "no_grad"
        elif isinstance(manager, torch.inference_mode):
            kind = "inference_mode" if manager.mode else None
        elif isinstance(manager, torch.set_grad_enabled):
            kind = None if manager.mode else "grad_disabled"
        if kind is None:
            return Region(id(manager), None, None)
        caller = outside(frame)
        if caller is not None and is_of_torch(caller, "utils/checkpoint.py"):
            kind = "checkpoint"
        self._count += 1
        return Region(id(manager), kind, self._opened(caller), number=self._count)

    def _opened(self, caller: FrameType | None) -> Source | None:
        code = self._session.code
        if caller is not None and is_of_torch(caller, "utils/_contextlib.py"):
            function = caller.f_locals.get("func")
            function = unwrap(function) if type(function) is FunctionType else None
            if function is not None and code.is_user(function.__code__.co_filename):
                line = self._decorated(function.__code__)
                if line:
                    return code.place(function.__code__, line)
        return code.source(code.frame(caller))

    def _decorated(self, code: CodeType) -> int:
        """The line of the decorator, which stands above the function; 0 where it does not."""
        line = self._decorators.get(code)
        if line is None:
            line = self._decorators[code] = _find_decorator(code)
        return line


def _find_decorator(code: CodeType) -> int:
    number = code.co_firstlineno  # since Python 3.8 that of the first decorator
    for text in linecache.getlines(code.co_filename)[number - 1 :]:
        if _HEAD.match(text):
            break
        if _DECORATOR.search(text):
            return number
        number += 1
    return 0
