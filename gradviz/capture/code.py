"""Which code is the user's, and which of its lines is running.

The user's code is what lies neither in Python's library nor in site-packages (torch, gradviz and frameworks such as a
trainer do), so that under a framework the line is still one that the user can change. Folders in ``own`` count as the
user's wherever they lie.
"""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, TracebackType

import torch

from gradviz.capture.where import short_path
from gradviz.recording import Source

_INSTALLED = ("site-packages", "dist-packages")
_HANDED_ON = ("__torch_function__", "__torch_dispatch__")
_GRADVIZ = Path(__file__).parents[1]


class UserCode:
    """Tells the user's frames from all others; answers are kept by file name.

    Args:
        own: folders or files that are the user's although they are installed.
    """

    def __init__(self, own: Iterable[str | Path] = ()) -> None:
        self._own = tuple(Path(folder).absolute() for folder in own)
        library = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
        installed = [Path(folder) for folder in (*site.getsitepackages(), site.getusersitepackages())]
        self._foreign = (*library, *installed, Path(torch.__file__).parent, _GRADVIZ)
        self._known: dict[str, bool] = {}
        self._sources: dict[tuple[CodeType, int], Source] = {}
        # By the code's id and the instruction: hashing a code object, or asking a frame for its line, takes longer.
        self._at: dict[tuple[int, int], tuple[Source, CodeType]] = {}

    def is_user(self, filename: str) -> bool:
        """Whether code of this file is the user's."""
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self._judge(filename)
        return known

    def frame(self, start: FrameType | None) -> FrameType | None:
        """The innermost of the user's frames from ``start`` outwards, None if there is none.

        A mode or tensor class of the user's, which only hands calls on, is passed over.
        """
        known = self._known
        while start is not None:
            filename = start.f_code.co_filename
            mine = known[filename] if filename in known else self.is_user(filename)
            if mine and start.f_code.co_name not in _HANDED_ON:
                return start
            start = start.f_back
        return None

    def source(self, frame: FrameType | None) -> Source | None:
        """The line that a frame is at."""
        if frame is None:
            return None
        key = id(frame.f_code), frame.f_lasti
        found = self._at.get(key)
        if found is None:
            found = self._at[key] = self.place(frame.f_code, frame.f_lineno), frame.f_code
        return found[0]

    def place(self, code: CodeType, line: int) -> Source:
        """A line of a function."""
        found = self._sources.get((code, line))
        if found is None:
            function = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
            found = self._sources[code, line] = Source(short_path(code.co_filename), line, function)
        return found

    def frames_of(self, traceback: TracebackType | None) -> Iterator[Source]:
        """The user's lines of a traceback, outermost first."""
        while traceback is not None:
            if self.is_user(traceback.tb_frame.f_code.co_filename):
                yield self.place(traceback.tb_frame.f_code, traceback.tb_lineno)
            traceback = traceback.tb_next

    def _judge(self, filename: str) -> bool:
        if filename.startswith("<"):  # "<stdin>", "<ipython-input-3-…>"; "<string>" is also made by dataclasses
            main = getattr(sys.modules.get("__main__"), "__file__", None)
            return filename == "<stdin>" or filename.startswith("<ipython") or (filename == "<string>" and main is None)
        path = Path(filename).absolute()
        if any(path.is_relative_to(folder) for folder in self._own):
            return True
        if any(part in _INSTALLED for part in path.parts):
            return False
        return not any(path.is_relative_to(folder) for folder in self._foreign)
