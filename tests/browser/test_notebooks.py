"""The same viewer in Notebook 7 and marimo, and notebooks that are shared: without a kernel, untrusted, as a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbclient
import nbconvert
import nbformat
import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, expect

from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.browser.heard import Heard
from tests.browser.jupyter import Notebook, Server, new
from tests.browser.test_lab import explore

Opens = Callable[..., Notebook]
PAGE = "gradviz.show(graph, mode='page')"
MARIMO = """
import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    import gradviz
    from gradviz.demo import demo_step
    model, loss = demo_step()
    view = mo.ui.anywidget(gradviz.show(gradviz.trace(loss, model=model)))
    view
    return mo, view

@app.cell
def _(mo, view):
    mo.md("selected: " + ", ".join(view.selected))
    return

if __name__ == "__main__":
    app.run()
"""


def test_a_notebook_is_explored_in_notebook_7(notebook_7: Server, notebook: Opens) -> None:
    explore(notebook(notebook_7, graphs.DEMO, "view = gradviz.show(graph)\nview")).keep_picture("notebook-7")


def test_a_view_works_in_the_shadow_root_of_marimo(marimo: Callable[[str], str], page: Page) -> None:
    graph = graphs.demo()
    page.goto(marimo(MARIMO))
    view = Viewer(page)
    assert set(view.drawn()) == graphs.first_sight(graph)
    children = graphs.inside(graph, "linear1: Linear")
    view.double_click(graphs.key_of(graph, "linear1: Linear"))
    view.until_shown(*children)
    view.visit("head.0.weight")
    expect(page.get_by_text(f"selected: {graph.leaf('head.0.weight').node}")).to_be_visible(timeout=30_000)
    view.keep_picture("marimo")


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    """A notebook with a page in it, run once without a browser."""
    made = new([graphs.DEMO, PAGE])
    folder = tmp_path_factory.mktemp("executed")
    nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return made


def test_a_page_in_a_trusted_notebook_is_interactive(lab: Server, notebook: Opens) -> None:
    book = notebook(lab, graphs.DEMO, PAGE)
    book.run()
    view = viewer_in(book.output(1).frame_locator("iframe"), book.page)
    view.visit("head.0.weight")
    view.until_selected(graphs.demo().leaf("head.0.weight").node)
    expect(book.output(1).get_by_role("img", name="backward graph")).to_be_hidden()


def test_a_page_in_an_untrusted_notebook_is_a_picture(lab: Server, page: Page, executed: nbformat.NotebookNode) -> None:
    """Nobody has signed it here, so JupyterLab takes the frame out."""
    book = Notebook(page, lab, "untrusted", executed)
    output = book.output(1)
    expect(output.locator("img.gradviz, img")).to_be_visible()
    expect(output.locator("iframe")).to_have_count(0)
    assert output.locator("img").evaluate("(img) => img.complete && img.naturalWidth > 100")
    book.close()


def test_a_notebook_that_nbconvert_exports_is_interactive_without_a_kernel(
    offline: Heard, context: BrowserContext, tmp_path: Path, executed: nbformat.NotebookNode
) -> None:
    exported, _ = nbconvert.HTMLExporter().from_notebook_node(executed)
    file = tmp_path / "notebook.html"
    file.write_text(exported, encoding="utf-8")
    page = context.new_page()
    page.goto(file.as_uri())
    view = viewer_in(page.frame_locator("iframe"), page)
    graph = graphs.demo()
    assert set(view.drawn()) == graphs.first_sight(graph)
    view.double_click(graphs.key_of(graph, "linear1: Linear"))
    view.until_shown(*graphs.inside(graph, "linear1: Linear"))
    offline.forgive("https://cdnjs.cloudflare.com/")  # the page of nbconvert itself asks for require.js and MathJax


def viewer_in(frame: FrameLocator, page: Page) -> Viewer:
    """The viewer inside a frame of a page."""
    frame.locator("#gradviz").wait_for()
    handle = page.locator("iframe").first.element_handle()
    assert handle is not None
    inner = handle.content_frame()
    assert inner is not None
    return Viewer(inner)
