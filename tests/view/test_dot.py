"""DOT that Graphviz reads as it was meant, equal for equal scenes."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import get_args

import pytest

from gradviz.view.dot import Direction, write_dot
from gradviz.view.engine import run_graphviz
from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.theme import THEMES

LIGHT, DARK = THEMES["light"], THEMES["dark"]


def centres(dot: str) -> dict[str, tuple[float, float]]:
    (plain,) = run_graphviz(dot, "dot", ["plain"])
    rows = [line.split() for line in plain.decode().splitlines() if line.startswith("node ")]
    return {row[1]: (float(row[2]), float(row[3])) for row in rows}


def test_equal_scenes_give_equal_text(specimen: Scene) -> None:
    assert write_dot(copy.deepcopy(specimen), LIGHT) == write_dot(specimen, LIGHT)
    assert write_dot(specimen, LIGHT) != write_dot(specimen, DARK)


def test_names_in_dot_are_numbers_and_no_text_of_the_user() -> None:
    scene = Scene("", (Box("evil; } key", "op", "a"), Box("b", "op", "b")), (Arrow("evil; } key", "b"),), ())
    dot = write_dot(scene, LIGHT)
    assert "evil" not in dot
    assert re.findall(r"^\tb0 -> b1 ", dot, re.MULTILINE)


def test_no_text_of_the_user_is_html_like() -> None:
    text = "<b>bold</b>"
    boxes = (Box("a", "op", text, (text,), (text,), (text,), (), "g"), Box("b", "op", "b"))
    groups = (Group("g", None, "module", text, 1, (text,)),)
    dot = write_dot(Scene(text, boxes, (Arrow("a", "b", text, tooltip=(text,)),), groups), LIGHT)
    assert text not in dot
    assert dot.count("&lt;b&gt;bold&lt;/b&gt;") == 9


@pytest.mark.parametrize("direction", get_args(Direction))
def test_the_gradient_flows_where_it_was_told_to(direction: Direction, chain: Callable[[int], Scene]) -> None:
    at = centres(write_dot(chain(2), LIGHT, direction))
    (x, y), (next_x, next_y) = at["b0"], at["b1"]
    flows = {"down": next_y < y, "up": next_y > y, "left": next_x < x, "right": next_x > x}
    assert [name for name, true in flows.items() if true] == [direction]


def test_every_box_stands_in_its_frame_and_every_frame_in_its_parent(specimen: Scene) -> None:
    depth, opened, frames = 0, [], {}
    for line in map(str.strip, write_dot(specimen, LIGHT).splitlines()):
        if line.startswith("subgraph"):
            opened.append(line.split()[1])
        elif line == "}":
            opened[-1:] = []
        elif re.match(r"b\d+ \[", line):
            frames[line.split()[0]] = tuple(opened)
        depth = max(depth, len(opened))
    key = {f"b{number}": box.key for number, box in enumerate(specimen.boxes)}
    shown = {key[name]: frame for name, frame in frames.items()}
    assert shown["view"] == shown["custom"] == ("cluster_g0", "cluster_g1")
    assert shown["in_place"] == ("cluster_g0",)
    assert shown["repeat"] == ("cluster_g2",)
    assert shown["root"] == ()
    assert len(shown) == len(specimen.boxes)


def test_frames_may_be_nested_deeper_than_python_can_recurse() -> None:
    groups = tuple(Group(f"g{at}", f"g{at - 1}" if at else None, "module", "m") for at in range(3000))
    dot = write_dot(Scene("", (Box("b", "op", "b", group="g2999"),), (), groups), LIGHT)
    assert dot.count("subgraph") == 3000
    assert len(re.findall(r"^\s*}$", dot, re.MULTILINE)) == 3001


def test_the_way_to_the_next_round_does_not_turn_the_order_of_the_boxes(chain: Callable[[int], Scene]) -> None:
    scene = chain(4)
    back = scene._replace(arrows=(*scene.arrows, Arrow("n3", "n0", "×11", 11, again=True)))
    height = {name: y for name, (_, y) in centres(write_dot(back, LIGHT)).items()}
    assert height["b0"] > height["b1"] > height["b2"] > height["b3"]


def test_boxes_without_an_arrow_are_stacked_instead_of_one_endless_row() -> None:
    ghosts = tuple(Box(f"ghost{at}", "unreached", f"head.{at}.weight") for at in range(30))
    at = centres(write_dot(Scene("", ghosts, (), ()), LIGHT))
    assert len({x for x, _ in at.values()}) == 5
    assert len({y for _, y in at.values()}) == 6


def test_a_gradient_that_stands_out_gives_its_box_another_outline() -> None:
    theme = THEMES["dark"]
    boxes = (Box("a", "op", "a", badges=("zero grad",)), Box("b", "parameter", "b", badges=("1 zero grad",)))
    first, second = (line for line in write_dot(Scene("", boxes, (), ()), theme).splitlines() if "<table" in line)
    assert f'color="{theme.signals["zero"].line}"' in first.rpartition("</table>")[2]
    assert "penwidth=2.4" in first
    assert f'color="{theme.boxes["parameter"].line}"' in second.rpartition("</table>")[2]
    assert "penwidth" not in second


def test_the_way_that_was_cut_is_dashed() -> None:
    boxes = (Box("a", "op", "a"), Box("b", "unreached", "b"), Box("c", "dead_end", "c"))
    arrows = (Arrow("a", "b", "cut", 0), Arrow("a", "c", edges=0))
    cut, end = (
        line for line in write_dot(Scene("", boxes, arrows, ()), THEMES["light"]).splitlines() if " -> " in line
    )
    assert "style=dashed" in cut
    assert 'class="gradviz-arrow gradviz-cut"' in cut
    assert "style" not in end


def test_a_repeat_says_how_often(specimen: Scene) -> None:
    assert "×12" in write_dot(specimen, LIGHT)
