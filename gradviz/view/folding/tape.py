"""The graph as a tape: its operations in an order in which backward may run them, as integers. Folding reads only this.

Rules it keeps:

- A *position* is a place on the tape. Gradients flow from smaller to larger positions, so any stretch of the tape can
  be drawn as one box without making a cycle. Forward runs a module's operations one after another, and backward runs
  them in reverse, so every call of a module is one stretch. So is a chain of views (gradviz/view/folding/views.py).
- A leaf that some operation uses has no position: it is kept at each of its uses, because a picture draws it there.
- Positions with equal *tokens* are operations of one kind, with the same arguments, and leaves of the same shapes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gradviz.graph import DeadEnd, Edge, Graph, Leaf, Root
from gradviz.view.folding.views import chain_views


class Tape(NamedTuple):
    """What folding and drawing need to know of a graph.

    Args:
        nodes: for each position, the index of its node in ``graph.nodes``.
        out: for each position, where its edges lead, by slot: a position, or ``~index`` of a leaf's node.
        edges: the graph's edges by source node, then by slot.
        first_edge: for each position, the index in ``edges`` of its first one.
        chains: the chains of several views: where each starts, and where it stops.
        tokens: for each position, a number that is equal for equal operations.
        dead_ends: by position.
        roots: by node index.
        leaves: by node index.
        uses: by node index of a leaf, how many operations use it.
    """

    nodes: list[int]
    out: list[list[int]]
    edges: Sequence[Edge]
    first_edge: list[int]
    chains: dict[int, int]
    tokens: list[int]
    dead_ends: dict[int, list[DeadEnd]]
    roots: dict[int, list[Root]]
    leaves: dict[int, Leaf]
    uses: dict[int, int]


def read_tape(graph: Graph) -> Tape:
    """Lay the graph out as a tape, in time linear in its size."""
    index = {node.id: place for place, node in enumerate(graph.nodes)}
    edges: Sequence[Edge] = graph.edges
    sources = [index[edge.source] for edge in edges]
    if any(before > after for before, after in pairwise(sources)):
        edges = sorted(edges, key=lambda edge: (index[edge.source], edge.source_slot))
        sources = [index[edge.source] for edge in edges]
    targets = [index[edge.target] for edge in edges]
    kept = _leaves_in_use(graph, sources, targets)
    orders = [node.order for node in graph.nodes]
    order = [place for place in sorted(range(len(orders)), key=orders.__getitem__) if not kept[place]]
    nodes, chains = chain_views(graph, order, sources, targets)
    where = [~place for place in range(len(orders))]
    for position, place in enumerate(nodes):
        where[place] = position
    out, first_edge = _ways(sources, targets, where, len(nodes))
    dead_ends: dict[int, list[DeadEnd]] = {}
    for end in graph.dead_ends:
        dead_ends.setdefault(where[index[end.source]], []).append(end)
    roots: dict[int, list[Root]] = {}
    for root in graph.roots:
        roots.setdefault(index[root.node], []).append(root)
    leaves = {index[leaf.node]: leaf for leaf in graph.leaves if leaf.node is not None}
    tokens = _tokens(graph, nodes, out, dead_ends, roots, leaves)
    return Tape(nodes, out, edges, first_edge, chains, tokens, dead_ends, roots, leaves, _uses(out))


def _leaves_in_use(graph: Graph, sources: list[int], targets: list[int]) -> bytearray:
    """For each node, whether it is a leaf that is drawn at its uses instead of having a place of its own."""
    kept = bytearray(len(graph.nodes))
    for place in targets:
        kept[place] = 1
    for place in sources:
        kept[place] = 0
    for place, node in enumerate(graph.nodes):
        if node.kind != "leaf":
            kept[place] = 0
    return kept


def _ways(
    sources: list[int], targets: list[int], where: list[int], positions: int
) -> tuple[list[list[int]], list[int]]:
    """Where each position's edges lead, and the number of its first edge."""
    out: list[list[int]] = [[] for _ in range(positions)]
    first_edge = [0] * positions
    before = -1
    for number, source in enumerate(sources):
        position = where[source]
        if source != before:
            first_edge[position] = number
            before = source
        out[position].append(where[targets[number]])
    return out, first_edge


def _tokens(
    graph: Graph,
    nodes: list[int],
    out: list[list[int]],
    dead_ends: dict[int, list[DeadEnd]],
    roots: dict[int, list[Root]],
    leaves: dict[int, Leaf],
) -> list[int]:
    numbers: dict[Hashable, int] = {}
    kinds = {~place: (leaf.meta.shape, leaf.parameter) for place, leaf in leaves.items()}
    tokens = []
    for position, place in enumerate(nodes):
        node, ways = graph.nodes[place], out[position]
        shape: Hashable
        if len(ways) == 1 and ways[0] >= 0:
            shape = 1
        else:  # one leaf that an operation uses twice is told from two equal leaves
            first: dict[int, int] = {}
            shape = tuple(
                0 if way >= 0 else (kinds.get(way), first.setdefault(way, slot)) for slot, way in enumerate(ways)
            )
        ends = dead_ends.get(position)
        lost = tuple(end.source_slot for end in ends) if ends else ()
        key = (node.op, node.kind, shape, lost, place in roots)
        tokens.append(numbers.setdefault(key, len(numbers)))
    return tokens


def _uses(out: list[list[int]]) -> dict[int, int]:
    uses: dict[int, int] = {}
    for ways in out:
        if ways and min(ways) < 0:
            for way in set(ways):
                if way < 0:
                    uses[~way] = uses.get(~way, 0) + 1
    return uses
