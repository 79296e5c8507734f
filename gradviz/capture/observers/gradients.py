"""Gradients: the order in which the engine ran the nodes, and how large what arrived at each of their slots was.

At every node of a run a *gate* stands before the node's own pre-hooks, after the hooks of tensors: it is where
``autograd.grad`` captures. It only looks. What ``autograd.grad`` was asked for and no node received (leaves) is
measured on its results. A gate tells its run from others over the same nodes (a backward inside a hook, another thread
that shares leaves) by the engine's number of the run, which the first root to run makes known.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import torch
from torch.autograd.graph import GradientEdge

from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.capture.walk import ACCUMULATE_GRAD, Walk
from gradviz.graph import Graph
from gradviz.recording import Contribution, Gradient

_task: Callable[[], int] = torch._C._current_graph_task_id
_UNKNOWN = -1  # what _task() gives outside of runs

Ticket: TypeAlias = int
Slot: TypeAlias = tuple[int, int]  # place of the node, slot


class Gradients(Observer):
    """Fills ``executed``, ``pre_hooks`` and ``gradients`` of runs."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._measuring: dict[Run, _Measuring] = {}
        self._tasks: set[int] = set()  # the engine's numbers of runs that are known
        self._matched: set[str] = set()
        self._ran = False

    def before(self, run: Run) -> None:
        """Put a gate at every node."""
        if run.walk is None or run.graph is None:
            return
        self._ran = True
        measuring = self._measuring[run] = _Measuring(run, self._tasks)
        observed = self._observed(run.graph) if self.session.observe else frozenset()
        measuring.install(run.walk, observed)

    def after(self, run: Run) -> None:
        """Take all gates away, and measure what ``autograd.grad`` returned."""
        measuring = self._measuring.get(run)
        if measuring is None or run.walk is None:
            return
        try:
            measuring.remove()
        except BaseException:  # Ctrl-C
            measuring.remove()
            raise
        measuring.capture(run.walk)

    def tell_run(self, run: Run) -> None:
        """Sizes, in the order in which they arrived."""
        measuring = self._measuring.pop(run, None)
        if measuring is None or run.graph is None:
            return
        self._tasks.discard(measuring.task)
        run.gradients = measuring.told(run.graph)
        for kind in sorted(run.sizes.refused):
            self.session.note(f"The sizes of some gradients could not be measured ({kind}).")

    def tell(self) -> dict[str, Any]:
        """Nothing of its own; notes what was to be observed and was never there."""
        for pattern in self.session.observe if self._ran else ():
            if pattern not in self._matched:
                self.session.note(f"observe={pattern!r} matched no leaf and no module of any backward.")
        return {}

    def _observed(self, graph: Graph) -> frozenset[int]:
        """Places of the nodes that ``observe`` names, by a leaf's name or a module's path."""
        names: dict[str, set[str]] = {node.id: {node.module} for node in graph.nodes if node.module is not None}
        for leaf in graph.leaves:
            if leaf.node is not None:
                names.setdefault(leaf.node, set()).update(filter(None, (leaf.name, *leaf.aliases)))
        found = set()
        for place, node in enumerate(graph.nodes):
            for pattern in self.session.observe:
                if any(fnmatchcase(name, pattern) for name in names.get(node.id, ())):
                    self._matched.add(pattern)
                    found.add(place)
        return frozenset(found)


class _Measuring:
    """The gates of one run, and what they saw."""

    def __init__(self, run: Run, tasks: set[int]) -> None:
        self.task = _UNKNOWN
        self._run, self._tasks = run, tasks
        self._installed: list[tuple[dict[int, Any], int]] = []
        self._arrived: dict[Slot, Ticket] = {}
        self._added: dict[Slot, list[tuple[int, int, Ticket]]] = {}  # by target: source, source's slot
        self._full: frozenset[int] = frozenset()

    def install(self, walk: Walk, full: frozenset[int]) -> None:
        """Put a gate at every node; those in ``full`` are measured in full, and so is what each edge adds to them."""
        self._full = full
        roots, installed, dictionaries = frozenset(walk.roots), self._installed, self._run.pre_hooks
        for place, node in enumerate(walk.nodes):
            gate = (
                self._particular(place, root=place in roots) if place in roots or place in full else self._gate(place)
            )
            handle = type(node).register_prehook(node, gate)  # through the type: a ctx may hold anything
            functions = handle.hooks_dict_ref()
            installed.append((functions, handle.id))
            dictionaries.append(functions)
            if len(functions) > 1:
                for key in [key for key in functions if key != handle.id]:
                    functions[key] = functions.pop(key)  # now behind the gate
        if full:
            for place, node in enumerate(walk.nodes):
                self._install_after(place, node, walk)

    def remove(self) -> None:
        """Take everything away."""
        while self._installed:
            functions, key = self._installed[-1]
            functions.pop(key, None)
            del self._installed[-1]

    def capture(self, walk: Walk) -> None:
        """Measure the results of ``autograd.grad`` that belong to slots at which no gate stood or fired."""
        run = self._run
        if not run.results or len(run.results) != len(run.inputs):
            return
        leaves = {id(node.variable): place for place, node in enumerate(walk.nodes) if type(node) is ACCUMULATE_GRAD}
        for asked, result in zip(run.inputs, run.results, strict=True):
            slot = _slot_of(asked, walk, leaves)
            if slot is not None and slot not in self._arrived:
                self._arrived[slot] = run.sizes.put(result, full=slot[0] in self._full)

    def told(self, graph: Graph) -> tuple[Gradient, ...]:
        """Everything that arrived, once it was read."""
        ids, sizes = [node.id for node in graph.nodes], self._run.sizes
        contributions = {
            slot: tuple(Contribution(ids[source], source_slot, sizes[ticket]) for source, source_slot, ticket in added)
            for slot, added in self._added.items()
        }
        return tuple(
            Gradient(ids[place], slot, sizes[ticket], contributions.get((place, slot), ()))
            for (place, slot), ticket in self._arrived.items()
        )

    def _gate(self, place: int) -> Callable[[tuple[Any, ...]], None]:
        executed, arrived, put = self._run.executed, self._arrived, self._run.sizes.put

        def gate(gradients: tuple[Any, ...]) -> None:
            if _task() != self.task:
                return
            executed.append(place)
            for slot, gradient in enumerate(gradients):
                arrived[place, slot] = put(gradient)

        return gate

    def _particular(self, place: int, *, root: bool) -> Callable[[tuple[Any, ...]], None]:
        """A gate of a root, which makes the engine's number of the run known, or of a node to be measured in full."""
        run, arrived, full = self._run, self._arrived, place in self._full

        def gate(gradients: tuple[Any, ...]) -> None:
            task = _task()
            if root and self.task == _UNKNOWN and task not in self._tasks:
                self.task = task
                self._tasks.add(task)
            if task == self.task:
                run.executed.append(place)
                for slot, gradient in enumerate(gradients):
                    arrived[place, slot] = run.sizes.put(gradient, full=full)

        return gate

    def _install_after(self, place: int, node: Any, walk: Walk) -> None:
        """After a node, behind its own hooks, look at what it adds to nodes that are measured in full."""
        edges = [
            (source_slot, (walk.position[id(child)], slot))
            for source_slot, (child, slot) in enumerate(walk.following[place])
            if child is not None and walk.position[id(child)] in self._full
        ]
        if not edges:
            return
        added, put = self._added, self._run.sizes.put

        def look(results: tuple[Any, ...], _: tuple[Any, ...]) -> None:
            if _task() == self.task:
                for source_slot, target in edges:
                    added.setdefault(target, []).append((place, source_slot, put(results[source_slot], full=True)))

        handle = type(node).register_hook(node, look)
        self._installed.append((handle.hooks_dict_ref(), handle.id))


def _slot_of(asked: Any, walk: Walk, leaves: dict[int, int]) -> Slot | None:
    """Where the gradient that was asked for arrives; None where the graph does not lead there."""
    if isinstance(asked, GradientEdge):
        place, slot = walk.position.get(id(asked.node)), asked.output_nr
    elif asked.grad_fn is None:
        place, slot = leaves.get(id(asked)), 0
    else:
        place, slot = walk.position.get(id(asked.grad_fn)), asked.output_nr
    return None if place is None else (place, slot)
