"""Calls: the function mode of a watch. It sees every outermost call of torch's Python API in its thread.

Rules: it changes neither arguments nor results. Whoever listens is called after the call has returned, with the mode
off, so what a listener does with tensors is not seen. The mode leaves the stack of modes from wherever it stands in it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import torch
from torch.overrides import TorchFunctionMode

next_number: Callable[[], int] = torch._C._autograd._get_sequence_nr  # of the next node made in this thread

Made: TypeAlias = Callable[[int, int], None]  # first number of the nodes that a call made, and the number after them
Returned: TypeAlias = Callable[[Any, tuple[Any, ...], Mapping[str, Any], Any, bool], None]
Raised: TypeAlias = Callable[[Any, BaseException], None]

_NONE: Mapping[str, Any] = {}


class Calls(TorchFunctionMode):
    """Tells listeners of calls.

    ``made(first, end)``: a call made the autograd nodes numbered ``first`` to ``end - 1``; the calling frames are still
    on the stack. ``returned(function, args, kwargs, result, made_nodes)``: it returned. ``particular[function]``: the
    same, of one function. ``raised(function, error)``: it raised, and goes on to raise.
    """

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Made] = []
        self.returned: list[Returned] = []
        self.particular: dict[Any, list[Returned]] = {}
        self.raised: list[Raised] = []
        self.on = False
        self._thread = 0
        self._inside = 0  # calls of Tensor.backward that are running, each with this mode on the stack once more
        self._waiting: Callable[[], None] | None = None

    def enter(self) -> None:
        """Begin to see the calls of this thread."""
        self.on, self._thread = True, threading.get_ident()
        self.__enter__()

    def leave(self) -> None:
        """Stop. In another thread than the one that it entered in (a generator that is closed there), or while one of
        its own calls runs, it only falls silent there, and leaves the stack with its next call.
        """
        self.on = False
        self.made, self.returned, self.particular, self.raised = [], [], {}, []
        if threading.get_ident() == self._thread:
            self._take_off()

    def when_idle(self, leave: Callable[[], None]) -> None:
        """Call ``leave`` now, or as soon as no call of Tensor.backward is running."""
        if self._inside:
            self._waiting = leave
        else:
            leave()

    def _take_off(self) -> None:
        above: list[Any] = []
        modes = [torch._C._get_function_stack_at(place) for place in range(torch._C._len_torch_function_stack())]
        if not any(mode is self for mode in modes):
            return
        while (mode := torch._C._pop_torch_function_stack()) is not self:
            above.append(mode)
        for mode in reversed(above):
            torch._C._push_on_torch_function_stack(mode)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Make the call, then tell of it."""
        if kwargs is None:
            kwargs = _NONE
        if not self.on:
            return func(*args, **kwargs)
        first = next_number()
        try:
            if func is torch.Tensor.backward:
                result = self._backward(*args, **kwargs)
            else:
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

    def _backward(
        self,
        tensor: torch.Tensor,
        gradient: Any = None,
        retain_graph: Any = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """What Tensor.backward does (torch 2.10 to 2.14), with this mode on: what runs inside it is seen as well."""
        self._inside += 1
        try:
            with self:
                torch.autograd.backward(tensor, gradient, retain_graph, create_graph, inputs=inputs)
        finally:
            self._inside -= 1
            waiting = self._waiting
            if waiting is not None and not self._inside:
                self._waiting = None
                waiting()
