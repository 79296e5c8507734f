"""The legend names what occurs and nothing else; the notes are all there."""

from __future__ import annotations

import pytest

from gradviz.view.legend import legend_and_notes
from gradviz.view.scene import Arrow, Box, Scene
from gradviz.view.theme import LOOKS, THEMES

LIGHT = THEMES["light"]


def test_every_role_of_the_specimen_is_explained(specimen: Scene) -> None:
    labels = [node["label"] for node in legend_and_notes(specimen, LIGHT, 800).nodes.values()]
    assert {look.name for look in LOOKS.values()} < set(labels)
    for words in ("code of yours", "edges drawn as one", "next round", "get no gradient", "One note.", "Another note."):
        assert len([label for label in labels if words in label]) == 1


def test_only_what_occurs_is_explained() -> None:
    scene = Scene("", (Box("a", "op", "a"), Box("b", "parameter", "b")), (Arrow("a", "b", "weight"),), ())
    nodes = legend_and_notes(scene, LIGHT, 800).nodes
    assert [node["label"] for node in nodes.values()] == ["operation", "parameter"]


def test_what_a_watch_adds_is_explained() -> None:
    badges = ("3 zero grads", "non-finite grad", "without grad", "2 did not run")
    boxes = (Box("a", "op", "a", ("grad 0.1",), badges), Box("b", "unreached", "b"))
    nodes = legend_and_notes(Scene("", boxes, (Arrow("a", "b", "cut", 0),), ()), LIGHT, 2000).nodes
    words = [node["label"].removesuffix(r"\l") for name, node in nodes.items() if name.endswith("_1")]
    assert words == [
        "2-norm of the gradient there",
        "no gradient: the way was cut",
        "all of it is exactly zero",
        "NaN or infinity in it",
        "no gradient arrived here",
        "this backward left it out",
    ]


@pytest.mark.parametrize("width", [10.0, 500.0, 2000.0])
def test_it_lies_below_the_graph_and_is_as_wide_as_that(width: float, specimen: Scene) -> None:
    below = legend_and_notes(specimen, LIGHT, width)
    firsts = [node["pos"].split(",") for name, node in below.nodes.items() if name.endswith("_0")]
    places = [(float(x), float(y)) for x, y in firsts]
    assert len(places) == len(set(places)) == len(LOOKS) + 4
    assert all(0 <= x <= max(width, 376) and y < 0 for x, y in places)
    assert below.height > -min(y for _, y in places)
