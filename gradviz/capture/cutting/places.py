"""Places: the user's line from which torch was called, and whether it made the call itself."""

from __future__ import annotations

from pathlib import Path
from types import FrameType
from typing import NamedTuple

import torch

from gradviz.capture.code import UserCode

_USER, _THROUGH, _LIBRARY, _OPTIMIZER = range(4)
_TORCH = Path(torch.__file__).parent
_TORCH_FOLDER = _TORCH.as_posix()  # a path object for each call would take longer than the rest
_GRADVIZ = str(Path(__file__).parents[2])
# A call that the user wrote goes through these on its way to a function mode.
_PASSAGES = {
    str(_TORCH / name)
    for name in (
        "overrides.py",
        "functional.py",
        "nn/functional.py",
        "nn/parameter.py",
        "_tensor.py",
        "_ops.py",
        "utils/_contextlib.py",
    )
}
# What these cut goes on by other means: a gradient by hand, a copy that is told as one.
_INTERNAL = {
    (str(_TORCH / "utils/checkpoint.py"), "detach_variable"),
    (str(_TORCH / "nn/parameter.py"), "__deepcopy__"),
}


class Place(NamedTuple):
    """``frame`` is the user's innermost frame; ``direct`` tells that no library stands between it and the call."""

    frame: FrameType | None
    direct: bool


class Places:
    """Looks for the user's line; remembers what each file is."""

    def __init__(self, code: UserCode) -> None:
        self._code = code
        self._files: dict[str, int] = {}

    def find(self, frame: FrameType | None) -> Place | None:
        """The place, from a frame of gradviz outwards; None where torch itself knows what it does."""
        files, direct = self._files, True
        while frame is not None:
            code = frame.f_code
            kind = files.get(code.co_filename)
            if kind is None:
                kind = files[code.co_filename] = self._kind(code.co_filename)
            if kind == _USER:
                return Place(frame, direct)
            if kind == _OPTIMIZER or (code.co_filename, code.co_name) in _INTERNAL:
                return None
            direct = direct and kind == _THROUGH
            frame = frame.f_back
        return Place(None, False)

    def _kind(self, filename: str) -> int:
        if self._code.is_user(filename):
            return _USER
        if filename.startswith(_GRADVIZ) or filename in _PASSAGES:
            return _THROUGH
        return _OPTIMIZER if Path(filename).is_relative_to(_TORCH / "optim") else _LIBRARY


def outside(frame: FrameType | None) -> FrameType | None:
    """The first frame that is not gradviz's own."""
    while frame is not None and frame.f_code.co_filename.startswith(_GRADVIZ):
        frame = frame.f_back
    return frame


def is_of_torch(frame: FrameType, file: str) -> bool:
    """Whether it runs code of one file of torch."""
    return frame.f_code.co_filename == f"{_TORCH_FOLDER}/{file}"
