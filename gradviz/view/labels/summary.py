"""Sums up a graph in a line, and says what no box can: hooks that have no place, and what was not looked for."""

from __future__ import annotations

from collections.abc import Iterator

from gradviz.view.labels.particulars import Particulars
from gradviz.view.labels.tooltips import hook_line
from gradviz.view.labels.wording import size
from gradviz.wording import count, several


def title(facts: Particulars) -> str:
    """How large the graph is, what it saves, where it lives if that is not the CPU, and which backward is shown."""
    graph = facts.graph
    parameters = sum(leaf.parameter and leaf.node is not None for leaf in graph.leaves)
    said = [count(len(graph.nodes), "node"), count(parameters, "parameter")]
    if graph.saved_bytes:
        said.append(f"{size(graph.saved_bytes)} saved")
    if facts.devices and facts.devices != ["cpu"]:
        said.append(f"on {several(facts.devices, 8)}")
    said += [facts.flow.title] if facts.flow.title else []
    return ", ".join(said)


def notes(facts: Particulars) -> Iterator[str]:
    """What is known but belongs to no box, then the notes of the backward and of the graph."""
    for hook in facts.hooks_without_place():
        yield f"{hook_line(hook)}."
    yield from facts.flow.notes
    yield from facts.graph.notes
