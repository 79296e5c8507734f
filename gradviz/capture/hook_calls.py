"""HookCalls: the calls of hooks in one run of the engine, measured as they happen.

Rules: what is measured is seen by no mode of the user's and becomes part of no graph. Tensors are held only while the
hook that was given them runs; afterwards numbers of ``run.sizes`` are left.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any

import torch

from gradviz.capture.hooks import Found
from gradviz.capture.registered import Registered
from gradviz.capture.run import Run
from gradviz.capture.variables import is_tensor
from gradviz.graph import Hook, HookKind
from gradviz.recording import HookEffect, Source

_ACCUMULATED: tuple[HookKind, ...] = ("post_accumulate", "optimizer_in_backward")
_OF_MODULE: tuple[HookKind, ...] = ("module_backward", "module_backward_pre")  # (module, gradients, …)


class HookCalls:
    """All calls of one run, in order.

    Attributes:
        task: torch's number of the run; None until a hook of it was called.
    """

    def __init__(self, run: Run, registered: Registered) -> None:
        self.run, self._registered = run, registered
        self.task: int | None = None
        self._calls: list[_Call] = []
        self._handed: dict[int, tuple[weakref.ref[torch.Tensor], set[int]]] = {}  # by id of a tensor, to which places

    def begin(self, found: Found, arguments: tuple[Any, ...]) -> _Call:
        """A hook is about to be called."""
        handle = found.spot.key if found.entry is None else found.entry.key
        source = None if found.entry is None else self._registered.fired(handle)
        with torch._C.DisableTorchFunction():
            call = _Call(self, found, source, arguments)
        self._calls.append(call)
        return call

    def retained(self, hook: Hook, handle: Hashable, arrived: Any, tensor: torch.Tensor, place: int) -> None:
        """A tensor has retained the gradient that arrived at it."""
        with torch._C.DisableTorchFunction():
            before, after = self.sizes((arrived,)), self.sizes((tensor.grad,))
        call = _Call(self, None, self._registered.fired(handle), (), hook)
        call.place, call.before, call.after = place, before, after
        self._calls.append(call)

    def hand(self, place: int, gradients: Any, arrived: Any) -> None:
        """The node at ``place`` gives gradients to the nodes that follow; notes where it gives one tensor twice."""
        walk = self.run.walk
        if walk is None:
            return
        for (target, _), gradient in zip(walk.following[place], gradients, strict=False):
            if target is None or gradient is None:
                continue
            if any(gradient is one for one in arrived) or sum(gradient is one for one in gradients) > 1:
                self._places(gradient).add(walk.position[id(target)])

    def _places(self, tensor: torch.Tensor) -> set[int]:
        handed = self._handed.get(id(tensor))
        if handed is None or handed[0]() is not tensor:
            handed = self._handed[id(tensor)] = weakref.ref(tensor), set()
        return handed[1]

    def reached(self, tensor: torch.Tensor, place: int | None) -> set[int]:
        """The other places that were given this tensor."""
        return self._places(tensor) - {place}

    def sizes(self, tensors: tuple[Any, ...]) -> tuple[int, ...]:
        """Measure; the numbers under which ``run.sizes`` has them."""
        return tuple(self.run.sizes.put(one if is_tensor(one) else None, full=True) for one in tensors)

    def told(self) -> tuple[HookEffect, ...]:
        """Plain data, once ``run.sizes`` was read."""
        calls, self._calls = self._calls, []  # each refers to this object: in a circle they would not die at once
        return tuple(call.told() for call in calls)


class _Call:
    """One call of one hook."""

    def __init__(
        self,
        calls: HookCalls,
        found: Found | None,
        registered: Source | None,
        arguments: tuple[Any, ...],
        hook: Hook | None = None,
    ) -> None:
        run = calls.run
        assert found is not None or hook is not None
        self._calls, self._found, self._registered = calls, found, registered
        self.hook: Hook = hook or found.hook  # type: ignore[union-attr]
        self.started = len(run.executed)
        self.returned_none, self.replaced, self.in_place, self.removed = hook is not None, False, False, False
        self.error: str | None = None
        self.reached: set[int] = set()
        self.place: int | None = None
        self.before: tuple[int, ...] = ()
        self.after: tuple[int, ...] = ()
        if found is None:
            return
        node = torch._C._current_autograd_node()
        self.place = None if run.walk is None else run.walk.position.get(id(node))
        self._variable = arguments[0] if self.hook.kind == "post_accumulate" else None
        if self._variable is None and self.hook.kind in ("node_post", *_ACCUMULATED) and not arguments[0]:
            self._variable = getattr(node, "variable", None)  # after accumulation a node is given no gradients
        self._seen: tuple[Any, ...] = self._look(arguments)
        self._versions = [_version(one) for one in self._seen]
        self._there = found.entry is not None and found.entry.read() is not None
        self.before = calls.sizes(self._seen)

    def _look(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        if self._variable is not None:
            return (self._variable.grad,)
        return _flat(arguments[1 if self.hook.kind in _OF_MODULE else 0])

    def returned(self, result: Any) -> None:
        self.returned_none = result is None
        with torch._C.DisableTorchFunction():
            self._end(self._left(result))

    def _left(self, result: Any) -> tuple[Any, ...]:
        """What whoever comes next is given."""
        left = self._seen if result is None else _flat(result)
        if self._variable is not None:
            left = (self._variable.grad,)
        elif self.hook.kind == "multi_grad":  # what it returns, nobody takes
            left = self._seen
        self.replaced = len(left) != len(self._seen) or any(a is not b for a, b in zip(left, self._seen, strict=True))
        return left

    def raised(self, error: BaseException) -> None:
        self.error = _in_words(error)
        with torch._C.DisableTorchFunction():
            self._end(self._seen)

    def _end(self, left: tuple[Any, ...]) -> None:
        assert self._found is not None
        for before, tensor in zip(self._versions, self._seen, strict=True):
            if before is not None and _version(tensor) != before:
                self.in_place = True
                self.reached |= self._calls.reached(tensor, self.place)
        self.removed = self._there and self._found.entry is not None and self._found.entry.read() is None
        self.after = self._calls.sizes(left)
        self._seen, self._variable, self._found = (), None, None

    def told(self) -> HookEffect:
        run = self._calls.run
        assert run.graph is not None
        nodes, sizes = run.graph.nodes, run.sizes
        before = tuple(sizes[number] for number in self.before)
        after = tuple(sizes[number] for number in self.after)
        unnoticed = self.hook.kind != "retain_grad" and not self.replaced and repr(before) != repr(after)
        return HookEffect(
            self.hook,
            None if self.place is None else nodes[self.place].id,
            self.started,
            before,
            after,
            self.returned_none,
            self.replaced,
            self.in_place or unnoticed,  # through ``.data`` or numpy, which torch does not count; NaN is equal in words
            self.removed,
            self._registered,
            self.error,
            tuple(nodes[place].id for place in sorted(self.reached)),
        )


def _version(thing: Any) -> int | None:
    """How often a tensor was changed in place; None for what keeps no count."""
    return thing._version if is_tensor(thing) and not thing.is_inference() else None


def _in_words(error: BaseException) -> str:
    """An exception in words; what it says of itself is the user's code, and may fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  # the user's exception goes on, whatever its text does
        return type(error).__name__


def _flat(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, tuple | list) else (given,)
