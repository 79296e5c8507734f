"""What does it cost to make a deep graph safe to drop, and to drop it?

gradviz does this only for graphs deeper than 20,000 nodes (``gradviz.capture.lifetime``). Beside it: dropping the same
graph when nobody has looked at it.
"""

from __future__ import annotations

from functools import partial

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Spread, Target
from benchmarks.models import chain
from benchmarks.rounds import in_child, seconds_of
from benchmarks.scale import free_in_order
from benchmarks.tracers import bare_walk
from gradviz.capture.lifetime import secure
from gradviz.capture.walk import advance, start

ROUNDS = {30_000: 5, 200_000: 3}  # by length
STEPS = ("bare walk", "making it safe", "dropping it, made safe", "dropping it, never walked")


def run(console: Console) -> list[Target]:
    """Print one row per length."""
    table = Table("nodes", "rounds", *STEPS, title="A deep graph's end, per node: median (quartiles)")
    for length, rounds in ROUNDS.items():
        steps = zip(*in_child(measure, length, rounds), strict=True)
        cells = [Spread.of([seconds / length * 1e6 for seconds in step]).text(" µs") for step in steps]
        table.add_row(f"{length:,}", str(rounds), *cells)
    console.print(table)
    return []


def measure(length: int, rounds: int) -> list[tuple[float, ...]]:
    """For each round, the seconds of each of STEPS, on new chains."""
    return [(_bare(length), *_secured(length), _dropped(length)) for _ in range(rounds)]


def _bare(length: int) -> float:
    tip = chain(length)
    seconds, nodes = seconds_of(partial(bare_walk, tip))
    del tip
    free_in_order(nodes)
    return seconds


def _secured(length: int) -> tuple[float, float]:
    tips = [chain(length)]
    walk = start([tips[0].grad_fn])
    advance(walk)
    secured, _ = seconds_of(partial(secure, walk))
    del walk
    freed, _ = seconds_of(tips.clear)
    return secured, freed


def _dropped(length: int) -> float:
    tips = [chain(length)]
    return seconds_of(tips.clear)[0]
