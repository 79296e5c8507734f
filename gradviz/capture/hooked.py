"""Hooked: the hooks that one run of the engine may call, each with the node at which it stands.

Rules: nodes made during the watch are asked for their own hooks only where the watch saw some being registered, because
asking leaves an empty dictionary that the engine then calls. AccumulateGrad nodes and what is older than the watch are
always asked; older is what has a smaller sequence number, which torch counts per thread. No hook of gradviz's own is
found.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, MutableMapping
from typing import Any

import torch

from gradviz.capture.hooks import Found, dictionary, find, live_tensors_with_hooks
from gradviz.capture.known import Known
from gradviz.capture.registered import Registered
from gradviz.capture.run import Run
from gradviz.capture.saved import held_tensor, saved_names
from gradviz.capture.walk import Walk, sequence_number
from gradviz.graph import Graph, HookKind


class Hooked:
    """The hooks of one run.

    Args:
        run: about to start, with its walk and graph.
        known: names of modules.
        registered: the hooks that the watch has seen.
        first: the sequence number that came next when the watch began.

    Attributes:
        retained: the place of a node, a tensor that it made and that retains its gradient, and its handle.
        complete: False where there are nodes older than the watch: hooks of tensors that are gone were not found.
    """

    def __init__(self, run: Run, known: Known, registered: Registered, first: int) -> None:
        assert run.walk is not None
        assert run.graph is not None
        self._walk: Walk = run.walk
        self._graph: Graph = run.graph
        self._known, self._registered = known, registered
        self._pre_hooks = run.pre_hooks
        self._done: set[int] = set()  # dictionaries
        self._numbers = [sequence_number(node) for node in self._walk.nodes]
        self._old = [place for place, number in enumerate(self._numbers) if number < first]
        self.complete = not self._old
        self.retained: list[tuple[int, torch.Tensor, Hashable]] = []

    def __iter__(self) -> Iterator[tuple[int, Found]]:
        """Each hook with the place of its node in the walk."""
        self._registered.forget_dead()
        yield from self._of_leaves()
        yield from self._of_registered_tensors()
        if self._old:
            yield from self._of_old_tensors()
        for place, functions in enumerate(self._pre_hooks):
            if len(functions) > 1:  # more than the gate
                yield from self._in("node_pre", place, functions)
        yield from self._of_nodes()

    def _in(
        self, kind: HookKind, place: int, functions: MutableMapping[int, Any] | None, owner: str | None = None
    ) -> Iterator[tuple[int, Found]]:
        if functions and id(functions) not in self._done:
            self._done.add(id(functions))
            for found in find(kind, owner or self._graph.nodes[place].id, functions, self._known.path):
                yield place, found

    def _of_leaves(self) -> Iterator[tuple[int, Found]]:
        self._accumulators: list[int] = []
        for leaf in self._graph.leaves:
            if leaf.node is None:
                continue
            place = int(leaf.node[1:])
            self._accumulators.append(place)
            variable = self._walk.nodes[place].variable
            owner = leaf.name or leaf.node
            yield from self._in("tensor", place, variable._backward_hooks, owner)
            yield from self._in("post_accumulate", place, variable._post_accumulate_grad_hooks, owner)

    def _of_registered_tensors(self) -> Iterator[tuple[int, Found]]:
        seen = self._registered
        if not seen.on_tensors and not seen.retained:
            return
        places = {number: place for place, number in enumerate(self._numbers)}
        for on_tensor in seen.on_tensors:
            if on_tensor.number in places:
                yield from self._in("tensor", places[on_tensor.number], on_tensor.functions())
        for retained in seen.retained:
            tensor = retained.tensor()
            if tensor is not None and tensor.retains_grad:
                self._retains(tensor, places.get(retained.number), retained.handle)

    def _of_old_tensors(self) -> Iterator[tuple[int, Found]]:
        """Of tensors that a node saved, or that are alive, and were made before the watch."""
        tensors = {id(tensor): tensor for tensor in live_tensors_with_hooks()}
        for place in self._old:
            node = self._walk.nodes[place]
            held = (held_tensor(node, name) for name in saved_names(type(node)))
            tensors |= {id(tensor): tensor for tensor in held if tensor is not None and not tensor.is_leaf}
        for tensor in tensors.values():
            if tensor._is_view() and tensor._version:
                continue  # asking for its node may make a new one
            made = self._walk.position.get(id(tensor.grad_fn))
            if made is not None:
                yield from self._in("tensor", made, tensor._backward_hooks)
                if tensor.retains_grad:
                    self._retains(tensor, made, ("retain_grad", self._graph.nodes[made].id))

    def _retains(self, tensor: torch.Tensor, place: int | None, handle: Hashable) -> None:
        """``place`` is where it was registered; an in-place operation moves it to the tensor's new node."""
        if not tensor._is_view():
            place = self._walk.position.get(id(tensor.grad_fn))
        if place is not None and all(tensor is not other for _, other, _ in self.retained):
            self.retained.append((place, tensor, handle))

    def _of_nodes(self) -> Iterator[tuple[int, Found]]:
        """Of the nodes' own dictionaries: of hooks that run after a node, and before it unless they are known."""
        asked = dict.fromkeys((*self._accumulators, *self._old))
        yield from self._ask(list(asked))
        if self._missing():
            rest = [place for place in range(len(self._walk.nodes)) if place not in asked]
            rest.sort(key=lambda place: self._graph.nodes[place].op != "BackwardHookFunction")
            yield from self._ask(rest, until_found=True)

    def _ask(self, places: list[int], *, until_found: bool = False) -> Iterator[tuple[int, Found]]:
        for place in places:
            if until_found and not self._missing():
                return
            node = self._walk.nodes[place]
            if not self._pre_hooks:
                yield from self._in("node_pre", place, dictionary(node, "register_prehook"))
            yield from self._in("node_post", place, dictionary(node, "register_hook"))

    def _missing(self) -> bool:
        """Whether the watch saw hooks of nodes being registered that were not met yet."""
        functions = (one() for one in self._registered.on_nodes)
        return any(one and id(one) not in self._done for one in functions)
