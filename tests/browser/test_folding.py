"""Modules and repeats are unfolded and folded in the browser, and the way back is kept."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from gradviz.view.compose import compose
from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.view.builders import blocks

Opens = Callable[..., Viewer]
LINEAR = "linear1: Linear"


def test_a_double_click_shows_what_is_in_a_module_and_another_on_its_title_folds_it(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    key, children = graphs.key_of(graph, LINEAR), graphs.inside(graph, LINEAR)
    assert len(children) >= 4  # at least the product, the transposed weight, and two leaves
    before = set(view.drawn())

    view.double_click(key)
    view.until_shown(*children)
    assert set(view.drawn()) == before | children

    view.double_click(key)  # now that of the frame, which lies under its title
    view.until_gone(*children)
    assert set(view.drawn()) == before


def test_all_is_folded_and_unfolded_by_a_button(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    view.button("Fold all").click()
    view.until_gone(*graphs.inside(graph, "head: Sequential"))
    assert set(view.drawn()) == graphs.keys(compose(graph, fold=["*"]))

    view.button("Unfold all").click()
    view.until_shown(*graphs.inside(graph, LINEAR))
    full = compose(graph, fold=None)
    views = {box.key for box in full.boxes if box.role == "view"}  # chains of them stay one box
    telling = {box.key for box in full.boxes if box.role == "dead_end"}  # have a box where nothing was folded at first
    chains = {box.key for box in graphs.scene(graph).boxes if box.role == "view"}
    assert set(view.drawn()) - views - chains == graphs.keys(full) - views - telling


def test_a_repeat_is_unrolled_into_its_rounds(page_of: Opens) -> None:
    graph = blocks(12).graph()
    view = page_of(graph)
    node = graphs.node_in(graph, "h.3.norm")
    assert node not in {each.split(":")[0] for each in view.drawn()}

    view.find("module:h.3.norm")
    view.search.press("Enter")
    view.until_selected(node)
    view.until_shown(node)  # another round than the drawn one: only unrolled does it have a box of its own


def test_back_and_forward_lead_through_what_was_looked_at(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    key, children = graphs.key_of(graph, LINEAR), graphs.inside(graph, LINEAR)
    expect(view.button("Back")).to_be_disabled()
    view.click("n3")
    view.until_selected("n3")
    view.double_click(key)
    view.until_shown(*children)

    while view.state()["folds"]:
        view.button("Back").click()
    view.until_gone(*children)
    while view.button("Back").is_enabled():
        view.button("Back").click()
    view.until_selected()
    expect(view.button("Forward")).to_be_enabled()

    while view.button("Forward").is_enabled():
        view.button("Forward").click()
    view.until_shown(*children)
