"""How long is a trace with all its facts, measured in bare walks of the same graph?

Every graph is new: the first walk of a graph makes the Python objects of its nodes, which is a good part of the work.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

import gradviz
from benchmarks.figures import Spread, Target
from benchmarks.models import workloads
from benchmarks.rounds import interleave
from benchmarks.tracers import BARE, GRADVIZ, TORCHVIZ_FULL, Tracer, bare_walk, tracers

ROUNDS = 15


def run(console: Console) -> list[Target]:
    """Print one column per model."""
    found, missing = tracers()
    table = Table(title=f"Cold trace, in bare walks of the same graph: median of {ROUNDS} (quartiles)")
    table.add_column("tracer")
    cells: dict[str, list[str]] = {name: [] for name in found}
    targets = []
    for workload in workloads():
        loss = workload.loss()
        nodes = len(bare_walk(loss))
        if len(gradviz.trace(loss, model=workload.model).nodes) != nodes:
            raise AssertionError(f"gradviz and the bare walk disagree about the nodes of {workload.name}")
        del loss
        contestants = {name: partial(_trace, tracer, workload.model) for name, tracer in found.items()}
        seconds = interleave(contestants, workload.loss, ROUNDS)
        table.add_column(f"{workload.name}\n{nodes:,} nodes", justify="right")
        for name, times in seconds.items():
            ratio = Spread.of_ratios(times, seconds[BARE])
            cells[name].append(f"{Spread.of(times).median * 1e3:.2f} ms" if name == BARE else ratio.text("×"))
        ratio = Spread.of_ratios(seconds[GRADVIZ], seconds[BARE])
        targets.append(Target(f"trace of {workload.name}, in bare walks", ratio.median, 20, "×"))
        if TORCHVIZ_FULL in seconds:
            faster = Spread.of_ratios(seconds[TORCHVIZ_FULL], seconds[GRADVIZ])
            what = f"faster than torchviz with attrs and saved, {workload.name}"
            targets.append(Target(what, faster.median, 4, "×", at_least=True))
    for name, row in cells.items():
        table.add_row(name, *row)
    table.caption = "; ".join(missing)
    console.print(table)
    return targets


def _trace(tracer: Tracer, model: nn.Module, loss: Tensor) -> Any:
    return tracer(loss, model)
