"""The memory behind plain data."""

from __future__ import annotations

import gc
import sys
from typing import Any


def deep_size(value: Any) -> int:
    """Bytes of a value and of everything that it refers to, each object once, classes left out."""
    seen: set[int] = set()
    waiting = [value]
    size = 0
    while waiting:
        part = waiting.pop()
        if id(part) not in seen and not isinstance(part, type):
            seen.add(id(part))
            size += sys.getsizeof(part)
            waiting += gc.get_referents(part)
    return size
