"""A function -> its name and the file:line that defines it, without running any of its code.

File names are shortened to what an import of the file would start from (``model.py:12``,
``torch/utils/checkpoint.py:90``), so that the same program is described in the same words wherever it is installed.
"""

from __future__ import annotations

import functools
import inspect
import sys
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any


def describe(function: Any) -> tuple[str, str | None]:
    """Name and ``file:line`` of a function, method, partial or callable object; the line is None for built-in code."""
    while True:  # asks its type, where isinstance would ask the object itself
        kind = type(function)
        if issubclass(kind, functools.partial):
            function = function.func
        elif kind is MethodType:
            function = function.__func__
        else:
            break
    if kind is FunctionType:
        code = function.__code__
        return function.__qualname__.replace(".<locals>", ""), line(code.co_filename, code.co_firstlineno)
    call = inspect.getattr_static(kind, "__call__", None)
    if isinstance(call, FunctionType):
        return f"{kind.__qualname__}.__call__", line(call.__code__.co_filename, call.__code__.co_firstlineno)
    name = getattr(function, "__qualname__", None)  # of something in C: that runs no code of the user's
    return name if isinstance(name, str) else kind.__qualname__, None


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
