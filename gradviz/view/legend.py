"""What stands below the laid out graph, as nodes with positions: the legend, only of what occurs, and the notes.

They are placed after the layout, in points with y upwards and the graph's lower edge at 0, for two reasons: rows of a
legend would stretch the layout of the graph, and the width that they may fill is known only then.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gradviz.view import escape
from gradviz.view.dot import Attributes, badge_table, box_attributes
from gradviz.view.scene import Scene
from gradviz.view.theme import LOOKS, Theme
from gradviz.wording import visible

_CELL, _ROW, _GAP = 94.0, 24.0, 26.0  # points: width of a column, height of a row, space above
_COLUMNS = 4  # at least
_LINE, _LETTER = 12.0, 4.6  # points: height of a line of the notes, average width of a letter
_ALL = {"shape": "none", "style": "", "fontsize": "8.5", "fixedsize": "true", "margin": "0", "tooltip": "", "id": ""}

# Badges of gradients that stand out, their widths in points, and what they mean.
_STAND_OUT: tuple[tuple[str, float, str], ...] = (
    ("zero grad", 50, "all of it is exactly zero"),
    ("non-finite grad", 74, "NaN or infinity in it"),
    ("without grad", 62, "no gradient arrived here"),
    ("did not run", 56, "this backward left it out"),
)

# Cells that an item takes, and its nodes, each with the offset of its centre from the item's left edge.
_Item: TypeAlias = "tuple[int, list[tuple[float, Attributes]]]"


class Below(NamedTuple):
    """Nodes to add to the positioned DOT of a scene, by name, and the size of what they draw, in points."""

    nodes: dict[str, Attributes]
    width: float
    height: float


def legend_and_notes(scene: Scene, theme: Theme, width: float) -> Below:
    """The legend and the notes of a scene whose graph is ``width`` points wide."""
    columns = max(_COLUMNS, int(width // _CELL))
    nodes: dict[str, Attributes] = {}
    column, y = 0, -_GAP
    for number, (cells, parts) in enumerate([*_roles(scene, theme), *_words(scene, theme)]):
        if column + cells > columns:
            column, y = 0, y - _ROW
        for part, (offset, attributes) in enumerate(parts):
            place = {"pos": f"{column * _CELL + offset:.1f},{y:.1f}", "class": "gradviz-legend"}
            nodes[f"k{number}_{part}"] = _ALL | attributes | place
        column += cells
    top = y - _ROW
    letters = int(columns * _CELL / _LETTER)
    notes = [line for note in scene.notes for line in textwrap.wrap(visible(note, 600), letters)]
    height = _LINE * len(notes)
    if notes:
        place = {"pos": f"{columns * _CELL / 2:.1f},{top - height / 2:.1f}", "class": "gradviz-notes"}
        nodes["notes"] = _ALL | _text(notes, columns * _CELL, height, theme) | place
    return Below(nodes, columns * _CELL, height - top)


def _roles(scene: Scene, theme: Theme) -> Iterator[_Item]:
    present = {box.role for box in scene.boxes}
    for role, look in LOOKS.items():
        if role in present:
            size = {"width": "1.04", "height": "0.13"} if look.line == "double" else {"width": "1.15", "height": "0.22"}
            yield 1, [(42, {"label": escape.label(look.name)} | size | box_attributes(role, theme))]


def _words(scene: Scene, theme: Theme) -> Iterator[_Item]:
    """What is no box, explained in words."""
    hooks = any(badge.startswith("hook") for box in scene.boxes for badge in box.badges)
    bundles = any("×" in arrow.label for arrow in scene.arrows)
    rounds = any(arrow.again for arrow in scene.arrows)
    ends = any("dead end" in badge for box in scene.boxes for badge in box.badges)
    grads = any(line.startswith("grad ") for box in scene.boxes for line in box.lines)
    cuts = any(not arrow.edges and arrow.label for arrow in scene.arrows)
    rows: list[tuple[bool, float, Attributes, str]] = [
        (hooks, 28, _sample("hook", theme), "code of yours runs on this gradient"),
        (bundles, 28, {"label": "×2", "fontcolor": theme.faint}, "edges drawn as one arrow"),
        (rounds, 28, {"label": "- - ->", "fontcolor": theme.accent}, "to the next round of a repeat"),
        (ends, 46, _sample("dead end", theme), "arguments that get no gradient"),
        (grads, 42, {"label": "grad 0.1", "fontcolor": theme.text}, "2-norm of the gradient there"),
        (cuts, 28, {"label": "- - ->", "fontcolor": theme.boxes["dead_end"].line}, "no gradient: the way was cut"),
        *((_has(scene, badge), wide, _sample(badge, theme), words) for badge, wide, words in _STAND_OUT),
    ]
    for occurs, wide, sample, words in rows:
        if occurs:
            width = 2 * _CELL - wide - 8
            size = {"width": f"{wide / 72:.3f}", "height": "0.2"}
            yield 2, [(wide / 2, sample | size), (wide + 4 + width / 2, _text([words], width, 14.4, theme))]


def _has(scene: Scene, badge: str) -> bool:
    return any(each.removesuffix("s").endswith(badge) for box in scene.boxes for each in box.badges)


def _sample(badge: str, theme: Theme) -> Attributes:
    return {"label": f"<{badge_table((badge,), theme)}>"}


def _text(lines: list[str], width: float, height: float, theme: Theme) -> Attributes:
    size = {"width": f"{width / 72:.3f}", "height": f"{height / 72:.3f}"}
    return {"label": escape.left_lines(lines), "fontcolor": theme.faint, **size}
