"""What stands below the laid out graph, as DOT with positions: the legend, only of what occurs, and the notes.

They are placed after the layout, in points with y upwards and the graph's lower edge at 0, for two reasons: rows of a
legend would stretch the layout of the graph, and the width that they may fill is known only then.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gradviz.view import escape
from gradviz.view.dot import badge_table, box_attributes
from gradviz.view.scene import Scene
from gradviz.view.theme import LOOKS, Theme

_CELL, _ROW, _GAP = 94.0, 24.0, 26.0  # points: width of a column, height of a row, space above
_COLUMNS = 4  # at least
_LINE, _LETTER = 12.0, 4.6  # points: height of a line of the notes, average width of a letter

# Cells that an item takes, and its nodes, each with the offset of its centre from the item's left edge.
_Item: TypeAlias = "tuple[int, list[tuple[float, str]]]"


class Below(NamedTuple):
    """Statements to append to the positioned DOT of a scene, and the size of what they draw, in points."""

    dot: str
    width: float
    height: float


def legend_and_notes(scene: Scene, theme: Theme, width: float) -> Below:
    """The legend and the notes of a scene whose graph is ``width`` points wide."""
    columns = max(_COLUMNS, int(width // _CELL))
    column, y = 0, -_GAP
    lines = ['node [fontsize=8.5 fixedsize=true margin=0 tooltip="" class="gradviz-legend"]']
    for number, (cells, nodes) in enumerate([*_roles(scene, theme), *_words(scene, theme)]):
        if column + cells > columns:
            column, y = 0, y - _ROW
        for part, (offset, attributes) in enumerate(nodes):
            lines.append(f'k{number}_{part} [pos="{column * _CELL + offset:.1f},{y:.1f}" {attributes}]')
        column += cells
    top = y - _ROW
    notes = [part for note in scene.notes for part in _wrapped(note, columns * _CELL)]
    height = _LINE * len(notes)
    if notes:
        size = f"width={columns * _CELL / 72:.3f} height={height / 72:.3f}"
        lines.append(
            f'notes [pos="{columns * _CELL / 2:.1f},{top - height / 2:.1f}" {size} shape=none class="gradviz-notes"'
            f' fontcolor="{theme.faint}" label={escape.left_lines(notes)}]'
        )
    return Below("\n".join(lines) + "\n", columns * _CELL, height - top)


def _roles(scene: Scene, theme: Theme) -> Iterator[_Item]:
    present = {box.role for box in scene.boxes}
    for role, look in LOOKS.items():
        if role in present:
            size = "width=1.04 height=0.13" if look.line == "double" else "width=1.15 height=0.22"
            yield 1, [(42, f"label={escape.label(look.name)} {size} {box_attributes(role, theme)}")]


def _words(scene: Scene, theme: Theme) -> Iterator[_Item]:
    """What is no box, explained in words."""
    small = "shape=none width=0.4 height=0.2"
    if any(badge.startswith("hook") for box in scene.boxes for badge in box.badges):
        sample = f"label=<{badge_table(('hook',), theme)}> {small}"
        yield 2, [(14, sample), _text("code of yours runs on this gradient", theme)]
    if any("×" in arrow.label for arrow in scene.arrows):
        sample = f'label="×2" {small} fontcolor="{theme.faint}"'
        yield 2, [(14, sample), _text("edges drawn as one arrow", theme)]
    if any(arrow.again for arrow in scene.arrows):
        sample = f'label="- - ->" {small} fontcolor="{theme.accent}"'
        yield 2, [(14, sample), _text("to the next round of a repeat", theme)]


def _text(text: str, theme: Theme) -> tuple[float, str]:
    width = 2 * _CELL - 36
    size = f"width={width / 72:.3f} height=0.2"
    return 32 + width / 2, f'label={escape.left_lines([text])} shape=none {size} fontcolor="{theme.faint}"'


def _wrapped(note: str, width: float) -> list[str]:
    return textwrap.wrap(escape.visible(note, 600), int(width / _LETTER))
