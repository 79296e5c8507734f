"""Names come from user code: none of them runs, and all of them can be looked at."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser import graphs
from tests.browser.hands import Viewer

Opens = Callable[..., Viewer]


def test_hostile_names_run_nothing_wherever_they_are_shown(page_of: Opens) -> None:
    """The fixture listens for errors (a policy that had to step in among them) and dialogs."""
    graph = graphs.hostile()
    view = page_of(graph, title=graphs.RUNNING[0])
    assert view.page.title() == graphs.RUNNING[0]
    view.button("Unfold all").click()
    view.until("(view, count) => view.keys().length >= count", len(graph.nodes))
    for text in graphs.RUNNING:
        view.find(text)
        view.search.press("Enter")
        view.until("(view) => view.state().selected.length > 0")
        (node,) = view.state()["selected"]
        name = graphs.name_of(graph, graph[node])
        expect(view.details.get_by_role("heading", level=2)).to_have_text(name)
    for by in ("module", "dtype"):
        view.host.get_by_role("combobox", name="Color by").select_option(by)
    view.until("() => true")
    view.keep_picture("hostile")
    assert view.page.evaluate("() => window.__pwned") is None
