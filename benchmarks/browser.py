"""Chromium, driven by playwright, and what a page in it tells of the viewer (``frontend/watch.js``)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

WATCH = Path(__file__).with_name("frontend") / "watch.js"
PATIENCE = 120_000  # milliseconds; a machine may be busy
VIEWPORT = {"width": 1280, "height": 800}
# It runs as root and in containers too, and paints without a graphics card, as every machine can.
_OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking")


def missing() -> str:
    """Why no browser can be driven here, "" if one can."""
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if _chromium() else "there is no Chromium (apt-get install chromium, or name one in GRADVIZ_CHROMIUM)"


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("GRADVIZ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium, on all cores: its threads are meant to work side by side."""
    from playwright.sync_api import sync_playwright

    with _all_cores(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=list(_OPTIONS))
        yield browser
        browser.close()


@contextmanager
def _all_cores() -> Iterator[None]:
    """Takes back for a while, for processes that are started now, that all work on one core (machine.settle)."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def watched_page(browser: Browser) -> Iterator[Page]:
    """A page without a past. Nothing moves by itself in it: the first frame after a change shows its end."""
    context = browser.new_context(viewport=VIEWPORT, reduced_motion="reduce", accept_downloads=True)  # type: ignore[arg-type]
    context.add_init_script(path=WATCH)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def opened(page: Page, file: Path) -> dict[str, float]:
    """Open a saved page: the milliseconds since then at which it got how far."""
    page.goto(file.as_uri())
    return page.evaluate("() => watch.drawn()")


def split(marks: Mapping[str, float], steps: Mapping[str, str]) -> dict[str, float]:
    """How long each step took, from the marks at which they end; one that left no mark took no time."""
    spent, last = {}, 0.0
    for step, end in steps.items():
        spent[step] = marks.get(end, last) - last
        last = marks.get(end, last)
    return spent


class Counters:
    """What Chromium counts of a page: seconds of its main thread's work, bytes of its heap."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        # Time of the thread alone, not what other programs take from the core meanwhile.
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def collect_garbage(self) -> None:
        """Twice: what is freed late by a first time is gone after the second."""
        for _ in range(2):
            self._session.send("HeapProfiler.collectGarbage")

    def read(self) -> dict[str, Any]:
        """All of them by name."""
        return {each["name"]: each["value"] for each in self._session.send("Performance.getMetrics")["metrics"]}
