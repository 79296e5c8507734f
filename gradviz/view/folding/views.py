"""Finds chains of views: View, Transpose, Expand, Clone, …, which only arrange anew what an operation has made.

Most nodes of an attention block are such plumbing, so a chain is drawn as one box where anything is folded. What tells
more is never hidden in one: it has no branches, leaves, roots, hooks or dead ends, and lies in one call of a module.

Backward may run other operations between the links of a chain (those for the query between those for the key). On the
tape they follow one another: a link waits for nothing but the one before, so it may run as early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gradviz.graph import Graph, Node

COPIES = ("CloneBackward0", "UnsafeViewBackward0")  # what contiguous() and reshape() do besides


def chain_views(
    graph: Graph, order: list[int], sources: Sequence[int], targets: Sequence[int]
) -> tuple[list[int], dict[int, int]]:
    """Bring the links of each chain together.

    Args:
        graph: the graph.
        order: indices of its operations in the order in which backward runs them.
        sources: for each edge, the index of its source.
        targets: for each edge, the index of its target.

    Returns:
        The indices in the new order, and where in it each chain of two or more starts, with where it stops.
    """
    next_link = _next_links(graph, order, sources, targets)
    later = set(next_link.values())
    result: list[int] = []
    chains: dict[int, int] = {}
    for place in order:
        if place in later:
            continue
        start = len(result)
        result.append(place)
        while result[-1] in next_link:
            result.append(next_link[result[-1]])
        if len(result) > start + 1:
            chains[start] = len(result)
    return result, chains


def _next_links(graph: Graph, order: list[int], sources: Sequence[int], targets: Sequence[int]) -> dict[int, int]:
    """For each link that another follows, that other one."""
    nodes = graph.nodes
    told = {end.source for end in graph.dead_ends} | {root.node for root in graph.roots}
    links = {
        place
        for place in order
        if (nodes[place].kind == "view" or nodes[place].op in COPIES)
        and not nodes[place].hooks
        and nodes[place].id not in told
    }
    if len(links) < 2:
        return {}
    calls = _calls(nodes, order)
    ways_in = Counter(target for target in targets if target in links)
    ways_out: dict[int, list[int]] = {}
    for source, target in zip(sources, targets, strict=True):
        if source in links:
            ways_out.setdefault(source, []).append(target)
    links = {
        place
        for place in links
        if ways_in[place] == len(ways_out.get(place, ())) == 1 and calls[ways_out[place][0]] >= 0  # no leaf
    }
    pairs = ((place, ways_out[place][0]) for place in links)
    return {
        place: other
        for place, other in pairs
        if other in links and calls[other] == calls[place] and nodes[other].order > nodes[place].order
    }


def _calls(nodes: Sequence[Node], order: list[int]) -> list[int]:
    """For each node a number that is equal within one call of a module, whatever that calls; -1 for leaves."""
    calls = [-1] * len(nodes)
    stack, current, made = [("", 0)], "", 0
    for place in order:
        path = nodes[place].module or ""
        if path != current:
            current = path
            while stack[-1][0] and stack[-1][0] != path and not path.startswith(f"{stack[-1][0]}."):
                stack.pop()
            if stack[-1][0] != path:
                made += 1
                stack.append((path, made))
        calls[place] = stack[-1][1]
    return calls
