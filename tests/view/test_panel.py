"""The panel: plain widgets and the view change each other, and what is selected is told safely."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradviz.graph import Argument, Saved
from gradviz.view.panel import Panel
from gradviz.view.viewing import show
from gradviz.view.widget import View
from tests.view.builders import Builder, blocks, meta
from tests.view.watching import classic


@pytest.fixture
def view(built: Path) -> View:
    assert built.is_dir()
    return show(blocks(12).graph())


@pytest.fixture
def panel(view: View) -> Panel:
    return view.panel()


def test_controls_change_the_view(view: View, panel: Panel) -> None:
    panel.color_by.value = "dtype"
    panel.query.value = "norm"
    assert (view.color_by, view.query) == ("dtype", "norm")
    panel.fold.click()
    assert view.folds == {"g2": "closed", "g3": "closed"}
    panel.unfold.click()
    assert view.folds == {"g4": "open", "g5": "open", "g6": "open"}


def test_the_view_changes_the_controls(view: View, panel: Panel) -> None:
    view.color_by, view.query = "device", "mean"
    assert (panel.color_by.value, panel.query.value) == ("device", "mean")


def test_steps_are_on_or_off(view: View, panel: Panel) -> None:
    assert (panel.stepping.value, panel.step.disabled, panel.step.max) == (False, True, len(view.graph))
    panel.stepping.value = True
    assert view.step == 0
    panel.step.value = 7
    assert view.step == 7
    view.step = 9
    assert (panel.stepping.value, panel.step.value, panel.step.disabled) == (True, 9, False)
    panel.stepping.value = False
    assert view.step is None
    view.step = 3
    assert (view.step, panel.stepping.value, panel.step.value) == (3, True, 3)


def test_a_panel_starts_as_its_view_is(view: View) -> None:
    view.step, view.color_by = 4, "saved"
    view.select("n0")
    panel = view.panel()
    assert (panel.step.value, panel.stepping.value, panel.color_by.value, view.step) == (4, True, "saved", 4)
    assert "n0 MeanBackward0" in panel.selection.value


def test_what_is_selected_is_told(view: View, panel: Panel) -> None:
    assert panel.selection.value == "<p>Nothing is selected.</p>"
    view.select("h.3.norm.weight")
    node = view.graph[view.selected[0]]
    assert panel.selection.value == (
        f"<p><b>{node.id} AccumulateGrad</b><br>parameter h.3.norm.weight<br>(4,) float32 cpu<br>"
        f"number {node.order + 1} of {len(view.graph)} to run in backward<br>slot 0: (4,) float32 cpu</p>"
    )
    view.select(*(f"n{number}" for number in range(25)), reveal=False)
    assert panel.selection.value.count("<b>") == 20
    assert panel.selection.value.endswith("<p>and 5 more</p>")


@pytest.mark.usefixtures("built")
def test_all_that_is_known_is_told_and_no_label_is_markup() -> None:
    builder = Builder()
    builder.op(
        "<script>alert(1)</script>",
        module="a<b\u202e",
        module_inferred=True,
        where="file.py:3",
        arguments=(Argument("self", "grad * 2 & more"),),
        saved=(Saved("result", meta(2, 3), 24, 0, "held", None),),
    )
    builder.dead_end(0, why="frozen")
    view = show(builder.graph())
    panel = view.panel()
    view.select("n0")
    assert panel.selection.value == (
        "<p><b>n0 &lt;script&gt;alert(1)&lt;/script&gt;</b><br>module a&lt;b\\u202e (inferred)<br>at file.py:3<br>"
        "number 1 of 1 to run in backward<br>slot 0: (2, 3) float32 cpu<br>self: grad * 2 &amp; more<br>"
        "no gradient for other: frozen<br>saves result: (2, 3) float32 cpu, 24 bytes, held</p>"
    )


@pytest.mark.usefixtures("built")
def test_of_a_watch_it_tells_what_arrived_and_what_hooks_did() -> None:
    view = show(classic())
    panel = view.panel()
    assert panel.step.max == 3
    view.select("a")
    told = panel.selection.value.removesuffix("</p>").split("<br>")
    assert told[3:7] == [
        "number 3 of 3 that ran",
        "hook &lt;lambda&gt; (train.py:12): 2.83 → 8.49, replaced",
        "grad 8.49",
        "pre-hook &lt;lambda&gt; (train.py:13): 8.49, unchanged",
    ]
    view.select("n1")
    assert "<br>at train.py:17 in main<br>number 2 of 3 that ran<br>grad 1.41<br>" in panel.selection.value


def test_a_closed_panel_leaves_the_view_alone(view: View, panel: Panel) -> None:
    panel.close()
    view.color_by = "dtype"
    view.select("n0")
    assert panel.color_by.value == "role"
    assert panel.selection.value == "<p>Nothing is selected.</p>"
    panel.close()
