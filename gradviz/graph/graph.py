"""The Graph: what autograd built, as plain data, with the questions that it answers itself.

Everything in it is immutable, picklable and free of tensors and addresses, so a Graph can be kept, compared and sent
without holding anything of the user's alive. Nodes are stored nearest the loss first; edges by source, then by slot.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gradviz.errors import GradvizError
from gradviz.graph.facts import DeadEnd, Edge, Hook, Leaf, Node, Root

if TYPE_CHECKING:
    import networkx

LONGEST_EXPRESSION = 500  # hops; CPython's compiler recurses once per attribute access and gives up near 1,000


@dataclass(frozen=True)
class Graph:
    """The backward graph of one or several tensors, as ``gradviz.trace`` found it.

    Args:
        roots: the traced outputs, in the order in which they were given.
        nodes: every autograd node that is reachable, nearest the loss first; ``nodes[i].id == f"n{i}"``.
        edges: the gradient's ways, ordered by source node, then by source slot; parallel edges are kept.
        dead_ends: the entries of ``next_functions`` that are None.
        leaves: reached leaves in the order of their nodes, then the model's parameters that the graph does not reach.
        modules: path and class name of every module of the given model (the model itself has the path ``""``).
        hooks: hooks that belong to modules, or to every module; those of nodes and leaves are listed there.
        notes: what could not be known, or was not looked for, in plain words.
    """

    roots: tuple[Root, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    dead_ends: tuple[DeadEnd, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    modules: tuple[tuple[str, str], ...] = ()
    hooks: tuple[Hook, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, node: str) -> Node:
        """The node with this id. Raises GradvizError if there is none."""
        return self.nodes[self._index(node)]

    def __contains__(self, node: object) -> bool:
        """Whether there is a node with this id."""
        return node in self._node_index

    def __iter__(self) -> Iterator[Node]:
        """The nodes, nearest the loss first."""
        return iter(self.nodes)

    def __len__(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    def leaf(self, name: str) -> Leaf:
        """The leaf with this name or alias. Raises GradvizError, with the nearest names, if there is none."""
        try:
            return self._leaf_by_name[name]
        except KeyError:
            raise self._unknown(name, "leaf", list(self._leaf_by_name)) from None

    @cached_property
    def saved_bytes(self) -> int:
        """Bytes that the saved tensors hold, each storage counted once. Packed and freed ones are not counted."""
        sizes = {s.storage: s.bytes for node in self.nodes for s in node.saved if s.storage is not None}
        return sum(size or 0 for size in sizes.values())

    def path_to(self, target: str) -> tuple[Node, ...]:
        """A shortest path of nodes from a root to a leaf (by name or alias) or to a node (by id), the root first.

        A leaf's name wins over a node's id. Empty where the leaf is known but the graph does not reach it. Raises
        GradvizError for an unknown name.
        """
        end = self._node_of(target)
        if end is None:
            return ()
        root, slots = self._hops(end)
        path = [self[root.node]]
        for slot in slots:
            path.append(self[self._edge_at[path[-1].id, slot].target])
        return tuple(path)

    def expression(self, node: str, root: str = "loss") -> str:
        """The shortest Python that reaches the live autograd node of ``node`` from what was traced.

        Args:
            node: a node's id, or the name or alias of a leaf (which wins over a node's id).
            root: the expression that was given to ``trace``, for example ``"loss"`` or ``"outputs"``.

        Returns:
            One expression (``loss.grad_fn.next_functions[0][0]``); beyond 500 hops, where Python cannot compile such
            an expression, a loop of three lines that leaves the node in ``node``. A traced leaf starts at
            ``torch.autograd.graph.get_gradient_edge``, so its expression needs ``torch`` imported.

        Raises:
            GradvizError: if the graph has no such node, or does not reach the leaf.
        """
        reached = self._node_of(node)
        if reached is None:
            raise GradvizError(
                f"No expression reaches {node!r}",
                "the graph does not reach this leaf",
                "see graph.leaf(name) for what it is",
            )
        start, slots = self._hops(reached)
        before, after = start.access
        value = f"{before}{root}{after}"
        attribute = {"tensor": f"{value}.grad_fn", "edge": f"{value}.node", "node": value}
        first = attribute.get(start.kind, f"torch.autograd.graph.get_gradient_edge({value}).node")
        if len(slots) <= LONGEST_EXPRESSION:
            return first + "".join(f".next_functions[{slot}][0]" for slot in slots)
        runs = ((slot, len(list(run))) for slot, run in groupby(slots))
        steps = ", ".join(str(slot) if count == 1 else f"*[{slot}] * {count}" for slot, count in runs)
        return f"node = {first}\nfor slot in [{steps}]:\n    node = node.next_functions[slot][0]"

    @cached_property
    def network(self) -> networkx.MultiDiGraph[str]:
        """The graph as networkx's MultiDiGraph, from the roots to the leaves; frozen, so copy it to change it.

        A node's key is its id; its attributes are the fields of Node, with ``leaf`` (a Leaf or None) and ``dead_ends``.
        An edge's key is its source slot; its attributes are the fields of Edge. Roots, unreached leaves, modules, hooks
        and notes are in ``network.graph``.
        """
        import networkx

        leaves = {leaf.node: leaf for leaf in self.leaves}
        ends: dict[str, list[DeadEnd]] = {}
        for end in self.dead_ends:
            ends.setdefault(end.source, []).append(end)
        network: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(
            roots=self.roots,
            unreached=tuple(leaf for leaf in self.leaves if leaf.node is None),
            modules=self.modules,
            hooks=self.hooks,
            notes=self.notes,
        )
        for node in self.nodes:
            facts = node._asdict()
            network.add_node(facts["id"], **facts, leaf=leaves.get(node.id), dead_ends=tuple(ends.get(node.id, ())))
        for edge in self.edges:
            network.add_edge(edge.source, edge.target, edge.source_slot, **edge._asdict())
        networkx.freeze(network)
        return network

    def to_dict(self) -> dict[str, Any]:
        """The whole graph as JSON-ready data, with the version of its schema."""
        from gradviz.graph.schema import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Graph:
        """The graph that ``to_dict`` described. Raises GradvizError for other data or an unknown schema version."""
        from gradviz.graph.schema import from_dict

        return from_dict(cls, data)

    def __repr__(self) -> str:
        reached = sum(leaf.node is not None for leaf in self.leaves)
        return f"<gradviz.Graph: {len(self.nodes)} nodes, {len(self.edges)} edges, {reached} leaves>"

    def __getstate__(self) -> dict[str, Any]:
        # Caches (networkx's copy above all) are made again where they are asked for.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _node_index(self) -> dict[str, int]:
        return {node.id: index for index, node in enumerate(self.nodes)}

    @cached_property
    def _leaf_by_name(self) -> dict[str, Leaf]:
        names = ((name, leaf) for leaf in self.leaves for name in (leaf.name, *leaf.aliases))
        return {name: leaf for name, leaf in names if name is not None}

    @cached_property
    def _edge_at(self) -> dict[tuple[str, int], Edge]:
        return {(edge.source, edge.source_slot): edge for edge in self.edges}

    @cached_property
    def _arrival(self) -> dict[str, Edge]:
        """The edge by which a breadth-first walk first reaches each node (nodes are stored in that order)."""
        arrival: dict[str, Edge] = {}
        for edge in self.edges:
            arrival.setdefault(edge.target, edge)
        return arrival

    def _node_of(self, name: str) -> str | None:
        """The node of the leaf with this name, else the one with this id; None for a leaf that is not reached."""
        if name in self._leaf_by_name:
            return self._leaf_by_name[name].node
        if name in self._node_index:
            return name
        raise self._unknown(name, "node or leaf", [*self._leaf_by_name, *self._node_index])

    def _index(self, node: str) -> int:
        try:
            return self._node_index[node]
        except KeyError:
            raise self._unknown(node, "node", list(self._node_index)) from None

    def _hops(self, node: str) -> tuple[Root, list[int]]:
        """The root nearest to a node, and the source slots to follow from there."""
        at = self.nodes[self._index(node)].id
        starts = {root.node: root for root in reversed(self.roots)}
        slots: list[int] = []
        while at not in starts:
            edge = self._arrival[at]
            slots.append(edge.source_slot)
            at = edge.source
        return starts[at], slots[::-1]

    def _unknown(self, name: str, what: str, known: list[str]) -> GradvizError:
        near = difflib.get_close_matches(str(name), known[:10_000], n=3, cutoff=0.5)
        hint = (
            f"use one of {', '.join(map(repr, near))}" if near else "see graph.leaves and graph.nodes for what there is"
        )
        return GradvizError(
            f"There is no {what} called {name!r}", f"the graph has {len(known)} names, this is none of them", hint
        )
