"""How long does a frame take while a picture is moved, beside the same picture as SVG elements?

All of a graph is in view, and stays there: it is zoomed out and in again, and pushed to both sides. On the viewer's
canvas by the events of a mouse, one per frame; the SVG is the one that the viewer saves, moved by its viewBox.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

import gradviz
from benchmarks import graphs
from benchmarks.browser import Counters, opened, watched_page
from benchmarks.figures import Spread, Target

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LIMITS = {1000: 16.7, 5000: 16.7, 20_000: 33.4}  # milliseconds, by boxes: 60 and 30 frames a second
FRAMES = 60
KINDS = ("zoom", "pan")
_SVG_PAGE = "<!doctype html><style>body { margin: 0 } svg { width: 100vw; height: 100vh }</style>\n"


def run(console: Console, browser: Browser, rounds: int) -> list[Target]:
    """Print one row per size and movement."""
    table = Table("boxes in view", "", "canvas, frame", "main thread", "SVG, frame", "main thread")
    table.title = f"Moving a picture: median of the frames in {rounds} rounds (quartiles), milliseconds"
    targets = []
    for boxes, limit in LIMITS.items():
        with TemporaryDirectory() as folder:
            intervals, busy = _measure(browser, boxes, Path(folder), rounds)
        for kind in KINDS:
            cells = [
                spread.text()
                for way in ("canvas", "svg")
                for spread in (Spread.of(intervals[way, kind]), Spread.of(busy[way, kind]))
            ]
            table.add_row(f"{boxes:,}", kind, *cells)
            # The browser tells times in tenths of a millisecond.
            frame = round(Spread.of(intervals["canvas", kind]).median, 1)
            targets.append(Target(f"frame with {boxes:,} boxes in view, {kind}", frame, limit, " ms"))
    console.print(table)
    return targets


Times = dict[tuple[str, str], list[float]]


def _measure(browser: Browser, boxes: int, folder: Path, rounds: int) -> tuple[Times, Times]:
    """Milliseconds from frame to frame, and those of the main thread per frame, of both ways and movements."""
    intervals: Times = defaultdict(list)
    busy: Times = defaultdict(list)
    file = gradviz.save_page(graphs.field(boxes), folder / "canvas.html", fold=None)
    picture = folder / "svg.html"
    for _ in range(rounds):
        with watched_page(browser) as page:
            opened(page, file)
            if not picture.exists():
                picture.write_text(_SVG_PAGE + _saved_svg(page, folder))
            page.get_by_role("button", name="Fit").click()
            _move(page, "canvas", intervals, busy)
        with watched_page(browser) as page:
            page.goto(picture.as_uri())
            _move(page, "svg", intervals, busy)
    return intervals, busy


def _move(page: Page, way: str, intervals: Times, busy: Times) -> None:
    counters = Counters(page)
    function = {"canvas": "moveCanvas", "svg": "moveSvg"}[way]
    for kind in KINDS:
        before = counters.read()["TaskDuration"]
        times = page.evaluate(f"([kind, frames]) => watch.{function}(kind, frames)", [kind, FRAMES])
        intervals[way, kind] += times
        busy[way, kind].append((counters.read()["TaskDuration"] - before) * 1e3 / len(times))


def _saved_svg(page: Page, folder: Path) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    file = folder / "saved.svg"
    download.value.save_as(file)
    text = file.read_text()
    return text[text.index("<svg") :]
