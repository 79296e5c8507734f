"""Any text in any place of any scene survives in DOT, SVG and text, and none of it becomes markup or runs."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gradviz.view.escape import TOOLTIP
from gradviz.view.picture import Picture
from gradviz.view.scene import Arrow, Box, Group, Role, Scene
from gradviz.view.theme import LOOKS
from gradviz.wording import visible

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "path", "polygon", "polyline", "ellipse", "text"}
HOSTILE = (
    "quotes \" ' `",
    "<b>bold</b> & <i>",
    "a\nb\r\nc\td",
    "back\\slash \\N \\G \\L \\\\",
    "</svg><script>alert(1)</script>",
    "javascript:alert(1)",
    "עברית.weight",
    "x" * 10_000,
    "NUL \x00 ESC \x1b[31m",
    "\udc80 lone",
    "&amp; &lt; &#65; &nbsp;",
    "{a|b|<p>c}",
    "--> <!-- ]]> <![CDATA[",
    "日本語",
    "🎉👩\u200d👧",
    "",
    "  two  spaces  ",
    "\u202egnp.exe",
    "trailing \\",
    "%s {0} ${x}",
)
TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()), max_size=20))
LINES = st.lists(TEXT, max_size=2).map(tuple)
ROLES: tuple[Role, ...] = tuple(LOOKS)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Up to six boxes in up to three nested frames, every text any text, arrows always downwards."""
    groups = [
        Group(draw(TEXT) + f"{at}", None, "module", draw(TEXT), draw(st.integers(1, 3)), draw(LINES)) for at in range(3)
    ]
    for at in (1, 2):
        groups[at] = groups[at]._replace(parent=draw(st.sampled_from([None, groups[at - 1].key])))
    homes = st.sampled_from([None, *(group.key for group in groups)])
    boxes = [
        Box(
            f"{draw(TEXT)}{at}",
            draw(st.sampled_from(ROLES)),
            draw(TEXT),
            draw(LINES),
            draw(LINES),
            draw(LINES),
            (),
            draw(homes),
        )
        for at in range(draw(st.integers(1, 6)))
    ]
    ends = st.tuples(st.integers(0, len(boxes) - 1), st.integers(0, len(boxes) - 1)).map(sorted)
    arrows = [
        Arrow(boxes[source].key, boxes[target].key, draw(TEXT), 2, draw(st.booleans()), draw(LINES))
        for source, target in draw(st.lists(ends, max_size=6))
        if source < target
    ]
    return Scene(draw(TEXT), tuple(boxes), tuple(arrows), tuple(groups), draw(LINES))


def every_hostile_text() -> Scene:
    boxes = tuple(Box(text + "key", "op", text, (text,), (text,), (text,)) for text in HOSTILE)
    arrows = tuple(Arrow(boxes[0].key, box.key, box.title, 1, False, (box.title,)) for box in boxes[1:])
    return Scene(HOSTILE[1], boxes, arrows, (), HOSTILE)


def spoken(text: str | None) -> str:
    """Text without Graphviz's no-break spaces; the ones of the user were spelled out before."""
    return (text or "").replace("\xa0", " ").strip()


def named(root: Element, name: str) -> Element:
    (found,) = [group for group in root.iter(f"{SVG}g") if group.get("id") == name]
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scenes())
@example(every_hostile_text())
def test_any_text_survives_in_svg(scene: Scene) -> None:
    picture = Picture(scene, lambda _: scene)
    root = ElementTree.fromstring(picture.svg)  # well-formed, or this raises

    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on") or "href" in key]
    assert root.findtext(f"{SVG}title", "") == visible(scene.title, 400)
    for number, box in enumerate(scene.boxes):
        group = named(root, f"b{number}")
        shown = [visible(box.title, 60), *(visible(line, 64) for line in box.lines)]
        shown += [visible(badge, 32) for badge in box.badges]
        assert [spoken(text.text) for text in group.iter(f"{SVG}text")] == [spoken(line) for line in shown]
        tip = "\n".join(visible(line, TOOLTIP) for line in box.tooltip or (box.title,))
        tip = tip if len(tip) <= TOOLTIP else tip[: TOOLTIP - 1] + "…"
        assert spoken(group.findtext(f"{SVG}title")) == spoken(tip)
        assert f"gradviz-{box.role}" in group.get("class", "").split()
    for number, arrow in enumerate(scene.arrows):
        texts = [spoken(text.text) for text in named(root, f"a{number}").iter(f"{SVG}text")]
        assert texts == [spoken(visible(arrow.label, 60))] if arrow.label.strip(" ") else texts in ([], [""])


@settings(deadline=None)
@given(scenes())
@example(every_hostile_text())
def test_any_text_survives_in_plain_text(scene: Scene) -> None:
    text = Picture(scene, lambda _: scene).text
    text.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in text.replace("\n", ""))
    for box in scene.boxes:
        assert any(LOOKS[box.role].name in line and visible(box.title, 60) in line for line in text.split("\n"))
