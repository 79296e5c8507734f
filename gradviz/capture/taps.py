"""Taps: places in torch where a watch listens, by replacing an attribute for as long as any watch wants it.

Rules: an attribute is replaced once, however many watches there are, and put back when the last one leaves. A call goes
to the watches of its own thread only, the innermost first; without one, straight to what was there, and whoever wants
to hear of calls ``elsewhere`` is told. Where somebody else has replaced the attribute in the meantime, theirs stays,
and ours inside it only passes calls on.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import torch

# around(call, *args, **kwargs) calls ``call(*args, **kwargs)`` itself, once, and returns what that returns.
Around: TypeAlias = Callable[..., Any]
Elsewhere: TypeAlias = Callable[[], None]
Listener: TypeAlias = tuple[int, Around, Elsewhere | None]  # the first is its thread

_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # a child process must not inherit it locked by a thread that it does not have
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
_taps: dict[tuple[int, str], _Tap] = {}
_quiet: set[int] = set()  # threads in which only gradviz itself is at work


@contextmanager
def quiet() -> Iterator[None]:
    """While gradviz itself calls torch in this thread, nobody listens."""
    here = threading.get_ident()
    _quiet.add(here)
    try:
        yield
    finally:
        _quiet.discard(here)


class _Tap:
    """One replaced attribute."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name
        own = getattr(owner, "__dict__", None)  # a closure's cell has none
        self.own = own is None or name in own  # else it is inherited, and is deleted again instead of being put back
        self.original = getattr(owner, name) if own is None or name not in own else own[name]
        self.listeners: list[Listener] = []  # the outermost watch first
        original, listeners = self.original, self.listeners

        @functools.wraps(original)
        def tapped(*args: Any, **kwargs: Any) -> Any:
            call: Any = original
            here = threading.get_ident()
            if here in _quiet:
                return original(*args, **kwargs)
            current = tuple(listeners)
            for thread, around, _ in current:
                if thread == here:
                    call = functools.partial(around, call)
            if call is original:
                for _, _, elsewhere in current:
                    if elsewhere is not None:
                        elsewhere()
            return call(*args, **kwargs)

        self.replacement = tapped
        setattr(owner, name, tapped)

    def restore(self) -> None:
        if getattr(self.owner, self.name, None) is self.replacement:
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
        self._mine: list[tuple[tuple[int, str], Listener]] = []

    def add(self, owner: Any, name: str, around: Around, elsewhere: Elsewhere | None = None) -> None:
        """Listen to calls of ``owner.name``: a function of a module, a method of a class, what a closure's cell holds.

        ``elsewhere`` is told of calls in threads that nobody watches. Nothing happens where this version of torch has
        no such attribute.
        """
        if not hasattr(owner, name):
            return
        key, listener = (id(owner), name), (self._thread, around, elsewhere)
        with _lock:
            if key not in _taps:
                _taps[key] = _Tap(owner, name)
            _taps[key].listeners.append(listener)
        self._mine.append((key, listener))

    def around_engine(self, around: Around, elsewhere: Elsewhere | None = None) -> None:
        """Listen to every run of the engine: two modules call it, each by a name of its own (torch 2.10 to 2.14)."""
        for caller in (torch.autograd, torch.autograd.graph):
            self.add(caller, "_engine_run_backward", around, elsewhere)

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
