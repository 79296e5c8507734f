"""Scene -> Page: Graphviz's dot gives each box its place, then the legend and the notes are put below."""

from __future__ import annotations

from typing import NamedTuple

from gradviz.view.dot import Direction, add_nodes, write_dot
from gradviz.view.engine import run_graphviz
from gradviz.view.legend import legend_and_notes
from gradviz.view.scene import Scene
from gradviz.view.theme import Theme


class Page(NamedTuple):
    """A finished layout: the scene, DOT in which all has its place (lay it out by ``nop2``), and its size in points."""

    scene: Scene
    dot: str
    width: float
    height: float


def lay_out(scene: Scene, theme: Theme, direction: Direction, seconds: float) -> Page:
    """The page of a scene. Raises LayoutFailedError if that takes longer than ``seconds`` or goes wrong."""
    source = write_dot(scene, theme, direction)
    positioned, plain = run_graphviz(source, "dot", ["dot", "plain"], seconds=seconds)
    width, height = (72 * float(inches) for inches in plain.split(maxsplit=4)[2:4])  # behind "graph" and a scale
    below = legend_and_notes(scene, theme, width)
    dot = add_nodes(positioned.decode(), below.nodes)
    return Page(scene, dot, max(width, below.width), height + below.height)
