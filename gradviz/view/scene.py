"""The Scene: WHAT a picture shows, free of colours, coordinates and formats. Every renderer draws exactly this.

Text in a Scene is raw: it may come from user code and hold any character. Escaping is each renderer's own duty.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal[
    "root",  # the node of a traced output
    "op",
    "view",  # also a chain of them
    "in_place",
    "custom",
    "checkpoint",
    "compiled",
    "remote",
    "parameter",  # a reached leaf that is a parameter
    "input",  # a reached leaf that is not
    "frozen",  # requires_grad is False
    "unreached",  # requires grad, but this graph does not reach it (a ghost)
    "dead_end",  # an argument that gets no gradient
    "module",  # a closed module
    "repeat",  # a closed repeat: several equal modules or steps drawn once
    "section",  # a closed stretch of a graph that has no modules
]


class Box(NamedTuple):
    """Something drawn as one box.

    ``key`` is unique in the scene and equal for equal graphs. ``lines`` follow the title in the label, ``badges`` mark
    hooks and devices (``"hook ×3"``, ``"cuda:0"``), ``tooltip`` tells everything known. ``nodes`` are the ids that it
    stands for, ``group`` the key of the group that it lies in (None: the top).
    """

    key: str
    role: Role
    title: str
    lines: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    tooltip: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    group: str | None = None


class Arrow(NamedTuple):
    """The gradient's way between two boxes; ``edges`` edges of the graph are drawn as this one.

    ``edges`` is 0 for an arrow to a dead end. ``label`` is the whole text to draw, with the number of edges in it.
    ``again`` marks the way from one round of a repeat to the next (it would be a cycle if it were read as one edge).
    """

    source: str
    target: str
    label: str = ""
    edges: int = 1
    again: bool = False
    tooltip: tuple[str, ...] = ()


class Group(NamedTuple):
    """An open module, repeat (drawn as its first round, ``times`` rounds in all) or section: a frame around boxes.

    ``title`` does not say how many ``times``: that is up to the renderer.
    """

    key: str
    parent: str | None
    kind: Literal["module", "repeat", "section"]
    title: str
    times: int = 1
    tooltip: tuple[str, ...] = ()


class Scene(NamedTuple):
    """Boxes, arrows and nested groups, in a fixed order; ``title`` sums up the graph, ``notes`` what is not shown."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    groups: tuple[Group, ...]
    notes: tuple[str, ...] = ()
