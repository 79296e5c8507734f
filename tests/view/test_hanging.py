"""Frames in a chain stand below each other and not in a staircase."""

from __future__ import annotations

from gradviz.view.dot import write_dot
from gradviz.view.engine import run_graphviz
from gradviz.view.hanging import reaches
from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.theme import THEMES


def linears(count: int) -> Scene:
    """So many frames in a row, in each an operation with a bias, and with a weight behind a view."""
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for at in range(count):
        boxes += [Box(f"{name}{at}", "op", f"{name}{at}", group=f"g{at}") for name in ("addmm", "bias", "t", "weight")]
        arrows += [Arrow(f"addmm{at}", f"bias{at}"), Arrow(f"addmm{at}", f"t{at}"), Arrow(f"t{at}", f"weight{at}")]
        if at:
            arrows.append(Arrow(f"addmm{at - 1}", f"addmm{at}"))
    groups = tuple(Group(f"g{at}", None, "module", f"{at}: Linear") for at in range(count))
    return Scene("", tuple(boxes), tuple(arrows), groups)


def spans(scene: Scene) -> dict[tuple[str, str], int]:
    ends = ((arrow.source, arrow.target) for arrow in scene.arrows)
    return dict(zip(ends, reaches(scene), strict=True))


def test_an_arrow_out_of_a_frame_passes_what_hangs_in_it() -> None:
    assert spans(linears(2)) == {
        ("addmm0", "bias0"): 1,
        ("addmm0", "t0"): 1,
        ("t0", "weight0"): 1,
        ("addmm1", "bias1"): 1,
        ("addmm1", "t1"): 1,
        ("t1", "weight1"): 1,
        ("addmm0", "addmm1"): 3,
    }


def test_a_long_chain_of_frames_is_no_staircase() -> None:
    def width(dot: str) -> float:
        (plain,) = run_graphviz(dot, "dot", ["plain"])
        return float(plain.split()[2])

    dot = write_dot(linears(12), THEMES["light"])
    assert width(dot) < 0.6 * width(dot.replace("minlen=3", ""))


def test_arrows_into_a_frame_within_and_to_the_next_round_are_as_they_were() -> None:
    boxes = (
        Box("a", "op", "a", group="outer"),
        Box("b", "op", "b", group="inner"),
        Box("c", "parameter", "c", group="inner"),
        Box("d", "parameter", "d", group="outer"),
    )
    arrows = (Arrow("a", "b"), Arrow("b", "c"), Arrow("a", "d"), Arrow("b", "a", again=True))
    scene = Scene("", boxes, arrows, (Group("outer", None, "module", ""), Group("inner", "outer", "module", "")))
    assert reaches(scene) == [1, 1, 1, 1]


def test_arrows_in_a_circle_end_the_search_and_not_the_picture() -> None:
    boxes = tuple(Box(key, "op", key, group="g") for key in "abc")
    arrows = (Arrow("a", "b"), Arrow("b", "a"), Arrow("b", "c"))
    assert reaches(Scene("", boxes, arrows, (Group("g", None, "module", ""),))) == [1, 1, 1]
