"""Searching, reading what is known, highlighting, colouring and stepping."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from gradviz.graph import Graph
from gradviz.view.theme import LOOKS
from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.browser.pictures import most_common

Opens = Callable[..., Viewer]
TALL = {"width": 1600, "height": 2500}  # all of the demo's graph, at the scale at which it is opened


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("head.0.weight", lambda graph: [graph.leaf("head.0.weight").node]),
        ("LogSoftmax", lambda graph: [node.id for node in graph if "LogSoftmax" in node.op]),
        ("hook", lambda graph: [graph.leaf("head.0.weight").node]),
        ("(8, 5)", lambda graph: [node.id for node in graph if any(slot.shape == (8, 5) for slot in node.slots)]),
    ],
)
def test_search_visits_what_it_finds_and_unfolds_what_hides_it(
    page_of: Opens, query: str, found: Callable[[Graph], list[str]]
) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    view.find(query)
    wanted = found(graph)
    assert wanted
    for number, node in enumerate(wanted, 1):
        view.search.press("Enter")
        view.until_selected(node)
        if len(wanted) > 1:
            expect(view.host.get_by_text(f"{number} of {len(wanted)}", exact=True)).to_be_visible()
        shown = {key.split(":")[-1] for key in view.drawn()}
        assert node in shown
    view.button("Previous match").click()
    view.until_selected(wanted[-2] if len(wanted) > 1 else wanted[0])


def test_a_search_without_a_match_says_so(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.find("nowhere")
    view.expect_status("nowhere")
    view.search.press("Enter")
    view.until_selected()


def test_details_tell_what_is_known_of_a_leaf_with_a_hook(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    leaf = graph.leaf("head.0.weight")
    (hook,) = leaf.hooks
    assert hook.where is not None
    assert re.search(r"demo\.py:\d+$", hook.where)
    view.visit("head.0.weight")
    for fact in ("head.0.weight", "AccumulateGrad", "(16, 32, 3)", "float32", hook.where, hook.name):
        expect(view.details).to_contain_text(fact)
    expect(view.details.get_by_text(graph.expression(leaf.node), exact=True)).to_be_visible()


def test_the_drawing_stays_where_it_is_when_details_open(page_of: Opens) -> None:
    """Else the second click of a double click falls beside the box."""
    view = page_of(graphs.demo())
    before = view.screen_of("n1")
    view.click("n3")
    expect(view.details).to_be_visible()
    view.until_still()
    assert view.screen_of("n1") == before


def test_details_tell_what_is_known_of_an_operation(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    node = next(node for node in graph if node.op == "ConvolutionBackward0")
    saved = next(item for item in node.saved if item.name == "input")
    assert saved.bytes == 8 * 32 * 16 * 4
    view.visit("ConvolutionBackward0")
    facts = ["(8, 32, 16)", "16.4 kB", "held", str(node.module)]
    facts += [argument.formula for argument in node.arguments]
    for fact in facts:
        expect(view.details).to_contain_text(fact)
    before = [graphs.name_of(graph, graph[edge.source]) for edge in graph.edges if edge.target == node.id]
    after = [graphs.name_of(graph, graph[edge.target]) for edge in graph.edges if edge.source == node.id]
    assert len(after) == 3
    expect(view.neighbours("Upstream")).to_have_text([re.compile(re.escape(name)) for name in before])
    expect(view.neighbours("Downstream")).to_have_text([re.compile(re.escape(name)) for name in after])

    view.neighbours("Downstream").get_by_text("head.0.bias").click()
    view.until_selected(graph.leaf("head.0.bias").node)


def test_the_expression_of_a_node_is_copied(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view.visit("head.0.bias")
    view.button("Copy expression").click()
    expect(view.button("Copied")).to_be_visible()
    copied = view.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == graph.expression(graph.leaf("head.0.bias").node)


@pytest.mark.browser_context_args(viewport=TALL)
def test_all_paths_from_a_leaf_to_the_loss_are_highlighted(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    node = graph.leaf("head.0.weight").node
    view.visit("head.0.weight")
    user = graph.path_to("head.0.weight")[-2].id  # of its module, which has been unfolded
    before, on_the_way = view.colour("n2"), view.colour(user)
    view.details.get_by_role("button", name="All paths to the loss").click()
    view.until("(view, ids) => view.state().highlight?.ids.join() === ids.join()", [node])
    assert view.state()["highlight"] == {"kind": "upstream", "ids": [node]}
    view.until("() => true")
    assert view.colour("n2") != before  # stands back
    assert view.colour(user) == on_the_way

    view.press("Escape")
    view.until("(view) => view.state().highlight === null")
    assert view.colour("n2") == before


def test_the_paths_between_two_nodes_are_highlighted(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.click("n0")
    view.click("n3", add=True)
    view.until_selected("n0", "n3")
    view.details.get_by_role("button", name="Path").click()
    view.until("(view) => view.state().highlight !== null")
    assert view.state()["highlight"] == {"kind": "between", "ids": ["n0", "n3"]}


def test_the_legend_shows_the_roles_on_the_screen_in_their_colours_and_no_others(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    roles = {box.role for box in graphs.scene(graph).boxes}
    for role, look in LOOKS.items():
        entry = view.legend.get_by_role("listitem").filter(has_text=re.compile(f"^{look.name}$"))
        expect(entry).to_have_count(1 if role in roles else 0)
        if role in roles:
            assert most_common(entry.locator("canvas").screenshot()) == graphs.colour(look.light.fill)


@pytest.mark.browser_context_args(viewport=TALL)
@pytest.mark.parametrize(
    ("by", "label"), [("module", "head"), ("device", "cpu"), ("dtype", "float32"), ("saved", "kB")]
)
def test_boxes_are_coloured_by_a_fact_and_the_legend_says_which(page_of: Opens, by: str, label: str) -> None:
    view = page_of(graphs.demo())
    before = view.colour("n24")
    view.host.get_by_role("combobox", name="Color by").select_option(by)
    view.until("(view, by) => view.state().colorBy === by", by)
    expect(view.legend).to_contain_text(label)
    assert view.colour("n24") != before
    view.keep_picture(f"by-{by}")


def test_the_slider_steps_through_the_nodes_in_the_order_of_the_engine(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    view.button("Step through backward").click()
    expect(view.slider).to_have_attribute("max", str(len(graph)))
    for position in (1, 2, 17, len(graph)):
        view.step_to(position)
        runs = graphs.in_order(graph)[position - 1]
        view.until("(view, step) => view.state().step === step", position)
        view.expect_status(f"{position} of {len(graph)}")
        view.expect_status(graphs.name_of(graph, runs))
    view.press("[")
    view.until("(view, step) => view.state().step === step", len(graph) - 1)
    view.button("Step through backward").click()
    view.until("(view) => view.state().step === null")
