"""Playing a recorded backward: what the bar says at every step, with hooks where they ran."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.hands import Viewer
from tests.view import watching

Opens = Callable[..., Viewer]
CLASSIC = (
    "0 of 3: nothing has run",
    "1 of 3: SumBackward0 · grad 1",
    "2 of 3: MulBackward0 · grad 1.41",
    "2 of 3: at a, hook <lambda> (train.py:12): 2.83 → 8.49, replaced",
    "3 of 3: a · grad 8.49",
    "3 of 3: at a, pre-hook <lambda> (train.py:13): 8.49, unchanged",
    "3 of 3: at a, post-accumulate hook <lambda> (train.py:14): 8.49 → 4.24, in place",
    "3 of 3: at a, post-hook <lambda> (train.py:15): 8.49, unchanged",
)


def test_the_classic_is_played_in_true_order_with_its_hooks(page_of: Opens) -> None:
    view = page_of(watching.classic())
    view.button("Step through backward").click()
    said = view.host.get_by_role("group", name="Steps of backward").locator(".at")
    for number, words in enumerate(CLASSIC):
        expect(said).to_have_text(words)
        expect(view.slider).to_have_value(str(number))
        view.keep_picture(f"replay-{number}")
        view.press("]")
    expect(said).to_have_text(CLASSIC[-1])
    for words in reversed(CLASSIC[:-1]):
        view.press("[")
        expect(said).to_have_text(words)
    view.step_to(6)
    expect(said).to_have_text(CLASSIC[6])
    view.button("End stepping").click()
    view.until("(view) => view.state().step === null")
