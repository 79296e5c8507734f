"""How long does it take from a loss to its picture, and how tall is the picture?

gradviz draws with its default fold. torchviz's picture goes through the same Graphviz, with a minute to finish.
"""

from __future__ import annotations

import re
import time
from functools import partial
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

import gradviz
from benchmarks.figures import Spread, Target
from benchmarks.models import transformer, workloads
from benchmarks.rounds import in_child, seconds_of
from benchmarks.tracers import TORCHVIZ, tracers
from gradviz.view.engine import LayoutFailedError, run_graphviz
from gradviz.view.picture import Picture

ROUNDS = 5
PATIENCE = 60.0  # seconds


class Drawn(NamedTuple):
    """Seconds of the first picture in a new process and of the later ones, boxes, and height in points."""

    first: float
    later: list[float]
    boxes: int
    height: float


def run(console: Console) -> list[Target]:
    """Print one row per model, and torchviz's picture of the transformer."""
    table = Table("picture", "first in a process", "later", "boxes", "height")
    table.title = f"From a loss to SVG: median of {ROUNDS} (quartiles)"
    targets = []
    for index, workload in enumerate(workloads()):
        drawn = in_child(draw, index)
        cells = f"{drawn.first:.2f} s", Spread.of(drawn.later).text(" s"), str(drawn.boxes), f"{drawn.height:,.0f} pt"
        table.add_row(f"gradviz, {workload.name}", *cells)
        if workload.name == transformer().name:
            targets.append(Target(f"first SVG of {workload.name}", drawn.first, 1, " s"))
    table.add_row(f"torchviz, {transformer().name}", *_torchviz())
    console.print(table)
    return targets


def draw(index: int) -> Drawn:
    """Trace and draw a model several times."""
    workload = workloads()[index]
    drawings = [
        seconds_of(partial(_picture, workload.loss(), workload.model), time.perf_counter) for _ in range(ROUNDS + 1)
    ]
    picture = drawings[0][1]
    seconds = [elapsed for elapsed, _ in drawings]
    return Drawn(seconds[0], seconds[1:], len(picture.scene.boxes), height(picture.svg))


def _picture(loss: Tensor, model: nn.Module) -> Picture:
    picture = gradviz.draw(gradviz.trace(loss, model=model))
    _ = picture.svg  # made when first asked for, then kept
    return picture


def _torchviz() -> tuple[str, str, str, str]:
    make_dot = tracers()[0].get(TORCHVIZ)
    if make_dot is None:
        return "not installed", "", "", ""
    workload = transformer()
    loss = workload.loss()
    start = time.perf_counter()
    dot = make_dot(loss, workload.model)
    try:
        (svg,) = run_graphviz(dot.source, "dot", ["svg"], seconds=PATIENCE)
    except LayoutFailedError as error:
        return str(error), "", "", ""
    seconds = time.perf_counter() - start
    return f"{seconds:.2f} s", "", str(svg.count(b'class="node"')), f"{height(svg.decode()):,.0f} pt"


def height(svg: str) -> float:
    """The height that a picture asks for, in points."""
    (points,) = re.findall(r'<svg[^>]*\bheight="([\d.]+)pt"', svg)
    return float(points)
