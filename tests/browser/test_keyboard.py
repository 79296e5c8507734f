"""All of it by keyboard, and told to those who hear it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.view.builders import blocks

Opens = Callable[..., Viewer]
# Entries with patterns may hold more than these.
SNAPSHOT = r"""
- group "View":
  - searchbox "Search"
  - combobox "Color by":
    - 'option "Color: role" [selected]'
    - 'option "Color: module"'
    - 'option "Color: device"'
    - 'option "Color: dtype"'
    - 'option "Color: bytes saved"'
  - button "Back"
  - button "Forward" [disabled]
  - button "Fold all"
  - button "Unfold all"
  - button "Zoom out"
  - button "Fit"
  - button "Zoom in"
  - button "Step through backward"
  - button "Show details" [pressed]
  - button "Save SVG": SVG
  - button "Save PNG": PNG
  - button "Help": "?"
- application /^Backward graph.* 76 nodes.* 37 boxes shown$/
- region "Legend":
  - list:
    - listitem: root
    - listitem: operation
- region "Details":
  - heading "LogSoftmaxBackward0" [level=2]
  - list "Upstream":
    - listitem:
      - button /NllLossBackward0/
  - list "Downstream":
    - listitem:
      - button /AddmmBackward0/
  - button "Copy expression"
- status: /LogSoftmaxBackward0 n3/
"""


def test_the_arrow_keys_walk_from_the_loss_to_a_leaf_and_back(page_of: Opens) -> None:
    graph = blocks(3).graph()
    view = page_of(graph)
    view.drawing.focus()
    view.page.keyboard.press("ArrowDown")
    view.until_selected("n0")
    walked = ["n0"]
    while graph[walked[-1]].kind != "leaf":
        view.page.keyboard.press("ArrowDown")
        view.until("(view, last) => view.state().selected[0] !== last", walked[-1])
        walked += view.state()["selected"]
        node = graph[walked[-1]]
        assert (walked[-2], node.id) in {(edge.source, edge.target) for edge in graph.edges}
        view.expect_status(node.op)
        view.expect_status(node.id)
    assert len(walked) > 3
    view.page.keyboard.press("ArrowDown")
    view.expect_status("Nothing downstream")
    view.page.keyboard.press("ArrowUp")
    view.until_selected(walked[-2])


def test_slash_searches_and_escape_leads_back_to_the_drawing(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.drawing.focus()
    view.page.keyboard.press("/")
    expect(view.search).to_be_focused()
    view.page.keyboard.type("LogSoftmax")
    view.page.keyboard.press("Enter")
    view.until_selected("n3")
    view.page.keyboard.press("Escape")
    expect(view.drawing).to_be_focused()
    view.until("(view) => view.state().query === ''")
    view.page.keyboard.press("Escape")
    view.until_selected()


def test_f_fits_all_of_it_and_plus_comes_nearer(page_of: Opens) -> None:
    view = page_of(graphs.reached_once())
    fitted = view.spread("n0", "n1")
    view.press("+")
    view.until_still()
    assert view.spread("n0", "n1") > 1.1 * fitted
    view.press("f")
    view.until_still()
    assert abs(view.spread("n0", "n1") - fitted) < 1


def test_enter_goes_into_what_is_selected_and_shift_enter_out_again(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    key, children = graphs.key_of(graph, "linear1: Linear"), graphs.inside(graph, "linear1: Linear")
    view.click(key)
    view.press("Enter")
    view.until_shown(*children)
    view.press("Shift+Enter")
    view.until_gone(*children)


def test_keys_of_a_page_need_no_click_and_those_of_a_text_are_left_to_it(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.page.keyboard.press("/")
    expect(view.search).to_be_focused()
    view.page.keyboard.type("f]")
    view.until("(view) => view.state().query === 'f]' && view.state().step === null")


def test_after_a_click_on_a_button_the_keys_are_those_of_the_drawing(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.button("Step through backward").click()
    expect(view.drawing).to_be_focused()
    view.page.keyboard.press("]")
    view.until("(view) => view.state().step === 1")
    view.button("Help").click()
    view.page.keyboard.press("Escape")
    expect(view.drawing).to_be_focused()


def test_a_highlight_is_named_over_the_drawing_and_escape_clears_it_from_anywhere(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.visit("head.0.weight")
    button = view.details.get_by_role("button", name="All paths to the loss")
    button.click()
    chip = view.host.get_by_role("group", name="Highlight")
    expect(chip).to_contain_text("All paths from head.0.weight to the loss")
    expect(button).to_have_attribute("aria-pressed", "true")
    view.page.keyboard.press("Escape")
    view.until("(view) => view.state().highlight === null")
    expect(chip).to_be_hidden()
    view.button("Back").click()
    expect(chip).to_be_visible()
    chip.get_by_role("button", name="Clear highlight").click()
    view.until("(view) => view.state().highlight === null")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_every_control_is_reached_by_tab_and_shows_that_it_has_the_focus(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    focused = """(host) => {
      const element = host.shadowRoot.activeElement;
      if (!element) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return { name, seen: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' };
    }"""
    names = []
    view.search.focus()
    while (now := view.host.evaluate(focused)) is not None and len(names) < 60:
        names.append(now["name"])
        if now["name"] != "Search":
            assert now["seen"], now
        view.page.keyboard.press("Tab")
    wanted = ["Search", "Color by", "Fold all", "Unfold all", "Fit", "Zoom in", "Zoom out", "Step through backward"]
    wanted += ["Save SVG", "Save PNG", "Help"]
    assert [name for name in wanted if name not in names] == []
    assert any(name.startswith("Backward graph") for name in names)


def test_a_screen_reader_finds_names_for_all_of_it(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    view.click("n3")
    view.until_selected("n3")
    expect(view.host).to_match_aria_snapshot(SNAPSHOT)
    told = view.host.aria_snapshot()
    assert not re.search(r"^\s*- (button|combobox|searchbox|slider)(:|$)", told, re.MULTILINE), "one has no name"
