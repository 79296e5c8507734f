"""All verbs accept a Graph or a Watched, and refuse the rest with the same words."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from gradviz.errors import GradvizError
from gradviz.recording import Recording, Watched
from gradviz.view.accepted import shown_of
from gradviz.view.picture import draw
from gradviz.view.shown import Shown, as_shown
from gradviz.view.viewing import save_page, show
from tests.view.builders import chain
from tests.view.watching import backward, classic, gradient, troubled, watched

CALL = "gradviz.draw(…)"


def test_a_graph_is_shown_by_itself() -> None:
    graph = chain("A")
    assert shown_of(graph, "draw", CALL) == Shown(graph) == as_shown(graph)
    assert Shown(graph).steps == 1


def test_of_a_watch_the_last_backward_that_was_not_nested_is_shown() -> None:
    graph = classic().graph
    ran = (backward(graph, gradient(0, 1.0)), backward(graph, gradient(0, 2.0)), backward(graph, nested=True))
    given = watched(graph, *ran)
    shown = shown_of(given, "draw", CALL)
    assert shown == Shown(graph, ran[1], given.recording, 1, (0, 1, 2))
    assert as_shown(shown) is shown


def test_the_steps_of_a_watched_backward_are_those_that_ran() -> None:
    shown = shown_of(troubled(), "draw", CALL)
    assert (shown.steps, len(shown.graph)) == (10, 11)


@pytest.mark.parametrize("verb", [draw, show, lambda given: save_page(given, "x.html")], ids=["draw", "show", "save"])
def test_a_watch_that_is_not_over_or_saw_no_backward_is_refused(verb: Any) -> None:
    with pytest.raises(GradvizError, match="a watch whose block has not ended"):
        verb(Watched())
    with pytest.raises(GradvizError, match="There is no graph"):
        verb(Watched((), Recording()))


@pytest.mark.parametrize("verb", [draw, show, lambda given: save_page(given, "x.html")], ids=["draw", "show", "save"])
def test_anything_else_is_refused(verb: Any) -> None:
    with pytest.raises(GradvizError, match=r"takes a Graph, which gradviz\.trace returns, or what gradviz.watch gives"):
        verb(io.StringIO())


@pytest.mark.usefixtures("built")
def test_a_page_and_a_view_of_a_watch_hold_what_was_watched(tmp_path: Path) -> None:
    given = troubled()
    view = show(given)
    view.step = 10
    with pytest.raises(GradvizError, match="this backward runs 10 nodes"):
        view.step = 11
    assert view.graph == given.graph
    assert view.shown.recording == given.recording
    page = show(given, mode="page")
    assert page.title == "Backward graph: 11 nodes, 2 parameters, backward at train.py:31"
    assert page.payload
    assert save_page(given, tmp_path / "step.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    still = page._repr_mimebundle_()["text/plain"]
    assert "grad 0.408" in still
    assert still == view._repr_mimebundle_()[0]["text/plain"]
