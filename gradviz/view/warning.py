"""Warns about a picture, at the user's line.

A picture is laid out when a format is first needed, some calls deep inside gradviz, and a warning shown there would
tell nobody what to change.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType


def warn(message: str) -> None:
    """Issue a UserWarning that points at the nearest line outside of gradviz."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and _is_inside(frame):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def _is_inside(frame: FrameType) -> bool:
    """Whether a frame is gradviz's, or one of functools, whose cached properties stand between those."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] in ("gradviz", "functools")
