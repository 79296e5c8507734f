"""Listening: what a run of the engine tells to functions of our own, placed among the hooks of nodes.

Two things are heard. A tensor that retains its gradient does so in C++, after its hooks and just before those of its
node. And a node may hand one tensor to several others: a hook that changes it in place then changes it for all of them.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Hashable, MutableMapping
from typing import Any, NamedTuple

import torch

from gradviz.capture.hook_calls import HookCalls
from gradviz.capture.hooks import dictionary
from gradviz.capture.walk import AutogradNode, Walk
from gradviz.graph import Hook

_PASSES_ON = ("AddBackward0", "SubBackward0")  # what arrived goes on as the same tensor, to one or both arguments
_numbers = itertools.count()


class _Waiting(NamedTuple):
    """A tensor that is going to retain its gradient; ``held`` is what ``.grad`` was before."""

    tensor: weakref.ref[torch.Tensor]
    held: weakref.ref[torch.Tensor] | None
    tell: Callable[[Any], None]  # given what arrived


class Listening:
    """The functions of our own in one run.

    Args:
        calls: where to tell what was heard.
        is_running: whether it is this run that calls.
    """

    def __init__(self, calls: HookCalls, is_running: Callable[[], bool]) -> None:
        self._calls, self._is_running = calls, is_running
        self._waiting: list[_Waiting] = []
        self._own: list[tuple[MutableMapping[Any, Any], Any]] = []

    def wait_for(self, tensor: torch.Tensor, hook: Hook, handle: Hashable, place: int, node: AutogradNode) -> None:
        """Tell of a tensor that retains the gradient which arrives at it, when its node is about to run."""
        reference, slot = weakref.ref(tensor), tensor.output_nr

        def tell(arrived: Any) -> None:
            tensor = reference()
            if tensor is not None:
                self._calls.retained(hook, handle, arrived, tensor, place)

        def listen(gradients: Any) -> None:
            if waiting in self._waiting and self._is_running():
                self._waiting.remove(waiting)
                tell(gradients[slot])

        held = tensor.grad
        waiting = _Waiting(reference, None if held is None else weakref.ref(held), tell)
        self._waiting.append(waiting)
        self._add(dictionary(node, "register_prehook"), listen, first=True)

    def listen_above(self, walk: Walk, places: set[int]) -> None:
        """Listen to the nodes that may hand one tensor to a node at one of these places and to others."""
        listening: set[int] = set()
        while places:
            sources = {
                source
                for source, targets in enumerate(walk.targets)
                if len(targets) > 1 and source not in listening and not places.isdisjoint(targets)
            }
            for source in sources:
                self._add(dictionary(walk.nodes[source], "register_hook"), self._listener(source), first=False)
            listening |= sources
            places = {source for source in sources if walk.nodes[source].name() in _PASSES_ON}

    def end(self) -> None:
        """Take every function away; tell of tensors whose node did not run (``autograd.grad`` ended at it)."""
        for functions, key in self._own:
            functions.pop(key, None)
        self._own.clear()
        for waiting in self._waiting:
            tensor = waiting.tensor()
            gradient = None if tensor is None else tensor.grad
            if gradient is not None and (waiting.held is None or waiting.held() is not gradient):
                waiting.tell(gradient)
        self._waiting.clear()

    def _listener(self, source: int) -> Any:
        def listen(gradients: Any, arrived: Any) -> None:
            if self._is_running():
                self._calls.hand(source, gradients, arrived)

        return listen

    def _add(self, functions: MutableMapping[Any, Any], function: Any, *, first: bool) -> None:
        key = "gradviz", next(_numbers)  # torch's keys are numbers
        self._own.append((functions, key))
        others = list(functions.items()) if first else ()
        try:
            if first:
                functions.clear()
            functions[key] = function
        finally:
            functions.update(others)
