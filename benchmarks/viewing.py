"""How soon does the viewer show a graph, on a page and in a notebook, and what does it leave behind?

The viewer is watched from outside (``frontend/watch.js``), in Chromium without a graphics card.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

import gradviz
from benchmarks import browser as driven
from benchmarks import frames, graphs, notebooks
from benchmarks.figures import Spread, Target
from benchmarks.rounds import seconds_of
from gradviz.graph import Graph
from gradviz.view.compose import compose
from gradviz.view.page import OfflinePage
from gradviz.view.payload import encode

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Steps of opening a page, each with the mark at which it ends.
STEPS = {
    "file read": "script",
    "viewer unpacked": "unpack",
    "graph unpacked": "parse",
    "JSON read": "model",
    "model built": "mount",
    "composed, measured": "lay out",
    "laid out": "laid out",
    "drawn": "drawn",
}
NO_WORKER = "No worker ran: the layout is in “drawn”, on the page's own thread."
LAYERS = 350  # of a transformer with more than 20,000 nodes
UNFOLD = "([key]) => watch.after((view) => view.store.set({ folds: key ? { [key]: 'open' } : {} }), false)"


def run(console: Console, *, quick: bool = False) -> list[Target]:
    """Print one table per question."""
    if why := driven.missing():
        console.print(f"viewing is left out: {why}")
        return []
    rounds = 2 if quick else 5
    with driven.chromium() as browser, TemporaryDirectory() as folder:
        return [
            *_pages(console, browser, Path(folder), rounds),
            *_unfolding(console, browser, Path(folder), rounds),
            *frames.run(console, browser, 1 if quick else 3),
            *notebooks.run(console, browser, rounds),
        ]


def _pages(console: Console, browser: Browser, folder: Path, rounds: int) -> list[Target]:
    table = Table("page", "nodes", "bytes", "encoded by Python", "written", "opened to drawn")
    table.title = f"Pages, opened folded: median of {rounds} (quartiles)"
    split = Table("page", *STEPS, title="From opened to drawn, step by step: medians, milliseconds")
    targets = []
    questions: list[tuple[str, Callable[[], Graph], float | None, float]] = [
        ("chain with skips, 20,000 nodes", lambda: graphs.chain(20_000), 300_000, 2),
        (f"{LAYERS}-layer GPT", lambda: graphs.gpt(LAYERS), 300_000, 2),
        ("chain with skips, 100,000 nodes", lambda: graphs.chain(100_000), None, 3),
    ]
    for name, make, most_bytes, most_seconds in questions:
        graph, file = make(), folder / "page.html"
        encoding, payload = seconds_of(partial(encode, graph), time.perf_counter)
        page = OfflinePage(graph, payload.compressed(9), name)
        writing, _ = seconds_of(partial(page.save, file), time.perf_counter)
        size = file.stat().st_size
        marks = []
        for _ in range(rounds):
            with driven.watched_page(browser) as tab:
                marks.append(driven.opened(tab, file))
        drawn = Spread.of([each["drawn"] / 1e3 for each in marks])
        cells = f"{len(graph):,}", f"{size:,}", f"{encoding:.2f} s", f"{writing:.2f} s", drawn.text(" s")
        table.add_row(name, *cells)
        split.add_row(name, *medians(marks, STEPS))
        if most_bytes:
            targets.append(Target(f"page of {name}", size, most_bytes, " B"))
        targets.append(Target(f"page of {name}, opened to drawn", drawn.median, most_seconds, " s"))
        split.caption = NO_WORKER if "laid out" not in marks[0] else None
    console.print(table)
    console.print(split)
    return targets


def _unfolding(console: Console, browser: Browser, folder: Path, rounds: int) -> list[Target]:
    graph, file = graphs.halves(300), folder / "halves.html"
    gradviz.save_page(graph, file, fold=["0"])
    closed = compose(graph, fold=["0"])
    (key,) = [box.key for box in closed.boxes if box.role == "module"]
    first, again = [], []
    for _ in range(rounds):
        with driven.watched_page(browser) as page:
            driven.opened(page, file)
            first.append(page.evaluate(UNFOLD, [key]))
            page.evaluate(UNFOLD, [""])
            again.append(page.evaluate(UNFOLD, [key]))
    steps = {"composed, measured": "lay out", "laid out": "laid out", "drawn": "drawn"}
    table = Table("unfolded", "change to drawn", *steps)
    table.title = f"A group of 300 nodes beside {len(closed.boxes) - 1} boxes: median of {rounds} (quartiles), ms"
    for name, marks in {"for the first time": first, "once more": again}.items():
        table.add_row(name, Spread.of([each["drawn"] for each in marks]).text(), *medians(marks, steps))
    table.caption = NO_WORKER if "laid out" not in first[0] else None
    console.print(table)
    unfolded = Spread.of([each["drawn"] for each in first]).median
    return [Target("unfold of a 300-node group, change to drawn", unfolded, 100, " ms")]


def medians(marks: Sequence[Mapping[str, float]], steps: Mapping[str, str]) -> list[str]:
    """The median of each step, as cells."""
    splits = [driven.split(each, steps) for each in marks]
    return [f"{Spread.of([split[step] for split in splits]).median:,.0f}" for step in steps]
