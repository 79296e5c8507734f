"""The legend names what occurs and nothing else; the notes are all there."""

from __future__ import annotations

import re

import pytest

from gradviz.view.legend import legend_and_notes
from gradviz.view.scene import Arrow, Box, Scene
from gradviz.view.theme import LOOKS, THEMES

LIGHT = THEMES["light"]
PLACE = re.compile(r'^k\d+_0 \[pos="([-0-9.]+),([-0-9.]+)"', re.MULTILINE)


def test_every_role_of_the_specimen_is_explained(specimen: Scene) -> None:
    dot = legend_and_notes(specimen, LIGHT, 800).dot
    assert all(f'label="{look.name}"' in dot for look in LOOKS.values())
    assert all(
        words in dot for words in ("code of yours", "edges drawn as one", "next round", "One note.", "Another note.")
    )


def test_only_what_occurs_is_explained() -> None:
    scene = Scene("", (Box("a", "op", "a"), Box("b", "parameter", "b")), (Arrow("a", "b", "weight"),), ())
    dot = legend_and_notes(scene, LIGHT, 800).dot
    assert re.findall(r'label="(.*?)"', dot) == ["operation", "parameter"]
    assert "notes" not in dot


@pytest.mark.parametrize("width", [10.0, 500.0, 2000.0])
def test_it_lies_below_the_graph_and_is_as_wide_as_that(width: float, specimen: Scene) -> None:
    below = legend_and_notes(specimen, LIGHT, width)
    places = [(float(x), float(y)) for x, y in PLACE.findall(below.dot)]
    assert len(places) == len(set(places)) == len(LOOKS) + 3
    assert all(0 <= x <= max(width, 376) and y < 0 for x, y in places)
    assert below.height > -min(y for _, y in places)
