"""A function -> its name and the file:line that defines it, without running any of its code.

File names are shortened to what an import of the file would start from (``model.py:12``,
``torch/utils/checkpoint.py:90``), so that the same program is described in the same words wherever it is installed.
"""

from __future__ import annotations

import functools
import inspect
import sys
from pathlib import Path
from types import CodeType
from typing import Any


def describe(function: Any) -> tuple[str, str | None]:
    """Name and ``file:line`` of a function, method, partial or callable object; the line is None for built-in code."""
    while isinstance(function, functools.partial):
        function = function.func
    code = _code(function)
    if code is None:
        kind = type(function)
        code = _code(inspect.getattr_static(kind, "__call__", None))
        name = getattr(function, "__qualname__", None) if code is None else f"{kind.__qualname__}.__call__"
        return _text(name) or kind.__qualname__, code and line(code.co_filename, code.co_firstlineno)
    return _text(getattr(function, "__qualname__", None)) or code.co_name, line(code.co_filename, code.co_firstlineno)


def line(filename: str, number: int) -> str:
    """``file:line`` with the file's name shortened."""
    return f"{short_path(filename)}:{number}"


@functools.lru_cache(maxsize=4096)
def short_path(filename: str) -> str:
    """The file's path below the nearest entry of ``sys.path``, with forward slashes; else its base name."""
    file = Path(filename)
    for folder in sorted({Path(entry).absolute() for entry in sys.path}, key=lambda path: -len(path.parts)):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    return file.name


def _code(function: Any) -> CodeType | None:
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _text(value: Any) -> str | None:
    return value.replace(".<locals>", "") if isinstance(value, str) else None
