"""The variables of the frame that calls ``trace``: what may give a tensor its name.

Reads dictionaries only. No code of the user's runs, and nothing that was read stays behind in the frame.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

import torch
from torch.nn import Module

_ENTRIES_LOOKED_AT = 1000  # per container


def local_variables(caller: FrameType) -> list[tuple[str, Any]]:
    """The frame's own variables, with the entries of containers and the attributes of ``self``."""
    return list(_with_contents(local_items(caller)))


def global_variables(caller: FrameType) -> list[tuple[str, Any]]:
    """The variables of the module in which a function stands, with the entries of containers; none elsewhere."""
    is_function = caller.f_code.co_flags & inspect.CO_OPTIMIZED
    return list(_with_contents(_public(caller.f_globals))) if is_function else []


def _with_contents(items: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    for name, value in items:
        if is_module(value) or is_tensor(value):
            yield name, value
        if type(value) in (list, tuple):
            yield from ((f"{name}[{position}]", entry) for position, entry in enumerate(value[:_ENTRIES_LOOKED_AT]))
        elif type(value) is dict and len(value) <= _ENTRIES_LOOKED_AT:
            yield from ((f"{name}[{key!r}]", entry) for key, entry in value.items() if type(key) in (str, int))
        elif name == "self":
            yield from ((f"self.{key}", entry) for key, entry in _attributes(value).items())


def is_module(value: Any) -> bool:
    """Whether it is a module that is ready to be read; asks its type, where ``isinstance`` would ask a proxy itself."""
    return issubclass(type(value), Module) and "_modules" in _attributes(value)


def is_tensor(value: Any) -> bool:
    """Whether its type is one of tensors; a proxy is not asked."""
    return issubclass(type(value), torch.Tensor)


def _attributes(value: Any) -> dict[str, Any]:
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:  # it has slots
        return {}
    return attributes if type(attributes) is dict else {}


def local_items(caller: FrameType) -> list[tuple[str, Any]]:
    """The frame's own variables as they are, leaving no copy of them behind.

    Before Python 3.13, reading the locals of a function stores a snapshot of them in the frame, which would keep the
    user's tensors alive after ``del``. It is emptied again, unless somebody (``locals()``, a debugger) holds it.
    """
    snapshot = caller.f_locals
    if not caller.f_code.co_flags & inspect.CO_OPTIMIZED and type(snapshot) is not dict:
        return []  # exec with a mapping of the user's own
    items = _public(snapshot)
    is_snapshot = caller.f_code.co_flags & inspect.CO_OPTIMIZED and type(snapshot) is dict
    if is_snapshot and sys.getrefcount(snapshot) <= 3:  # the frame's, this function's and the argument's
        snapshot.clear()
    return items


def _public(variables: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Without private names and IPython's ``Out``, which say nothing about a tensor."""
    items = list(variables.items())  # at once: other threads may add to it
    return [(name, value) for name, value in items if type(name) is str and not name.startswith("_") and name != "Out"]
