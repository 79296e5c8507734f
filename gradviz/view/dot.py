"""A Scene, a theme and a direction -> DOT, written by the ``graphviz`` package; no other module uses that.

Rules: equal scenes give equal text. DOT's own names are numbers, never text of the user's. Labels of boxes and frames
are HTML-like, since only those mix sizes and badges; text gets into DOT through ``gradviz.view.escape`` alone.

The legend and the notes are not in it: they get their place when the graph has been laid out (gradviz/view/legend.py).
"""

from __future__ import annotations

import math
import textwrap
from typing import Literal, TypeAlias

from graphviz import Digraph

from gradviz.view import escape
from gradviz.view.hanging import reaches
from gradviz.view.scene import Box, Group, Role, Scene
from gradviz.view.theme import FONT, LOOKS, Theme, badge_paint, outline_paint
from gradviz.wording import visible

Direction = Literal["down", "up", "left", "right"]
Attributes: TypeAlias = "dict[str, str]"

RANKS: dict[Direction, str] = {"down": "TB", "up": "BT", "left": "RL", "right": "LR"}
_TITLE, _LINE, _BADGE = 60, 64, 32  # longest texts inside a box, in characters
_LEAVES = ("parameter", "input", "frozen", "unreached", "dead_end")
_CORNERS = {"round": "rounded", "cut": "diagonals"}
_LINES = {"bold": {"penwidth": "2.6"}, "dotted": {"penwidth": "1.4"}, "double": {"peripheries": "2"}}
_TIGHT = {"in_place": {"margin": "0"}, "dead_end": {"fontsize": "9", "margin": "0.17,0.03", "height": "0.2"}}
_IN_A_ROW = 3  # badges
_TABLE = '<table border="0" cellborder="0" cellspacing="0" cellpadding="0">'
_BADGE_TABLE = '<table border="0" cellborder="1" cellspacing="3" cellpadding="1">'


def write_dot(scene: Scene, theme: Theme, direction: Direction = "down") -> str:
    """The title, frames, boxes and arrows of a scene as DOT, to be laid out by ``dot``."""
    graph = _paper(scene.title, theme, direction)
    _add_content(graph, scene, theme, "b" if direction == "up" else "t")
    _add_arrows(graph, scene, theme)
    _stack_loose_boxes(graph, scene)
    return str(graph)


def add_nodes(dot: str, nodes: dict[str, Attributes]) -> str:
    """DOT with further nodes at its end, by name."""
    further = Digraph()
    for name, attributes in nodes.items():
        further.node(name, **attributes)
    content, end, _ = dot.rpartition("}")
    return f"{content}{''.join(further.body)}{end}\n"


def box_attributes(role: Role, theme: Theme) -> Attributes:
    """Shape, line and colours of a role."""
    look, paint = LOOKS[role], theme.boxes[role]
    corners = _CORNERS.get(look.shape, "")
    dashes = look.line if look.line in ("dashed", "dotted") else ""
    outline = {"shape": "box" if corners else look.shape, "style": ",".join(filter(None, ("filled", corners, dashes)))}
    colours = {"fillcolor": paint.fill, "color": paint.line, "fontcolor": paint.text}
    return outline | _LINES.get(look.line, {}) | colours


def badge_table(badges: tuple[str, ...], theme: Theme) -> str:
    """The badges of one box, as an HTML-like table."""
    cells = []
    for badge in badges:
        paint = badge_paint(badge, theme)
        text = escape.label(visible(badge, _BADGE))
        cells.append(
            f'<td bgcolor="{paint.fill}" color="{paint.line}" style="rounded">'
            f'<font point-size="8" color="{paint.text}">&#160;{text}&#160;</font></td>'
        )
    rows = (cells[start : start + _IN_A_ROW] for start in range(0, len(cells), _IN_A_ROW))
    return _BADGE_TABLE + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>"


def _paper(title: str, theme: Theme, direction: Direction) -> Digraph:
    """A graph with its title and with what holds for all in it, else empty."""
    wrapped = textwrap.wrap(visible(title, 400), 90) or [""]
    lines = "".join(f'{escape.label(line)}<br align="left"/>' for line in wrapped)
    graph = Digraph("gradviz")
    graph.attr("graph", label=f"<<b>{lines}</b>>", labelloc="t", labeljust="l")
    graph.attr("graph", fontname=FONT, fontsize="13", fontcolor=theme.text, bgcolor=theme.paper)
    graph.attr("graph", rankdir=RANKS[direction], nodesep="0.2", ranksep="0.14", pad="0.2", outputorder="edgesfirst")
    graph.attr("node", id=r"\N", fontname=FONT, fontsize="11", margin="0.12,0.04", width="0.3", height="0.28")
    graph.attr("node", **{"class": "gradviz-op"}, **box_attributes("op", theme))
    graph.attr("edge", fontname=FONT, fontsize="8.5", fontcolor=theme.faint)
    graph.attr("edge", color=theme.arrow, arrowsize="0.55", penwidth="1.1", **{"class": "gradviz-arrow"})
    return graph


def _add_content(graph: Digraph, scene: Scene, theme: Theme, edge: str) -> None:
    """Add boxes and frames, in the order of the scene, which is depth first."""
    frames: dict[str | None, Digraph] = {None: graph}
    for number, group in enumerate(scene.groups):
        frames[group.key] = _frame(number, group, theme)
    for number, box in enumerate(scene.boxes):
        frames[box.group].node(f"b{number}", **_box(box, theme))
    # The package copies and indents all lines of a frame that it adds: 1,000 whole frames in each other take 2.6 s. So
    # each is added without those in it, and its last line, which closes it, is held back until they are there too.
    opened: list[tuple[str | None, str]] = [(None, "")]
    for group in scene.groups:
        while opened[-1][0] != group.parent:
            graph.body.append(opened.pop()[1])
        frames[group.key].attr(fillcolor=theme.frames[(len(opened) - 1) % 2], labelloc=edge)
        graph.subgraph(frames[group.key])
        opened.append((group.key, graph.body.pop()))
    graph.body += [closing for _, closing in opened[1:]]


def _frame(number: int, group: Group, theme: Theme) -> Digraph:
    title = escape.label(visible(group.title, _TITLE))
    # In front, since another font than Graphviz measured with may make the title longer.
    times = f'<font color="{theme.accent}" point-size="12">×{group.times}</font>&#160;&#160;' if group.times > 1 else ""
    line, width = (theme.accent, "1.6") if group.kind == "repeat" else (theme.frame_line, "1")
    style = "rounded,filled,dashed" if group.kind == "section" else "rounded,filled"
    tip = escape.tooltip(group.tooltip or (group.title,))
    frame = Digraph(f"cluster_g{number}")
    frame.attr(id=f"g{number}", **{"class": f"gradviz-group gradviz-{group.kind}"}, tooltip=tip)
    frame.attr(label=f"<<b>{times}{title}</b>>", fontsize="10", fontcolor=theme.faint, margin="9")
    frame.attr(style=style, color=line, penwidth=width)
    return frame


def _box(box: Box, theme: Theme) -> Attributes:
    rows = [f"<b>{escape.label(visible(box.title, _TITLE))}</b>"]
    rows += [f'<font point-size="9">{escape.label(visible(line, _LINE))}</font>' for line in box.lines]
    rows += [badge_table(box.badges, theme)] if box.badges else []
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    text = {"label": f"<{_TABLE}{cells}</table>>", "tooltip": escape.tooltip(box.tooltip or (box.title,))}
    outline = outline_paint(box.badges, theme)
    stands_out = {"color": outline.line, "penwidth": "2.4"} if outline else {}
    if box.role == "op":
        return text | stands_out  # how most boxes look is said once, in front of them all
    return (
        text
        | {"class": f"gradviz-{box.role}"}
        | box_attributes(box.role, theme)
        | _TIGHT.get(box.role, {})
        | stands_out
    )


def _add_arrows(graph: Digraph, scene: Scene, theme: Theme) -> None:
    boxes = {box.key: (f"b{number}", box) for number, box in enumerate(scene.boxes)}
    for number, (arrow, reach) in enumerate(zip(scene.arrows, reaches(scene), strict=True)):
        (tail, source), (head, target) = boxes[arrow.source], boxes[arrow.target]
        text = visible(arrow.label, _TITLE)
        tip = arrow.tooltip or (f"{source.title} → {target.title}", *filter(None, (text,)))
        attributes = {"id": f"a{number}", "tooltip": escape.tooltip(tip)}
        if text:
            attributes["label"] = escape.label(f" {text} ")  # the spaces keep it off the line
        if arrow.again:
            # Written from the later box to the earlier one, so that dot need not break a cycle where it likes.
            # constraint=false would do, but crashes Graphviz 2.43 and 14.1.5 on labelled arrows within a rank.
            tail, head = head, tail
            attributes |= {"class": "gradviz-arrow gradviz-again", "style": "dashed", "dir": "back", "weight": "0"}
            attributes |= {"color": theme.accent, "fontcolor": theme.accent}
        elif not arrow.edges and target.role == "unreached":  # no gradient flows where the way was cut
            colour = theme.boxes["dead_end"].line
            attributes |= {"class": "gradviz-arrow gradviz-cut", "style": "dashed", "weight": "0", "color": colour}
        elif target.role not in _LEAVES:
            attributes["weight"] = "3"  # keeps the trunk straight and lets leaves hang beside it
        if reach > 1:
            attributes["minlen"] = str(reach)
        if "×" in arrow.label:
            attributes["penwidth"] = "1.8"
        graph.edge(tail, head, **attributes)


def _stack_loose_boxes(graph: Digraph, scene: Scene) -> None:
    """Stack the boxes of a group that no arrow touches; dot would put them all into one endless row."""
    touched = {key for arrow in scene.arrows for key in (arrow.source, arrow.target)}
    loose: dict[str | None, list[str]] = {}
    for number, box in enumerate(scene.boxes):
        if box.key not in touched:
            loose.setdefault(box.group, []).append(f"b{number}")
    for names in loose.values():
        columns = max(2, math.isqrt(len(names)))
        for upper, lower in zip(names, names[columns:], strict=False):
            graph.edge(upper, lower, style="invis")
