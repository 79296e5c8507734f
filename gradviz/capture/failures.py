"""Failures: exceptions as events, each once however many observed calls it passes on its way.

No exception, traceback or frame is kept: tensors live there. Two are the same where type, text and the user's frames
are, and the later traceback is longer: it has passed further frames.
"""

from __future__ import annotations

import sys
from types import TracebackType

from gradviz.capture.code import UserCode
from gradviz.recording import ExceptionRaised, Source


class Failures:
    """Exceptions of one watch.

    Args:
        code: tells the user's frames.
    """

    def __init__(self, code: UserCode) -> None:
        self._code = code
        self._last: ExceptionRaised | None = None
        self._position = self._passed = 0  # of the last one: its event, and the frames that it had passed

    def tell(self, error: BaseException, step: int, *, ended: bool) -> tuple[ExceptionRaised | None, int | None]:
        """The event of an exception that is being handled, and the position of the one that it has already.

        There is no event for torch's own signals: checkpointing raises and catches ``_StopRecomputationError``
        (torch 2.10 to 2.14).
        """
        kind = type(error)
        if kind.__name__.startswith("_") and kind.__module__.partition(".")[0] == "torch":
            return None, None
        frames = self._frames(error)
        told = ExceptionRaised(frames[-1] if frames else None, step, kind.__name__, text(error), frames, ended)
        passed = _length(error.__traceback__)
        last, before, self._passed = self._last, self._passed, passed
        if last is None or last[2:5] != told[2:5] or passed <= before:
            return told, None
        return told, self._position

    def keep(self, told: ExceptionRaised, position: int) -> None:
        """Remember the event that was told last."""
        self._last, self._position = told, position

    def _frames(self, error: BaseException) -> tuple[Source, ...]:
        """The user's frames: those that call the one that handles it, then those that it has left."""
        code, traceback = self._code, error.__traceback__
        outer = sys._getframe(1) if traceback is None else traceback.tb_frame.f_back
        callers = []
        while (outer := code.frame(outer)) is not None:
            callers.append(code.place(outer.f_code, outer.f_lineno))
            outer = outer.f_back
        return (*reversed(callers), *code.frames_of(traceback))


def _length(traceback: TracebackType | None) -> int:
    length = 0
    while traceback is not None:
        length, traceback = length + 1, traceback.tb_next
    return length


def text(error: BaseException) -> str:
    """Its text; empty where the user's own ``__str__`` fails."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001  # anything may happen there
        return ""
