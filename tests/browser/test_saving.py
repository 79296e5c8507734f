"""What is on the screen is saved as SVG and PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from gradviz.graph import Graph
from tests.browser import graphs
from tests.browser.hands import Viewer
from tests.view.builders import blocks

Opens = Callable[..., Viewer]
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"path", "rect", "circle", "ellipse", "line", "polygon", "polyline"}
TAGS = {"svg", "g", "defs", "title", "desc", "style", "text", "tspan", "marker", "clipPath", "use"} | SHAPES


def saved_svg(view: Viewer) -> Element:
    return ElementTree.fromstring(view.download("Save SVG").read_bytes())  # well-formed, or this raises


def assert_innocent(root: Element) -> None:
    """No script, no handler, nothing from elsewhere."""
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= TAGS
    names = [name for element in root.iter() for name in element.attrib]
    assert not [name for name in names if name.lower().startswith("on")]
    assert not [name for name in names if "href" in name]


def reads(text: str, drawn: str) -> bool:
    """Whether a drawn text says this, with its middle left out where an ellipsis says so."""
    head, ellipsis, tail = drawn.partition("…")
    return drawn == text or bool(ellipsis and text.startswith(head) and text.endswith(tail))


@pytest.mark.parametrize("graph", [graphs.demo(), blocks(12).graph()], ids=["frames", "a repeat"])
def test_the_saved_svg_has_every_label_that_is_on_the_screen(page_of: Opens, graph: Graph) -> None:
    root = saved_svg(page_of(graph))
    assert_innocent(root)
    drawn = ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]
    scene = graphs.scene(graph)
    for title in (*(box.title for box in scene.boxes), *(group.title for group in scene.groups)):
        assert [text for text in drawn if reads(title, text) or text.startswith(title)], title


def test_the_saved_svg_is_of_what_is_unfolded_now(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    assert "AddmmBackward0" not in "".join(saved_svg(view).itertext())
    view.double_click(graphs.key_of(graph, "4: Linear"))
    view.until_shown(*graphs.inside(graph, "4: Linear"))
    assert "AddmmBackward0" in "".join(saved_svg(view).itertext())


def test_the_saved_png_is_a_picture_of_the_same_proportions(page_of: Opens) -> None:
    view = page_of(graphs.demo())
    content = view.download("Save PNG").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content[12:16] == b"IHDR"
    width, height, depth = struct.unpack(">IIB", content[16:25])
    box = [float(number) for number in saved_svg(view).attrib["viewBox"].split()]
    assert width >= box[2]
    assert abs(width / height - box[2] / box[3]) < 0.01
    assert depth == 8
    data = content[content.index(b"IDAT") + 4 :]
    assert set(zlib.decompressobj().decompress(data, 100_000)) != {0}  # something is drawn


def test_hostile_texts_do_nothing_in_a_saved_svg(page_of: Opens) -> None:
    view = page_of(graphs.hostile())
    file: Path = view.download("Save SVG")
    assert_innocent(ElementTree.fromstring(file.read_bytes()))
    page = view.page.context.new_page()
    page.goto(file.as_uri())
    assert page.evaluate("() => [document.documentElement.tagName, window.__pwned]") == ["svg", None]
