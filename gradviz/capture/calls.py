"""Calls: the function mode of a watch. It sees every outermost call of torch's Python API in its thread.

Rules: it changes neither arguments nor results. Whoever listens is called after the call has returned, with the mode
off, so what a listener does with tensors is not seen. Only who listens ``before`` is called ahead. The mode leaves the
stack of modes from wherever it stands in it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import torch
from torch.overrides import TorchFunctionMode

next_number: Callable[[], int] = torch._C._autograd._get_sequence_nr  # of the next node made in this thread

Made: TypeAlias = Callable[[int, int], None]  # first number of the nodes that a call made, and the number after them
Returned: TypeAlias = Callable[[Any, tuple[Any, ...], Mapping[str, Any], Any, bool], None]
Before: TypeAlias = Callable[[tuple[Any, ...], Mapping[str, Any]], None]
Raised: TypeAlias = Callable[[Any, BaseException], None]

_NONE: Mapping[str, Any] = {}
_PENDING_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_MOST_TRIES = 100_000  # of leaving the stack from outside; one costs about a microsecond


class Calls(TorchFunctionMode):
    """Tells listeners of calls.

    ``made(first, end)``: a call made the autograd nodes numbered ``first`` to ``end - 1``; the calling frames are still
    on the stack. ``returned(function, args, kwargs, result, made_nodes)``: it returned. ``particular[function]``: the
    same, of one function. ``before[function]`` is told its arguments ahead of the call. ``raised(function, error)``: it
    raised, and goes on to raise.
    """

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Made] = []
        self.returned: list[Returned] = []
        self.particular: dict[Any, list[Returned]] = {}
        self.before: dict[Any, list[Before]] = {}
        self.raised: list[Raised] = []
        self.on = False
        self._thread = 0
        self._engines = 0  # runs of the engine inside one of its calls, each with this mode on the stack again
        self._paused = 0  # regions of torch's own code that are running, without this mode
        self._gone = False  # for good
        self._tries = 0

    def enter(self) -> None:
        """Begin to see the calls of this thread."""
        self.on, self._thread = True, threading.get_ident()
        torch._C._push_on_torch_function_stack(self)

    def leave(self) -> None:
        """Stop, and leave the stack of modes if that is possible now; it can be called again.

        It is not possible in another thread (a generator that is closed there), nor while one of its own calls runs,
        because torch has put it aside then. It falls silent, and the main thread takes it off as soon as it can.
        """
        self.on = False
        self.made, self.returned, self.particular, self.before, self.raised = [], [], {}, {}, []
        if self._paused:  # it is off the stack, and ``resume`` will not put it back
            self._gone = True
        if self._engines or self._gone:
            return
        if threading.get_ident() == self._thread and self._take_off():
            self._gone = True
        else:
            self._leave_later()

    def pause(self) -> bool:
        """Leave the stack while code of torch's own runs in which nobody is interested: it makes many small calls.

        Only from the top of the stack, where it can return to: False elsewhere, and nothing happens.
        """
        top = torch._C._len_torch_function_stack() - 1
        if not self.on or top < 0 or torch._C._get_function_stack_at(top) is not self:
            return False
        torch._C._pop_torch_function_stack()
        self._paused += 1
        return True

    def resume(self) -> None:
        """Return to the stack, unless the watch has left in the meantime."""
        self._paused -= 1
        if self.on:
            torch._C._push_on_torch_function_stack(self)

    def around_engine(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the engine with this mode on, also inside a call such as Tensor.backward: its hooks are seen as well."""
        if not self.on or self._is_there():
            return call(*args, **kwargs)
        self._engines += 1
        torch._C._push_on_torch_function_stack(self)
        try:
            return call(*args, **kwargs)
        finally:
            self._take_off()
            self._engines -= 1
            if not self.on:
                self._leave_later()

    def around_question(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """Let ``torch.overrides.has_torch_function`` answer as without this mode.

        Torch's transformer and attention modules ask it, and leave their fast path for inference, whose results differ
        in the last bits (torch 2.13), wherever a mode is on.
        """
        paused = self.pause()
        try:
            return call(*args, **kwargs)
        finally:
            if paused:
                self.resume()

    def _leave_later(self) -> None:
        if self._thread == threading.main_thread().ident and self not in _silent:
            _silent.append(self)
            ctypes.pythonapi.Py_AddPendingCall(_take_off_silent, None)

    def _is_there(self) -> bool:
        """Whether it is on the stack now."""
        places = range(torch._C._len_torch_function_stack())
        return any(torch._C._get_function_stack_at(place) is self for place in places)

    def try_to_take_off(self) -> bool:
        """Whether there is nothing more to try."""
        self._tries += 1
        self._gone = self._gone or self._take_off()
        return self._gone or self._tries >= _MOST_TRIES

    def _take_off(self) -> bool:
        """Leave the stack; False where it is not on it."""
        above: list[Any] = []
        if not self._is_there():
            return False
        while (mode := torch._C._pop_torch_function_stack()) is not self:
            above.append(mode)
        for mode in reversed(above):
            torch._C._push_on_torch_function_stack(mode)
        return True

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Make the call, then tell of it."""
        if kwargs is None:
            kwargs = _NONE
        if not self.on:
            return func(*args, **kwargs)
        if func in self.before:
            for tell_before in tuple(self.before[func]):
                tell_before(args, kwargs)
        first = next_number()
        try:
            result = func(*args, **kwargs)
        except BaseException as error:
            for tell_raised in self.raised:
                tell_raised(func, error)
            raise
        end = next_number()
        if end > first:
            for tell_made in self.made:
                tell_made(first, end)
        for tell in self.returned:
            tell(func, args, kwargs, result, end > first)
        if func in self.particular:
            for tell in tuple(self.particular[func]):
                tell(func, args, kwargs, result, end > first)
        return result


_silent: list[Calls] = []  # in the main thread, to be taken off the stack


def _try(_: Any) -> int:
    """Runs in the main thread, between two of its instructions. What is put aside at the moment is tried again."""
    _silent[:] = [calls for calls in _silent if not calls.try_to_take_off()]
    if _silent:
        ctypes.pythonapi.Py_AddPendingCall(_take_off_silent, None)
    return 0


_take_off_silent = _PENDING_CALL(_try)
