"""What a person does with a viewer, and what can be seen of it, in words for tests.

The drawing is a canvas, so a test finds a box by the hook that the viewer leaves on its host element
(``element.gradviz``), and clicks where it lies, as a person would. What follows is read from the page, or from the
state.
"""

from __future__ import annotations

import os
import time
from math import dist
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Frame, Locator, Page, expect

from tests.browser.heard import Heard
from tests.browser.pictures import Colour, most_common

PATIENCE = 30_000  # ms; a machine may be busy

# The elements with a viewer in them, in shadow roots too, in the order of the page.
FIND = """() => {
  const found = [];
  const look = (root) => {
    for (const each of root.querySelectorAll('*')) {
      if (each.gradviz) found.push(each);
      if (each.shadowRoot) look(each.shadowRoot);
    }
  };
  look(document);
  return found;
}"""

# Not wait_for_function: it evaluates text in the page, which a strict CSP forbids.
MARK = f"""async ([number, patience]) => {{
  const latest = performance.now() + patience;
  for (;;) {{
    const host = ({FIND})()[number];
    if (host) {{ host.dataset.view = number; return; }}
    if (performance.now() > latest) throw new Error(`no viewer number ${{number}} on the page`);
    await new Promise((then) => setTimeout(then, 20));
  }}
}}"""

UNTIL = """async (host, [given, patience]) => {
  const latest = performance.now() + patience;
  const holds = %s;
  while (!(host.gradviz?.ready && holds(host.gradviz, given))) {
    if (performance.now() > latest) {
      const { ready, state } = host.gradviz ?? {};
      const known = JSON.stringify({ given, ready, state: state?.() });
      throw new Error(`never came true: ${holds} with ${known}`);
    }
    await new Promise((then) => setTimeout(then, 20));
  }
}"""

# Two frames in a row with all boxes in the same places.
STILL = """async (host) => {
  const places = () => JSON.stringify(host.gradviz.keys().map((key) => host.gradviz.screenOf(key)));
  for (let before = null; before !== (before = places()); ) {
    await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
  }
}"""

# Where a box is, inside the drawing; null where it is not on the screen.
PLACE = """(host, key) => {
  const at = host.gradviz.screenOf(key);
  if (at === null) return null;
  const frame = host.shadowRoot.querySelector('[role=application]').getBoundingClientRect();
  const [x, y] = [at.x - frame.left, at.y - frame.top];
  return x > 0 && y > 0 && x < frame.width && y < frame.height ? { x, y } : null;
}"""

# The upper left of a patch in the middle of a box; or, without a box, of one of the paper.
SAMPLE = """(host, key) => {
  const { left, bottom } = host.shadowRoot.querySelector('[role=application]').getBoundingClientRect();
  if (key === null) return { x: left + 2, y: bottom - 26 };
  const { x, y } = host.gradviz.screenOf(key);
  return { x: x - 12, y: y - 12 };
}"""


class Viewer:
    """One viewer on a page, by its place among those of the page."""

    def __init__(self, frame: Page | Frame, number: int = 0, heard: Heard | None = None) -> None:
        """Wait until it is drawn. ``heard``: what its page did besides."""
        self.page = frame if isinstance(frame, Page) else frame.page
        self.heard = heard or Heard()
        frame.evaluate(MARK, [number, PATIENCE])
        self.host = frame.locator(f'[data-view="{number}"]')
        self.drawing = self.host.get_by_role("application", name="Backward graph")
        self.status = self.host.get_by_role("status")
        self.details = self.host.get_by_role("region", name="Details")
        self.legend = self.host.get_by_role("region", name="Legend")
        self.search = self.host.get_by_role("searchbox", name="Search")
        self.slider = self.host.get_by_role("slider", name="Step")
        self.until("() => true")

    def until(self, holds: str, given: Any = None) -> None:
        """Wait until it is drawn and ``holds`` (a JavaScript function of the hook and ``given``) is true."""
        self.host.evaluate(UNTIL % holds, [given, PATIENCE])

    def drawn(self) -> list[str]:
        """The keys of the boxes and frames that are drawn."""
        return list(self.host.evaluate("(host) => host.gradviz.keys()"))

    def state(self) -> dict[str, Any]:
        """What the viewer's store holds."""
        return dict(self.host.evaluate("(host) => host.gradviz.state()"))

    def until_shown(self, *keys: str) -> None:
        """Wait until these boxes are drawn."""
        self.until("(view, keys) => keys.every((key) => view.keys().includes(key))", list(keys))

    def until_gone(self, *keys: str) -> None:
        """Wait until none of these boxes is drawn."""
        self.until("(view, keys) => !keys.some((key) => view.keys().includes(key))", list(keys))

    def until_selected(self, *ids: str) -> None:
        """Wait until exactly these nodes are selected."""
        self.until("(view, ids) => view.state().selected.join() === ids.join()", list(ids))

    def place(self, key: str) -> Any:
        """Where a box, or the title of a frame, is inside the drawing; brought there if it lies outside."""
        self.host.scroll_into_view_if_needed()
        found = self.host.evaluate(PLACE, key)
        if found is None:
            self.button("Fit").click()
            found = self.host.evaluate(PLACE, key)
        assert found is not None, f"{key} is not on the screen"
        return found

    def click(self, key: str, *, add: bool = False) -> None:
        """Click on a box; with Shift to ``add`` it to the selection."""
        self.drawing.click(position=self.place(key), modifiers=["Shift"] if add else [])

    def double_click(self, key: str) -> None:
        """Click twice on a box, or on the title of a frame."""
        self.drawing.dblclick(position=self.place(key), delay=50)  # not faster than a hand: the page keeps up

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, while the drawing has the focus."""
        for key in keys:
            self.drawing.press(key)

    def find(self, text: str) -> None:
        """Type into the search box, as it is."""
        self.search.fill(text)

    def button(self, name: str) -> Locator:
        """A button by its name."""
        return self.host.get_by_role("button", name=name, exact=True)

    def step_to(self, position: int) -> None:
        """Move the slider, as a hand would in one go."""
        self.slider.fill(str(position))

    def neighbours(self, direction: Literal["Upstream", "Downstream"]) -> Locator:
        """The buttons of a list of neighbours."""
        return self.details.get_by_role("list", name=direction).get_by_role("button")

    def expect_status(self, text: str) -> None:
        """Wait until the status says so."""
        expect(self.status.filter(has_text=text)).not_to_have_count(0, timeout=PATIENCE)

    def visit(self, name: str) -> None:
        """Search for something and go to the first that is found."""
        self.find(name)
        self.search.press("Enter")
        self.until("(view) => view.state().selected.length > 0")

    def screen_of(self, key: str) -> tuple[float, float]:
        """Where a box is on the screen."""
        at = self.host.evaluate("(host, key) => host.gradviz.screenOf(key)", key)
        return at["x"], at["y"]

    def spread(self, one: str, other: str) -> float:
        """How far two boxes are from each other on the screen."""
        return dist(self.screen_of(one), self.screen_of(other))

    def middle(self) -> tuple[float, float]:
        """The middle of the drawing, on the screen."""
        box = self.drawing.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def until_still(self) -> None:
        """Wait until nothing moves any more."""
        self.host.evaluate(STILL)

    def colour(self, key: str | None) -> Colour:
        """The colour of a box; None: of the paper, in a corner of the drawing."""
        at = self.host.evaluate(SAMPLE, key)
        return most_common(self.page.screenshot(clip=at | {"width": 24, "height": 24}))

    def until_colour(self, key: str | None, wanted: Colour) -> None:
        """Wait until a colour is this one."""
        latest = time.monotonic() + PATIENCE / 1000
        while (found := self.colour(key)) != wanted:
            assert time.monotonic() < latest, f"the colour at {key or 'the paper'} is {found}, not {wanted}"

    def download(self, button: str) -> Path:
        """The file that a button saves."""
        with self.page.expect_download() as waiting:
            self.button(button).click()
        path = waiting.value.path()
        return path.rename(path.with_name(waiting.value.suggested_filename))

    def keep_picture(self, name: str) -> None:
        """A picture of the page for people, in the folder that GRADVIZ_SCREENSHOTS names."""
        if folder := os.environ.get("GRADVIZ_SCREENSHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")
