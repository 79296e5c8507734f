"""Shown: what is drawn: a graph, and what one run of the engine did in it where that was watched."""

from __future__ import annotations

from typing import NamedTuple

from gradviz.graph import Graph
from gradviz.recording import Backward, Recording


class Shown(NamedTuple):
    """A graph with what was recorded in it. Without a ``backward`` nothing was, and pictures say nothing of gradients.

    ``number`` is the backward's place in the recording, ``alike`` are those of all backwards over this graph.
    """

    graph: Graph
    backward: Backward | None = None
    recording: Recording | None = None
    number: int = 0
    alike: tuple[int, ...] = (0,)

    @property
    def steps(self) -> int:
        """How many nodes its backward runs; of a watched one, how many it ran."""
        return len(self.graph) if self.backward is None else len(self.backward.executed)


def as_shown(given: Graph | Shown) -> Shown:
    """A graph by itself, as what is shown."""
    return Shown(given) if isinstance(given, Graph) else given
