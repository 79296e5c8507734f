"""Writes on arrows: the arguments that they stand for, and in their tooltips the edges of the graph."""

from __future__ import annotations

from gradviz.view.bundles import Bundle
from gradviz.view.labels.particulars import Particulars
from gradviz.view.labels.wording import tensor
from gradviz.wording import count, several


def label(facts: Particulars, bundle: Bundle, position: int | None, rounds: int) -> str:
    """The arguments that an arrow stands for, where it matters which, and how many edges it has if it has several.

    Args:
        facts: what is known.
        bundle: the edges.
        position: the operation that they come from, None if they come from a closed box.
        rounds: how many rounds the source stands for: edges are counted for one of them.
    """
    many = round(bundle.size / rounds)
    names: list[str] = []
    if position is not None:
        edges = [facts.tape.edges[number] for number in bundle.edges]
        names = list(dict.fromkeys(edge.name for edge in edges if edge.source == edges[0].source and edge.name))
        ways = len(facts.tape.out[position]) + len(facts.tape.dead_ends.get(position, ()))
        if facts.detail == "brief" or (ways == 1 and facts.detail == "normal"):
            names = []
    if many <= max(1, len(names)):
        return several(names)
    stems = {name.partition("[")[0] for name in names}  # of a list of tensors: its name
    return f"{stems.pop()} ×{many:,}" if len(stems) == 1 else f"×{many:,}"


def tooltip(facts: Particulars, bundle: Bundle) -> tuple[str, ...]:
    """The first few edges with the gradients that flow along them, and how many more there are."""
    lines = []
    for number in bundle.edges:
        edge = facts.tape.edges[number]
        name = "" if edge.name is None else f" ({edge.name})"
        slots = facts.graph[edge.target].slots
        meta = f": {tensor(slots[edge.target_slot])}" if edge.target_slot < len(slots) else ""
        added = facts.flow.added.get((edge.source, edge.source_slot, edge.target, edge.target_slot))
        size = "" if added is None else f", grad {added}"
        lines.append(f"{edge.source}[{edge.source_slot}] → {edge.target}[{edge.target_slot}]{name}{meta}{size}")
    if bundle.size > len(bundle.edges):
        lines.append(f"and {count(bundle.size - len(bundle.edges), 'more edge')}")
    if bundle.again:
        lines.append("from one round of the repeat into another")
    return tuple(lines)
