"""In JupyterLab a view and its kernel change the same state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gradviz.view.theme import THEMES
from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.browser.jupyter import Notebook, Server

Opens = Callable[..., Notebook]
SHOW = "view = gradviz.show(graph)\nview"
EMPTY = """\
import anywidget

class Empty(anywidget.AnyWidget):
    _esm = "export default { render: ({ el }) => { el.classList.add('empty-widget'); } }"

Empty()"""
HOSTILE = "import gradviz\nfrom tests.browser import graphs\ngradviz.show(graphs.hostile())"
ROOT = Path(__file__).parents[2]
LINEAR = "linear1: Linear"


def explore(book: Notebook) -> Viewer:
    """Run a notebook, unfold a module, search, click, step, and read in the kernel what that did."""
    graph = graphs.demo()
    book.run()
    view = Viewer(book.page)
    assert set(view.drawn()) == graphs.first_sight(graph)
    key, children = graphs.key_of(graph, LINEAR), graphs.inside(graph, LINEAR)
    view.double_click(key)
    view.until_shown(*children)

    view.visit("head.0.weight")
    book.until_value("list(view.selected)", [graph.leaf("head.0.weight").node])
    view.click("n0")
    view.expect_status(graph["n0"].op)
    book.until_value("list(view.selected)", ["n0"])

    view.button("Step through backward").click()
    view.step_to(5)
    view.expect_status(graphs.name_of(graph, graphs.in_order(graph)[4]))
    return view


def test_a_notebook_is_explored_and_the_kernel_knows(lab: Server, notebook: Opens) -> None:
    explore(notebook(lab, graphs.DEMO, SHOW)).keep_picture("lab")


def test_the_kernel_changes_what_is_shown_in_every_view(lab: Server, notebook: Opens) -> None:
    graph = graphs.demo()
    book = notebook(lab, graphs.DEMO, SHOW, "view")
    book.run()
    views = [Viewer(book.page, number) for number in (0, 1)]
    node = graph.leaf("head.0.weight").node
    children = graphs.inside(graph, LINEAR)

    book.execute("view.color_by = 'module'; view.select('head.0.weight')")
    for view in views:
        view.until("(view) => view.state().colorBy === 'module'")
        view.until_selected(node)
    book.execute("view.unfold('block.linear1')")
    for view in views:
        view.until_shown(*children)
    book.execute("view.fold('block.linear1')")
    for view in views:
        view.until_gone(*children)
    book.execute("view.highlight_path('head.0.weight')")
    for view in views:
        view.until("(view, id) => view.state().highlight?.ids.includes(id)", node)

    views[1].click("n3")  # and what is done in one view is seen in the other
    views[0].until_selected("n3")
    views[0].expect_status(graph["n3"].op)


def test_an_observer_in_the_kernel_hears_of_a_selection(lab: Server, notebook: Opens) -> None:
    observe = "heard = []\nview.observe(lambda change: heard.append(list(change.new)), 'selected')"
    book = notebook(lab, graphs.DEMO, SHOW, observe)
    book.run()
    view = Viewer(book.page)
    view.click("n2")
    book.until_value("heard", [["n2"]])


def test_keys_in_a_view_do_not_reach_the_notebook(lab: Server, notebook: Opens) -> None:
    book = notebook(lab, graphs.DEMO, SHOW, "1")
    book.run()
    view = Viewer(book.page)
    cells = book.cells()
    view.click("n3")
    for key in ("d", "d", "x", "a", "b", "j", "k", "c", "v", "z", "m", "y", "ArrowDown", "ArrowUp", "Shift+M"):
        view.page.keyboard.press(key)
    view.until("(view) => view.state().selected.length > 0")
    view.find("dd")
    view.search.press("x")
    assert book.cells() == cells
    assert book.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCell.model.type") == "code"
    assert book.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.mode") in ("command", "edit")


def test_the_wheel_scrolls_the_notebook_until_the_view_has_the_focus(lab: Server, notebook: Opens) -> None:
    book = notebook(lab, graphs.DEMO, SHOW, "print('line\\n' * 200)")
    book.run()
    book.output(2).get_by_text("line").first.wait_for()
    view = Viewer(book.page)
    view.host.scroll_into_view_if_needed()
    book.page.mouse.move(*view.middle())
    before, spread = view.screen_of("n0"), view.spread("n0", "n3")
    book.page.mouse.wheel(0, 60)
    view.until("(view, y) => view.screenOf('n0').y < y - 10", before[1])
    assert view.spread("n0", "n3") == pytest.approx(spread)

    view.click("n3")
    view.until_selected("n3")
    top = view.host.bounding_box()
    book.page.mouse.wheel(0, 60)
    view.until_still()
    assert view.host.bounding_box() == top
    assert abs(view.spread("n0", "n3") - spread) > 1


def test_a_view_follows_the_theme_of_jupyterlab(lab: Server, notebook: Opens) -> None:
    book = notebook(lab, graphs.DEMO, SHOW)
    book.run()
    view = Viewer(book.page)
    for name in ("dark", "light"):
        book.command("apputils:change-theme", theme=f"JupyterLab {name.title()}")
        view.until_colour(None, graphs.colour(THEMES[name].paper))
        view.keep_picture(f"lab-{name}")


def test_a_cell_that_is_run_fifty_times_leaves_one_canvas_and_one_worker(
    lab: Server, notebook: Opens, page: Page
) -> None:
    book = notebook(lab, graphs.DEMO, SHOW, EMPTY)
    book.run()
    Viewer(page)
    canvases = page.locator(".jp-OutputArea canvas")
    alone, workers = canvases.count(), len(page.workers)
    growth = {}
    for cell, runs in ((2, 20), (1, 50)):
        book.rerun(cell, 5)
        listeners = book.listeners()
        book.rerun(cell, runs - 5)
        growth[cell] = (book.listeners() - listeners) / (runs - 5)
    Viewer(page)
    expect(canvases).to_have_count(alone)
    assert len(page.workers) <= workers
    assert growth[1] < growth[2] + 1, "an empty anywidget leaves some listeners behind at each run; a view not more"


def test_hostile_names_run_nothing_in_a_notebook(lab: Server, notebook: Opens) -> None:
    book = notebook(lab, f"import sys\nsys.path.insert(0, {str(ROOT)!r})", HOSTILE)
    book.run()
    view = Viewer(book.page)
    view.button("Unfold all").click()
    view.until("(view, count) => view.keys().length >= count", len(graphs.hostile().nodes))
    for text in graphs.RUNNING:
        view.visit(text)
    assert book.page.evaluate("() => window.__pwned") is None
