"""Does the cost of a node stay the same up to a million nodes in a row?

Each length has a process of its own, so that none inherits the memory of another.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import gradviz
from benchmarks.figures import Spread, Target
from benchmarks.models import chain
from benchmarks.rounds import in_child, seconds_of
from benchmarks.sizes import deep_size
from benchmarks.tracers import bare_walk

ROUNDS = {30_000: 5, 200_000: 3, 1_000_000: 1}  # by length


class Cost(NamedTuple):
    """Seconds of each round, and bytes of one Graph."""

    bare: list[float]
    traced: list[float]
    size: int


def run(console: Console) -> list[Target]:
    """Print one row per length."""
    table = Table(
        "nodes", "rounds", "bare walk, per node", "trace, per node", "trace, in bare walks", "Graph, per node"
    )
    table.title = "Chains of x.sin(): median (quartiles)"
    for length, rounds in ROUNDS.items():
        cost = in_child(measure, length, rounds)
        bare, traced = (
            Spread.of([seconds / length * 1e6 for seconds in times]).text(" µs") for times in (cost.bare, cost.traced)
        )
        ratio = Spread.of_ratios(cost.traced, cost.bare).text("×")
        table.add_row(f"{length:,}", str(rounds), bare, traced, ratio, f"{cost.size / length:,.0f} B")
    console.print(table)
    return []


def measure(length: int, rounds: int) -> Cost:
    """Walk and trace new chains in turns."""
    gradviz.trace(chain(10))  # reads torch's table of formulas
    bare, traced, size = [], [], 0
    for _ in range(rounds):
        tip = chain(length)
        seconds, nodes = seconds_of(partial(bare_walk, tip))
        bare.append(seconds)
        del tip
        free_in_order(nodes)
        tip = chain(length)
        seconds, graph = seconds_of(partial(gradviz.trace, tip))
        traced.append(seconds)
        size = size or deep_size(graph)
        del tip, graph
    return Cost(bare, traced, size)


def free_in_order(nodes: dict[int, Any]) -> None:
    """Free a walked chain from its tip: freed as a whole, torch 2.13 recurses and overflows the stack."""
    for key in list(nodes):
        del nodes[key]
