"""Taps: places in torch where a watch listens, by replacing an attribute for as long as any watch wants it.

Rules: an attribute is replaced once, however many watches there are, and put back when the last one leaves. A call goes
to the watches of its own thread only, the innermost first; without one, straight to what was there. Where somebody else
has replaced the attribute in the meantime, theirs stays, and ours inside it only passes calls on.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

# around(call, *args, **kwargs) calls ``call(*args, **kwargs)`` itself, once, and returns what that returns.
Around: TypeAlias = Callable[..., Any]

_lock = threading.RLock()
_taps: dict[tuple[int, str], _Tap] = {}


class _Tap:
    """One replaced attribute."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name
        self.own = name in vars(owner)  # else it is inherited, and is deleted again instead of being put back
        self.original = vars(owner)[name] if self.own else getattr(owner, name)
        self.listeners: list[tuple[int, Around]] = []  # of which thread, the outermost watch first
        original, listeners = self.original, self.listeners

        @functools.wraps(original)
        def tapped(*args: Any, **kwargs: Any) -> Any:
            call: Any = original
            here = threading.get_ident()
            for thread, around in tuple(listeners):
                if thread == here:
                    call = functools.partial(around, call)
            return call(*args, **kwargs)

        self.replacement = tapped
        setattr(owner, name, tapped)

    def restore(self) -> None:
        if vars(self.owner).get(self.name) is self.replacement:
            if self.own:
                setattr(self.owner, self.name, self.original)
            else:
                delattr(self.owner, self.name)


class Taps:
    """The taps of one watch.

    Args:
        thread: identity of the thread whose calls are wanted.
    """

    def __init__(self, thread: int) -> None:
        self._thread = thread
        self._mine: list[tuple[tuple[int, str], tuple[int, Around]]] = []

    def add(self, owner: Any, name: str, around: Around) -> None:
        """Listen to calls of ``owner.name``, a plain function of a module or a method of a class.

        Nothing happens where this version of torch has no such attribute.
        """
        if not hasattr(owner, name):
            return
        key, listener = (id(owner), name), (self._thread, around)
        with _lock:
            if key not in _taps:
                _taps[key] = _Tap(owner, name)
            _taps[key].listeners.append(listener)
        self._mine.append((key, listener))

    def leave(self) -> None:
        """Stop listening; put back every attribute to which nobody listens any more."""
        with _lock:
            while self._mine:
                key, listener = self._mine.pop()
                tap = _taps[key]
                tap.listeners.remove(listener)
                if not tap.listeners:
                    tap.restore()
                    del _taps[key]
