"""What does a watch cost a training step, while it observes and after its observers have left?

Every contestant trains a model of its own, equal at the start, and takes steps within the same round. One step is made
before those that are measured, except where the first steps of a watch are meant: they trace the graph, and count
entering and leaving too. Memory is that of whole processes, each new.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from torch.optim import SGD, AdamW, Optimizer

import gradviz
from benchmarks.figures import Spread, Target
from benchmarks.rounds import in_child, seconds_of
from benchmarks.sizes import deep_size

STEPS = 3  # that are measured together
PLAIN, WATCH, FIRST, AFTER = "plain", "watch", "watch, first three steps", "watch, its observers left"
LENS, ANOMALY = "torchlens, trace and log_backward", "anomaly mode"


class Training(NamedTuple):
    """A model that returns its loss, with what it needs for a step."""

    name: str
    model: nn.Module
    optimizer: Optimizer
    input: Tensor
    limit: float  # that a watched step may cost, in plain steps
    rounds: int

    def step(self) -> None:
        """One step of a usual training loop."""
        self.optimizer.zero_grad()
        self.model(self.input).backward()
        self.optimizer.step()


class Block(nn.Module):
    """A block of a ResNet-18."""

    def __init__(self, narrow: int, wide: int, stride: int) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2d(narrow, wide, 3, stride, 1, bias=False), nn.BatchNorm2d(wide)
        self.second, self.second_norm = nn.Conv2d(wide, wide, 3, 1, 1, bias=False), nn.BatchNorm2d(wide)
        self.short = nn.Sequential()
        if stride > 1:
            self.short = nn.Sequential(nn.Conv2d(narrow, wide, 1, stride, bias=False), nn.BatchNorm2d(wide))

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (batch, channels, height, width)."""
        middle = self.norm(self.first(x)).relu_()
        output: Tensor = (self.second_norm(self.second(middle)) + self.short(x)).relu_()
        return output


class Classified(nn.Module):
    """A model with its loss, for labels that count up."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        """The loss, a scalar."""
        scores = self.layers(x).flatten(0, -2)
        return nn.functional.cross_entropy(scores, torch.arange(len(scores)) % scores.shape[-1])


def resnet() -> Training:
    """A ResNet-18 for 16 pictures of 64x64."""
    torch.manual_seed(0)
    widths = [(64, 64), (64, 64), (64, 128), (128, 128), (128, 256), (256, 256), (256, 512), (512, 512)]
    blocks = [Block(narrow, wide, wide // narrow) for narrow, wide in widths]
    stem = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
    model = Classified(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))
    optimizer = SGD(model.parameters(), lr=0.01, momentum=0.9)
    return Training("ResNet-18", model, optimizer, torch.randn(16, 3, 64, 64), 1.3, 5)


def transformer() -> Training:
    """Four layers of width 64: torch computes so little that Python's own time dominates."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(64, 4, 256, dropout=0.1, batch_first=True, norm_first=True)
    encoder = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    model = Classified(nn.Embedding(100, 64), encoder, nn.LayerNorm(64), nn.Linear(64, 100))
    optimizer = AdamW(model.parameters(), lr=1e-3)
    return Training("transformer", model, optimizer, torch.randint(100, (4, 16)), 2.5, 25)


def run(console: Console) -> list[Target]:
    """Print one column per model."""
    table = Table(title="A training step: median (quartiles)")
    table.add_column("step")
    targets = []
    cells: dict[str, list[str]] = {}
    for make in (resnet, transformer):
        training = make()
        seconds = _measure(make)
        table.add_column(training.name, justify="right")
        for name, times in seconds.items():
            ratio = Spread.of_ratios(times, seconds[PLAIN])
            text = f"{Spread.of(times).median / STEPS * 1e3:.1f} ms" if name == PLAIN else ratio.text("×")
            cells.setdefault(name, []).append(text)
        cells.setdefault(LENS, []).append(in_child(lens, make))
        ratios = {name: Spread.of_ratios(seconds[name], seconds[PLAIN]).median for name in (WATCH, AFTER)}
        targets.append(Target(f"watched step of {training.name}, in plain steps", ratios[WATCH], training.limit, "×"))
        targets.append(Target(f"the same, after the observers left, {training.name}", ratios[AFTER], 1.02, "×"))
    for name, row in cells.items():
        table.add_row(name, *row)
    console.print(table)
    return [*targets, _memory(console)]


def _measure(make: Callable[[], Training]) -> dict[str, list[float]]:
    contestants: dict[str, Callable[[Training], float]] = {
        PLAIN: partial(_inside, _nothing),
        WATCH: partial(_inside, _watch),
        FIRST: _first_steps,
        AFTER: partial(_inside, partial(_watch, steps=1)),
        ANOMALY: partial(_inside, _anomaly),
    }
    trainings = {name: make() for name in contestants}
    order = random.Random(0)
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(make().rounds + 1):
        for name in order.sample(list(contestants), len(contestants)):
            elapsed = contestants[name](trainings[name])
            if turn:
                seconds[name].append(elapsed)
    return seconds


def lens(make: Callable[[], Training]) -> str:
    """What TorchLens costs, or why it cannot take part.

    It is measured after the plain steps, in a process of its own, because torch's functions stay wrapped, and slower,
    after its first trace (torchlens 2.36).
    """
    try:
        trace = import_module("torchlens").trace
    except (ImportError, AttributeError) as error:
        return str(error)
    training = make()
    plain = [_inside(_nothing, training) for _ in range(3)]
    _logged(trace, training)
    logged = [_logged(trace, training) for _ in range(2)]
    return Spread.of([one / statistics.median(plain) for one in logged]).text("×")


def _inside(around: Callable[..., AbstractContextManager[Any]], training: Training) -> float:
    """Steps inside a context, after one that is not counted."""
    with around(training):
        training.step()
        return seconds_of(partial(_steps, training))[0]


def _steps(training: Training) -> None:
    for _ in range(STEPS):
        training.step()


def _nothing(_: Training) -> AbstractContextManager[Any]:
    return nullcontext()


def _watch(training: Training, steps: int | None = None) -> AbstractContextManager[Any]:
    return gradviz.watch(training.model, training.optimizer, steps=steps)


def _first_steps(training: Training) -> float:
    def steps() -> None:
        with _watch(training, STEPS):
            _steps(training)

    training.step()
    return seconds_of(steps)[0]


@contextmanager
def _anomaly(_: Training) -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that it is slow
        with torch.autograd.detect_anomaly():
            yield


def _logged(trace: Any, training: Training) -> float:
    def steps() -> None:
        for _ in range(STEPS):
            training.optimizer.zero_grad()
            traced = trace(training.model, training.input)
            traced.log_backward(traced[traced.output_layers[0]].out)
            training.optimizer.step()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return seconds_of(steps)[0]


def _memory(console: Console) -> Target:
    """How much more a process that watches needs at its peak, in shares of what training needs."""
    plain = statistics.median(in_child(peak_bytes, False)[0] for _ in range(3))
    watched = [in_child(peak_bytes, True) for _ in range(3)]
    recording = watched[0][1]
    extra = statistics.median(peak for peak, _ in watched) - plain
    share = (extra - recording) / plain * 100
    console.print(
        f"Memory of {resnet().name}: {plain / 2**20:.0f} MiB at the peak of training; {extra / 2**20:+.1f} MiB with a "
        f"watch, {recording / 2**20:.1f} MiB of which are what it recorded"
    )
    return Target("extra peak memory of a watch without its recording, ResNet-18", share, 5, " %")


def peak_bytes(watching: bool) -> tuple[int, int]:
    """What four steps add to the highest memory of this process, and the size of what was recorded."""
    small = transformer()
    with _watch(small):  # loads everything that is loaded late
        _steps(small)
    before = _highest()
    training = resnet()
    with _watch(training) if watching else nullcontext() as watched:
        _steps(training)
    return _highest() - before, deep_size(watched) if watching else 0


def _highest() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
