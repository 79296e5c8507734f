"""A Scene, a theme and a direction -> DOT text.

Rules: equal scenes give equal text. DOT's own names are numbers, never text of the user's. Labels of boxes and frames
are HTML-like, since only those mix sizes and badges; text gets into DOT through ``gradviz.view.escape`` alone.

The legend and the notes are not in it: they get their place when the graph has been laid out (gradviz/view/legend.py).
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import Literal

from gradviz.view import escape
from gradviz.view.scene import Arrow, Box, Group, Role, Scene
from gradviz.view.theme import FONT, LOOKS, Theme, badge_paint

Direction = Literal["down", "up", "left", "right"]

RANKS: dict[Direction, str] = {"down": "TB", "up": "BT", "left": "RL", "right": "LR"}
_TITLE, _LINE, _BADGE = 48, 64, 32  # longest texts inside a box, in characters
_LEAVES = ("parameter", "input", "frozen", "unreached", "dead_end")
_CORNERS = {"round": "rounded", "cut": "diagonals"}
_TIGHT: dict[Role, str] = {"in_place": " margin=0", "dead_end": ' fontsize=9 margin="0.09,0.02" height=0.2'}
_THICK = {"bold": "2.6", "dotted": "1.4"}
_IN_A_ROW = 3  # badges
_TABLE = '<table border="0" cellborder="0" cellspacing="0" cellpadding="0">'
_BADGE_TABLE = '<table border="0" cellborder="1" cellspacing="3" cellpadding="1">'


def write_dot(scene: Scene, theme: Theme, direction: Direction = "down") -> str:
    """The title, frames, boxes and arrows of a scene as DOT, to be laid out by ``dot``."""
    boxes = {box.key: (f"b{number}", box) for number, box in enumerate(scene.boxes)}
    lines = [
        "digraph gradviz {",
        *_defaults(scene.title, theme, direction),
        *_content(scene, theme, "b" if direction == "up" else "t"),
        *(_arrow(number, arrow, theme, boxes) for number, arrow in enumerate(scene.arrows)),
        *_shelf(scene),
        "}",
    ]
    return "\n".join(lines) + "\n"


def box_attributes(role: Role, theme: Theme) -> str:
    """Shape, line and colours of a role."""
    look, paint = LOOKS[role], theme.boxes[role]
    corners = _CORNERS.get(look.shape)
    words = ["filled", *([corners] if corners else []), *([look.line] if look.line in ("dashed", "dotted") else [])]
    return (
        f'shape={"box" if corners else look.shape} style="{",".join(words)}"'
        f" penwidth={_THICK.get(look.line, '1')} peripheries={2 if look.line == 'double' else 1}"
        f' fillcolor="{paint.fill}" color="{paint.line}" fontcolor="{paint.text}"'
    )


def badge_table(badges: tuple[str, ...], theme: Theme) -> str:
    """The badges of one box, as an HTML-like table."""
    cells = []
    for badge in badges:
        paint = badge_paint(badge, theme)
        text = escape.html(escape.visible(badge, _BADGE))
        cells.append(
            f'<td bgcolor="{paint.fill}" color="{paint.line}" style="rounded">'
            f'<font point-size="8" color="{paint.text}">&#160;{text}&#160;</font></td>'
        )
    rows = (cells[start : start + _IN_A_ROW] for start in range(0, len(cells), _IN_A_ROW))
    return _BADGE_TABLE + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>"


def _defaults(title: str, theme: Theme, direction: Direction) -> Iterator[str]:
    wrapped = textwrap.wrap(escape.visible(title, 400), 90) or [""]
    label = "".join(f'{escape.html(line)}<br align="left"/>' for line in wrapped)
    yield (
        f'graph [rankdir={RANKS[direction]} bgcolor="{theme.paper}" label=<<b>{label}</b>> labelloc=t labeljust=l'
        f' fontname="{FONT}" fontsize=13 fontcolor="{theme.text}" pad=0.2 nodesep=0.2 ranksep=0.14'
        " outputorder=edgesfirst]"
    )
    yield f'node [fontname="{FONT}" fontsize=11 margin="0.12,0.04" width=0.3 height=0.28]'
    yield (
        f'edge [fontname="{FONT}" fontsize=8.5 fontcolor="{theme.faint}" color="{theme.arrow}" arrowsize=0.55'
        " penwidth=1.1]"
    )


def _content(scene: Scene, theme: Theme, edge: str) -> Iterator[str]:
    """Boxes and frames, in the order of the scene. Frames may be nested to any depth, so there is no recursion."""
    boxes: dict[str | None, list[tuple[int, Box]]] = {}
    for number, box in enumerate(scene.boxes):
        boxes.setdefault(box.group, []).append((number, box))
    frames: dict[str | None, list[tuple[int, Group]]] = {}
    for number, group in enumerate(scene.groups):
        frames.setdefault(group.parent, []).append((number, group))
    yield from (_box(*numbered, theme) for numbered in boxes.get(None, ()))
    depth = 0
    pending: list[tuple[int, Group] | None] = list(reversed(frames.get(None, ())))
    while pending:
        opened = pending.pop()
        if opened is None:
            depth -= 1
            yield "}"
            continue
        number, group = opened
        yield f"subgraph cluster_g{number} {{ labelloc={edge} {_frame(number, group, depth, theme)}"
        yield from (_box(*numbered, theme) for numbered in boxes.get(group.key, ()))
        depth += 1
        pending += [None, *reversed(frames.get(group.key, ()))]


def _frame(number: int, group: Group, depth: int, theme: Theme) -> str:
    title = escape.html(escape.visible(group.title, _TITLE))
    # In front, since another font than Graphviz measured with may make the title longer.
    times = f'<font color="{theme.accent}" point-size="12">×{group.times}</font>&#160;&#160;' if group.times > 1 else ""
    line, width = (theme.accent, "1.6") if group.kind == "repeat" else (theme.frame_line, "1")
    return (
        f'label=<<b>{times}{title}</b>> labeljust=l fontsize=10 fontcolor="{theme.faint}" margin=9'
        f' style="rounded,filled{",dashed" if group.kind == "section" else ""}" fillcolor="{theme.frames[depth % 2]}"'
        f' color="{line}" penwidth={width} id=g{number} class="gradviz-group gradviz-{group.kind}"'
        f" tooltip={escape.tooltip(group.tooltip or (group.title,))}"
    )


def _box(number: int, box: Box, theme: Theme) -> str:
    rows = [f"<b>{escape.html(escape.visible(box.title, _TITLE))}</b>"]
    rows += [f'<font point-size="9">{escape.html(escape.visible(line, _LINE))}</font>' for line in box.lines]
    rows += [badge_table(box.badges, theme)] if box.badges else []
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    tight = _TIGHT.get(box.role, "")
    return (
        f"b{number} [label=<{_TABLE}{cells}</table>> {box_attributes(box.role, theme)}{tight} id=b{number}"
        f' class="gradviz-{box.role}" tooltip={escape.tooltip(box.tooltip or (box.title,))}]'
    )


def _arrow(number: int, arrow: Arrow, theme: Theme, boxes: dict[str, tuple[str, Box]]) -> str:
    (tail, source), (head, target) = boxes[arrow.source], boxes[arrow.target]
    text = escape.visible(arrow.label, _TITLE)
    parts = [f'id=a{number} class="gradviz-arrow{" gradviz-again" if arrow.again else ""}"']
    if text:
        parts.append(f"label={escape.label(f' {text} ')}")  # the spaces keep it off the line
    if arrow.again:
        parts.append(f'style=dashed constraint=false color="{theme.accent}" fontcolor="{theme.accent}"')
    elif target.role not in _LEAVES:
        parts.append("weight=3")  # keeps the trunk straight and lets leaves hang beside it
    if "×" in arrow.label:
        parts.append("penwidth=1.8")
    hint = escape.tooltip(arrow.tooltip or (f"{source.title} → {target.title}", *filter(None, (text,))))
    parts.append(f"tooltip={hint} labeltooltip={hint}")
    return f"{tail} -> {head} [{' '.join(parts)}]"


def _shelf(scene: Scene) -> Iterator[str]:
    """Stacks the boxes of a group that no arrow touches; dot would put them all into one endless row."""
    touched = {key for arrow in scene.arrows for key in (arrow.source, arrow.target)}
    loose: dict[str | None, list[str]] = {}
    for number, box in enumerate(scene.boxes):
        if box.key not in touched:
            loose.setdefault(box.group, []).append(f"b{number}")
    for names in loose.values():
        columns = max(2, math.isqrt(len(names)))
        for start in range(min(columns, len(names) - columns)):
            yield f"{' -> '.join(names[start::columns])} [style=invis]"
