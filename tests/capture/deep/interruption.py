"""A Ctrl-C at a chosen moment."""

from __future__ import annotations

import dis
import sys
from typing import Any


class Interruption:
    """Raises KeyboardInterrupt in some files at the n-th place at which the interpreter lets a signal in.

    That is where a function begins, after a call, and where a loop goes back.
    """

    def __init__(self, count: int, *modules: Any) -> None:
        self.count = count
        self.files = {module.__file__ for module in modules}
        self.where: str | None = None  # the function that was interrupted
        self.before: dict[Any, str] = {}

    def __enter__(self) -> Interruption:
        sys._getframe().f_trace_opcodes = True  # Python 3.12 reports no opcodes otherwise
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        self.before.clear()

    def _trace(self, frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in self.files:
            return None
        frame.f_trace_opcodes = True
        before = self.before.pop(frame, "")
        now = dis.opname[frame.f_code.co_code[frame.f_lasti]]
        if event == "opcode":
            self.before[frame] = now
        if event == "call" or before.startswith("CALL") or "JUMP_BACK" in now or now == "JUMP_ABSOLUTE":
            self.count -= 1
            if not self.count:
                self.where = frame.f_code.co_name
                self.before.clear()
                raise KeyboardInterrupt
        return self._trace
