"""The finished SVG: tooltips, roles and fonts as pages need them, and nothing that runs or loads."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from gradviz.view.svg import polish

HEAD = b'<svg width="9pt" height="9pt" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
SVG = "{http://www.w3.org/2000/svg}"


def polished(inner: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(polish(HEAD + inner + b"</svg>", "T <1>", "all of it"))


def test_the_root_tells_what_it_is_and_shrinks_to_its_page() -> None:
    root = polished(b"<g/>")
    assert [root.findtext(f"{SVG}{tag}") for tag in ("title", "desc")] == ["T <1>", "all of it"]
    assert root.get("viewBox") == "0 0 9 9"
    assert root.get("style") == "max-width:100%;height:auto"
    assert root.get("role") == "img"


def test_a_tooltip_takes_the_place_of_the_name_and_the_link_goes() -> None:
    root = polished(
        b'<g id="b0" class="node gradviz-op"><title>b0</title><g id="a_b0"><a xlink:title="tells&#10;all">'
        b'<polygon points="0,0 4,0 4,2"/><text x="1" text-anchor="start">Add</text></a></g></g>'
    )
    (group,) = root.iter(f"{SVG}g")
    assert [child.tag.removeprefix(SVG) for child in group] == ["title", "polygon", "text"]
    assert group.findtext(f"{SVG}title") == "tells\nall"
    assert group.get("class") == "node gradviz-op"


def test_a_name_without_a_tooltip_goes_too() -> None:
    assert (
        polished(b'<g id="k" class="node"><title>k0</title><text>a</text></g>').findtext(f"{SVG}g/{SVG}title") is None
    )


@pytest.mark.parametrize(
    "shape",
    [
        b'<polygon points="10,0 30,0 30,9 10,9"/>',
        b'<path d="M12,0C12,0 28,0 28,0 30,0 30,9 28,9 28,9 12,9 12,9 10,9 10,0 12,0"/>',
        b'<ellipse cx="20" cy="4" rx="10" ry="4"/>',
    ],
    ids=["polygon", "path", "ellipse"],
)
def test_texts_are_centred_in_their_box_and_badges_in_theirs(shape: bytes) -> None:
    badge = b'<polygon points="12,5 16,5 16,8 12,8"/><text x="13" text-anchor="start">hook</text>'
    root = polished(b'<g class="node">' + shape + b'<text x="11" text-anchor="start">Add</text>' + badge + b"</g>")
    assert [(text.get("text-anchor"), float(text.get("x", ""))) for text in root.iter(f"{SVG}text")] == [
        ("middle", 20),
        ("middle", 14),
    ]


def test_titles_of_frames_stay_at_the_left() -> None:
    inner = b'<g class="cluster"><polygon points="0,0 9,9"/><text x="2" text-anchor="start">f</text></g>'
    text = next(polished(inner).iter(f"{SVG}text"))
    assert (text.get("text-anchor"), text.get("x")) == ("start", "2")
