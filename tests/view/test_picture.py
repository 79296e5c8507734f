"""A picture is whole in every format or an error, and says when it shows less than was asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import gradviz.view.graphviz_child
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view import engine, picture
from gradviz.view.engine import has_font, run_graphviz
from gradviz.view.picture import Picture, draw
from gradviz.view.scene import Scene

Chain = Callable[[int], Scene]
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for Graphviz")

# Graphviz, but for graphs of more than ten boxes it does what stands in the place of {fault}.
FRAGILE = f"""#!{sys.executable}
import os, signal, subprocess, sys, time
dot = sys.stdin.read()
if dot.count(" [label=<") > 10:
    {{fault}}
child = [sys.executable, "-I", "-S", {gradviz.view.graphviz_child.__file__!r}, {{packages!r}}]
sys.exit(subprocess.run([*child, *sys.argv[1:]], input=dot.encode()).returncode)
"""


@pytest.fixture
def font() -> None:
    if not has_font():
        pytest.skip("this machine has no font")


@pytest.fixture
def fragile(fake_dot: Callable[[str], Path]) -> Callable[[str], None]:
    (command,) = [command for command in engine._commands() if "-S" in command]

    def make(fault: str) -> None:
        fake_dot(FRAGILE.format(fault=fault, packages=command[-1]))

    return make


def of(scene: Scene, **options: object) -> Picture:
    return Picture(scene, lambda _: scene, **options)  # type: ignore[arg-type]


def size(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_the_svg_shows_every_box_and_frame(specimen: Scene) -> None:
    texts = [
        "".join(text.itertext())
        for text in ElementTree.fromstring(of(specimen).svg).iter()
        if text.tag.endswith("}text")
    ]
    assert {box.title for box in specimen.boxes} <= set(texts)
    assert {group.title for group in specimen.groups} <= {text.strip("\xa0") for text in texts}
    assert {"One note.", "Another note.", "custom function", "16 nodes, 5 parameters"} <= set(texts)


def test_every_box_arrow_and_frame_has_a_tooltip(specimen: Scene) -> None:
    root = ElementTree.fromstring(of(specimen).svg)
    ids = {group.get("id", ""): group for group in root.iter("{http://www.w3.org/2000/svg}g")}
    things = [key for key in ids if re.fullmatch(r"[bag]\d+", key)]
    assert len(things) == len(specimen.boxes) + len(specimen.arrows) + len(specimen.groups)
    tips = {key: ids[key].findtext("{http://www.w3.org/2000/svg}title") for key in things}
    assert tips["b0"] == "all of root\nin two lines"
    assert tips["a0"] == "the root → the op\nself"
    assert tips["g0"] == "encoder: Encoder"


def test_it_can_be_read_aloud(specimen: Scene) -> None:
    root = ElementTree.fromstring(of(specimen, direction="right").svg)
    assert root[0].text == "16 nodes, 5 parameters"
    assert root[1].text == "16 boxes and 17 arrows; the gradient flows right."


@pytest.mark.usefixtures("font")
def test_equal_scenes_give_equal_bytes(specimen: Scene) -> None:
    first, second = of(specimen), of(specimen)
    assert (first.dot, first.svg, first.text) == (second.dot, second.svg, second.text)
    assert first.png() == second.png()
    undated = [re.sub(rb"/CreationDate \(.*?\)", b"", made.pdf()) for made in (first, second)]
    assert undated[0] == undated[1]


@pytest.mark.usefixtures("font")
@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("graph.svg", b"<svg "),
        ("graph.PNG", b"\x89PNG\r\n\x1a\n"),
        ("graph.pdf", b"%PDF-"),
        ("graph.dot", b"digraph gradviz {"),
        ("graph.gv", b"digraph gradviz {"),
        ("a.b.txt", b"16 nodes, 5 parameters\n"),
    ],
)
def test_the_name_of_a_file_tells_its_format(name: str, start: bytes, specimen: Scene, tmp_path: Path) -> None:
    path = of(specimen).save(tmp_path / name)
    assert path == tmp_path / name
    assert path.read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["graph.jpg", "graph", ".svg"])
def test_another_ending_is_an_error_that_names_the_choices(name: str, specimen: Scene, tmp_path: Path) -> None:
    with pytest.raises(GradvizError, match=r"\.svg \.png \.pdf \.dot \.gv \.txt"):
        of(specimen).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_name_of_no_file_is_an_error(name: str, specimen: Scene) -> None:
    with pytest.raises(GradvizError, match=f"Cannot save a picture as '{re.escape(name)}'[\\s\\S]*it names no file"):
        of(specimen).save(name)


def test_a_tilde_is_the_home_folder(specimen: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert of(specimen).save("~/graph.txt") == tmp_path / "graph.txt"
    assert (tmp_path / "graph.txt").read_text() == of(specimen).text


@needs_posix
def test_a_home_of_nobody_is_an_error(specimen: Scene) -> None:
    with pytest.raises(GradvizError, match="write the whole path"):
        of(specimen).save("~no-such-user-here/graph.txt")


def test_a_folder_that_is_not_there_is_an_error(specimen: Scene, tmp_path: Path) -> None:
    with pytest.raises(GradvizError, match=r"there is no folder .*missing"):
        of(specimen).save(str(tmp_path / "missing" / "graph.txt"))


@needs_posix
def test_a_failure_leaves_the_old_file_and_nothing_else(
    chain: Chain, fragile: Callable[[str], None], tmp_path: Path
) -> None:
    fragile("sys.exit(3)")
    target = tmp_path / "graph.svg"
    target.write_text("old")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(GradvizError, match=r"20 boxes cannot be laid out[\s\S]*ended with status 3"):
        of(chain(20)).save(target)
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == before


def test_a_link_stays_a_link(specimen: Scene, tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    of(specimen).save(link)
    assert link.is_symlink()
    assert real.read_text() == of(specimen).text


@needs_posix
@pytest.mark.parametrize(
    ("fault", "reason", "sizes"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed (signal 11)", [40, 15, 4]),
        ("sys.exit(3)", "ended with status 3: it said nothing", [40, 15, 4]),
        ("signal.pause()", "did not finish within 4 s", [4]),
    ],
    ids=["crash", "error", "hang"],
)
def test_a_layout_that_fails_is_folded_further_and_says_so(
    fault: str, reason: str, sizes: list[int], chain: Chain, fragile: Callable[[str], None]
) -> None:
    fragile(fault)
    asked: list[int] = []

    def refold(closer: int) -> Scene:
        asked.append(closer)
        return chain(sizes[closer - 1])

    made = Picture(chain(40), refold, seconds=4)
    assert repr(made) == "<gradviz.Picture: 40 boxes, 39 arrows>"
    said = f"more is folded than was asked for, to 4 boxes: 40 boxes were asked for, but Graphviz {reason}"
    with pytest.warns(UserWarning, match=f"^{re.escape(said)}$") as warned:
        made.svg  # noqa: B018  (reading it lays it out)
    assert [warning.filename for warning in warned] == [__file__]
    assert repr(made) == "<gradviz.Picture: 4 boxes, 3 arrows, folded from 40 boxes>"
    assert f"More is folded than was asked for: Graphviz {reason}." in made.svg
    assert made.svg.count('class="node gradviz-op"') == 4
    assert asked == list(range(1, len(sizes) + 1))


@pytest.mark.usefixtures("font")
@pytest.mark.parametrize(("dpi", "wide"), [(72, 1), (144, 2), (None, 2)])
def test_dots_per_inch_scale_a_png(dpi: float | None, wide: float, specimen: Scene) -> None:
    made = of(specimen)
    root = ElementTree.fromstring(made.svg)
    points = float(root.get("width", "").removesuffix("pt"))
    assert size(made.png(dpi))[0] == pytest.approx(wide * points, abs=3)


@pytest.mark.usefixtures("font")
def test_a_png_never_gets_too_large_to_show(chain: Chain) -> None:
    made = of(chain(600))
    assert max(size(made.png())) <= 32_767
    with pytest.warns(UserWarning, match=r"drawn at \d+ dpi: at 300 dpi the PNG would be too large to show"):
        assert 31_000 < max(size(made.png(300))) <= 32_767


@pytest.mark.usefixtures("font")
def test_a_png_never_gets_more_pixels_than_a_viewer_takes(specimen: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "MOST_PIXELS", 10_000)
    width, height = size(of(specimen).png())
    assert 8_000 < width * height < 12_000


def test_without_a_font_only_svg_is_drawn(specimen: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "has_font", lambda: False)
    made = of(specimen)
    for draw_it in (made.png, made.pdf):
        with pytest.raises(GradvizError, match="no font"):
            draw_it()
    bundle = made._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain"}
    assert bundle["text/plain"].startswith("No PNG was made.")


def test_the_layout_is_made_once(specimen: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    layouts: list[str] = []

    def counted(dot: str, layout: str, *rest: object, **options: object) -> list[bytes]:
        layouts.append(layout)
        return run_graphviz(dot, layout, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("gradviz.view.layout.run_graphviz", counted)
    monkeypatch.setattr(picture, "run_graphviz", counted)
    made = of(specimen)
    assert made.svg == made.svg
    if has_font():
        made.pdf()
    assert layouts.count("dot") == 1


@pytest.mark.parametrize(
    ("option", "choices"),
    [({"direction": "north"}, "'down', 'up', 'left', 'right'"), ({"theme": "blue"}, "'light', 'dark'")],
)
def test_a_wrong_option_is_refused_at_once(option: dict[str, str], choices: str) -> None:
    with pytest.raises(GradvizError, match=re.escape(choices)):
        draw(Graph((), (), ()), **option)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, "loss", [Graph((), (), ())], Graph((), (), ()).network, Graph], ids=repr)
def test_what_is_no_graph_is_refused_with_the_remedy(given: Any) -> None:
    with pytest.raises(GradvizError, match=f"type {type(given).__name__}\\.[\\s\\S]*draw\\(gradviz.trace\\(loss\\)\\)"):
        draw(given)
