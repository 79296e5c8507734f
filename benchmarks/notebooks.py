"""How soon does a notebook show a graph, and what is left of views that were shown before?"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks import jupyterlab
from benchmarks.browser import Counters, split, watched_page
from benchmarks.figures import Spread, Target

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAYERS = 12
MODEL = f"import gradviz\nfrom benchmarks.graphs import gpt_step\nmodel, loss = gpt_step({LAYERS})"
CELL = "gradviz.show(gradviz.trace(loss, model=model))"
# Each with the mark at which it ends. The browser unpacks and reads the graph while the kernel draws the still picture.
STEPS = {
    "traced, encoded, sent": "comm_open",
    "still picture": "execute_result",
    "output made": "mount",
    "composed, measured": "lay out",
    "laid out": "laid out",
    "drawn": "drawn",
}
WARM_UP, RERUNS = 5, 50
# Notebooks keep a widget's state (its script and graph, some 0.1 MB) and four listeners of anywidget's until the widget
# is closed; tests/browser compares with an empty one.
LEFT_AT_MOST = {"heap, MB": 0.2 * RERUNS, "canvases": 0, "workers": 0, "listeners": 4.5 * RERUNS}


def run(console: Console, browser: Browser, rounds: int) -> list[Target]:
    """Print one table for each of both questions."""
    if why := jupyterlab.missing():
        console.print(f"notebooks are left out: {why}")
        return []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        with jupyterlab.serving(home) as url:
            return [*_first_sight(console, browser, url, home, rounds), *_remains(console, browser, url, home)]


def _first_sight(console: Console, browser: Browser, url: str, home: Path, rounds: int) -> list[Target]:
    first, again = [], []
    with watched_page(browser) as page:
        for _ in range(rounds):
            notebook = jupyterlab.Notebook(page, url, home, CELL, MODEL)
            first.append(notebook.run())
            again.append(notebook.run())
            notebook.close()
    table = Table("cell", "run to drawn", *STEPS)
    table.title = f"{LAYERS}-layer GPT, traced and shown in JupyterLab: median of {rounds} (quartiles), ms"
    for name, marks in {"first in its kernel": first, "run once more": again}.items():
        splits = [split(each, STEPS) for each in marks]
        steps = [f"{Spread.of([each[step] for each in splits]).median:,.0f}" for step in STEPS]
        table.add_row(name, Spread.of([each["drawn"] for each in marks]).text(), *steps)
    console.print(table)
    drawn = Spread.of([each["drawn"] / 1e3 for each in first]).median
    return [Target(f"first sight of a {LAYERS}-layer GPT in JupyterLab, cell run to drawn", drawn, 1, " s")]


def _remains(console: Console, browser: Browser, url: str, home: Path) -> list[Target]:
    with watched_page(browser) as page:
        notebook = jupyterlab.Notebook(page, url, home, CELL, MODEL)
        for _ in range(WARM_UP):
            notebook.run()
        before = _left(page)
        for _ in range(RERUNS):
            notebook.run()
        after = _left(page)
        notebook.close()
    table = Table("", *before, title=f"A cell that shows a {LAYERS}-layer GPT, run {RERUNS} times more")
    table.add_row("before", *(f"{value:,.1f}" for value in before.values()))
    table.add_row("after", *(f"{value:,.1f}" for value in after.values()))
    console.print(table)
    return [
        Target(f"{name}, more after {RERUNS} runs", after[name] - before[name], most, "")
        for name, most in LEFT_AT_MOST.items()
    ]


def _left(page: Page) -> dict[str, float]:
    counters = Counters(page)
    counters.collect_garbage()
    counted = counters.read()
    return {
        "heap, MB": counted["JSHeapUsedSize"] / 1e6,
        "canvases": page.evaluate("() => watch.canvases()"),
        "workers": len(page.workers),
        "listeners": counted["JSEventListeners"],
        "elements": counted["Nodes"],
    }
