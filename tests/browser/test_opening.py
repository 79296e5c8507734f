"""A page from file:// opens drawn, with what Python would draw, and wants nothing of a network."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gradviz.graph import Graph
from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.view.builders import blocks

Opens = Callable[..., Viewer]


@pytest.mark.parametrize(
    "graph", [graphs.demo(), blocks(3).graph(), blocks(12).graph()], ids=["folded", "in full", "a repeat"]
)
def test_a_page_opens_with_the_boxes_that_python_draws(page_of: Opens, graph: Graph) -> None:
    view = page_of(graph)
    assert set(view.drawn()) == graphs.first_sight(graph)
    assert len(view.drawn()) == len(set(view.drawn()))
    expect(view.drawing).to_have_accessible_name(re.compile(f"{len(graph)} nodes"))


def test_a_page_has_the_title_and_a_policy_that_lets_nothing_be_loaded(page_of: Opens) -> None:
    view = page_of(graphs.reached_once(), title="<b>My</b> model")
    assert view.page.title() == "<b>My</b> model"
    (policy,) = view.page.evaluate(
        "() => [...document.querySelectorAll('meta[http-equiv=Content-Security-Policy]')].map((meta) => meta.content)"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    assert "http" not in policy
    assert "*" not in policy


def test_that_policy_holds(page_of: Opens) -> None:
    """Not only the fixture keeps the network away: the page itself may not ask."""
    view = page_of(graphs.reached_once())
    refused = """(url) => new Promise((then) => {
      document.addEventListener('securitypolicyviolation', (event) => then(event.effectiveDirective));
      fetch(url).catch(() => {});
    })"""
    assert view.page.evaluate(refused, "https://example.org/") == "connect-src"
    view.heard.errors.clear()  # those that this test wanted


def test_the_shortest_graphs_open(page_of: Opens) -> None:
    assert page_of(graphs.single()).drawn() == ["n0"]
    assert page_of(graphs.empty()).drawn() == []


def test_a_graph_of_twenty_thousand_nodes_opens_and_can_be_searched(page_of: Opens, tmp_path: Path) -> None:
    graph = graphs.wide(20_000)
    view = page_of(graph)
    assert set(view.drawn()) == graphs.first_sight(graph)
    assert (tmp_path / "graph.html").stat().st_size < 300_000
    view.find("weight_9876")
    view.search.press("Enter")
    view.until_selected(graph.leaf("weight_9876").node)


@pytest.mark.browser_context_args(viewport={"width": 360, "height": 640})
def test_a_narrow_window_shows_all_controls_without_scrolling_sideways(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    assert view.page.evaluate("() => document.documentElement.scrollWidth") <= 360
    view.find("LogSoftmax")
    view.search.press("Enter")
    view.until_selected("n3")
    view.keep_picture("narrow")
    box = view.drawing.bounding_box()
    assert box is not None
    assert box["width"] > 180
    assert box["height"] > 180


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 800, "height": 900})
def test_a_tap_selects(page_of: Opens) -> None:
    view = page_of(graphs.reached_once())
    view.drawing.tap(position=view.place("n1"))
    view.until_selected("n1")
    view.expect_status("AddmmBackward0")
