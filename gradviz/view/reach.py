"""Which of two nodes is upstream of the other: one walk along the edges, without recursion."""

from __future__ import annotations

from gradviz.graph import Graph


def upstream_first(graph: Graph, a: str, b: str) -> tuple[str, str] | None:
    """Both nodes, the one nearer the loss first; None if no gradient flows from either to the other."""
    if _reaches(graph, a, b):
        return a, b
    return (b, a) if _reaches(graph, b, a) else None


def _reaches(graph: Graph, source: str, target: str) -> bool:
    """Whether gradient flows from one node to the other; from a node to itself it does."""
    targets: dict[str, list[str]] = {}
    for edge in graph.edges:
        targets.setdefault(edge.source, []).append(edge.target)
    seen, waiting = {source}, [source]
    while waiting:
        for below in targets.get(waiting.pop(), ()):
            if below not in seen:
                seen.add(below)
                waiting.append(below)
    return target in seen
