"""The browser of the tests, the servers that they share, and pages from file:// that may ask nothing of a network."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

import gradviz
from gradviz.graph import Graph
from tests.browser.hands import Viewer
from tests.browser.heard import LOCAL, Heard
from tests.browser.jupyter import Notebook, Server, serving
from tests.browser.programs import free_port, running

HERE = Path(__file__).parent
LONGEST = 180  # seconds for one test; the longest takes 30 where nothing else runs


def chromium() -> str:
    """The path of the system's Chromium; without one the test is skipped, but not in CI."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("GRADVIZ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        reason = "there is no Chromium: install it (apt-get install chromium), or name one in GRADVIZ_CHROMIUM"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return found


def pytest_itemcollected(item: pytest.Item) -> None:
    """Each test of this folder is a browser test, before any is deselected by its marker."""
    if HERE in item.path.parents:
        item.add_marker(pytest.mark.browser)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go last: from the first one on, Playwright's event loop counts as running in this thread."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session", autouse=True)
def orderly_end() -> Iterator[None]:
    """Whoever terminates the tests has their servers ended too: as if by Ctrl+C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Fails a test whose page hangs: Playwright waits without end for a page to run a script."""

    def fail(*_: object) -> None:
        pytest.fail(f"the page hangs: not done after {LONGEST} seconds")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(LONGEST)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def base_url() -> None:
    """No page is relative to another. (The plugin's own fixture of this name is deprecated: pytest 9 warns of it.)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium: nothing is downloaded."""
    # The first two: it runs as root and in containers too. The last: letters look the same on every machine.
    args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]
    return browser_type_launch_args | {"executable_path": chromium(), "args": [*args, "--font-render-hinting=none"]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Nothing moves by itself, so that a box is where it is said to be."""
    return browser_context_args | {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab, one for all tests."""
    chromium()
    with serving("lab", tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def notebook_7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Notebook 7."""
    chromium()
    with serving("notebook", tmp_path_factory.mktemp("notebook")) as server:
        yield server


@pytest.fixture
def notebook(page: Page, request: pytest.FixtureRequest) -> Iterator[Callable[..., Notebook]]:
    """Opens notebooks of these cells, and ends their kernels after the test."""
    opened: list[Notebook] = []

    def open_notebook(server: Server, *cells: str) -> Notebook:
        opened.append(Notebook(page, server, request.node.name, cells))
        return opened[-1]

    yield open_notebook
    for each in opened:
        each.close()


@pytest.fixture
def marimo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Runs a marimo app of this source, and tells its address."""
    chromium()
    with ExitStack() as stack:

        def run(source: str) -> str:
            home, port = tmp_path_factory.mktemp("marimo"), free_port()
            app = home / "app.py"
            app.write_text(source)
            command = [sys.executable, "-m", "marimo", "run", str(app), "--headless", "--no-token"]
            url = f"http://127.0.0.1:{port}"
            stack.enter_context(running([*command, "-p", str(port)], home=home, url=f"{url}/health"))
            return url

        yield run


@pytest.fixture
def offline(context: BrowserContext) -> Iterator[Heard]:
    """Cuts the network off, and fails the test if a page wanted it, or told of an error."""
    heard = Heard()
    context.route(lambda url: not url.startswith(LOCAL), lambda route: route.abort("blockedbyclient"))
    context.on("page", heard.listen)
    yield heard
    assert heard.requests == []
    assert heard.errors == []


@pytest.fixture
def page_of(offline: Heard, context: BrowserContext, tmp_path: Path) -> Callable[..., Viewer]:
    """Saves a graph as a page and opens it from file://."""

    def open_page(graph: Graph, **options: Any) -> Viewer:
        file = tmp_path / "graph.html"
        gradviz.save_page(graph, file, **options)
        page = context.new_page()
        page.goto(file.as_uri())
        return Viewer(page, heard=offline)

    return open_page
