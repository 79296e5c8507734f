"""A Scene as plain text, for terminals, logs and diffs: one line per box, in their order, indented by frames.

Rules: equal scenes give equal text. Boxes are called by their titles, not by numbers, so that one operation more
changes few lines of a diff; of several with one title the later ones get ``#2``, ``#3``. No character that a terminal
would obey gets through.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gradviz.view.escape import visible
from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.theme import LOOKS

_TITLE, _LINE, _BADGE = 60, 60, 32  # longest texts of a box, in characters
_MIDDLE = 56  # the arrows begin at most so far behind the role
# Fixed tables: those of unicodedata differ between versions of Python, and equal scenes shall give equal text.
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
_NARROW = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]")


class _Row(NamedTuple):
    """A box or a frame: its role, what is shown beside it and what below, and what its arrows point to."""

    role: str
    shown: str
    below: list[str]
    ends: list[str]


def write_text(scene: Scene, width: int = 110) -> str:
    """The scene as text.

    Args:
        scene: what to show.
        width: columns of the terminal. What a box points to is wrapped to it; a longer name is not cut.
    """
    names = _names(scene.boxes)
    targets: dict[str, list[str]] = {}
    for arrow in scene.arrows:
        targets.setdefault(arrow.source, []).append(_arrow(arrow, names))
    rows = [_row(depth, part, names, targets) for depth, part in _walk(scene)]
    first = max((len(row.role) for row in rows), default=0)
    room = max(width - first - 41, 10)
    second = min(max((_columns(row.shown) for row in rows), default=0), room, _MIDDLE)
    lines = [*textwrap.wrap(visible(scene.title, 600), width), ""]
    for role, shown, below, ends in rows:
        left = f"{role:<{first}}  {shown}"
        filled = _filled(ends, max(width - first - second - 7, 30))
        gap = " " * max(second - _columns(shown), 0)
        lines.append(f"{left}{gap}  -> {filled[0]}" if filled else left)
        lines += [" " * (first + second + 7) + line for line in filled[1:]]
        lines += [" " * (first + 2) + line for line in below]
    for note in scene.notes:
        lines += ["", *textwrap.wrap(visible(note, 600), width)]
    return "\n".join(lines) + "\n"


def _names(boxes: tuple[Box, ...]) -> dict[str, str]:
    """What each box is called, by its key."""
    seen: Counter[str] = Counter()
    names = {}
    for box in boxes:
        title = visible(box.title, _TITLE)
        seen[title] += 1
        names[box.key] = title if seen[title] == 1 else f"{title} #{seen[title]}"
    return names


def _walk(scene: Scene) -> Iterator[tuple[int, Box | Group]]:
    """Boxes and frames with their depth; a frame stands where its first box does. No recursion, however deep."""
    groups = {group.key: group for group in scene.groups}
    inside: dict[str | None, list[Box | Group]] = {}
    placed: set[str] = set()
    for box in scene.boxes:
        part: Box | Group = box
        parent = box.group
        inside.setdefault(parent, []).append(part)
        while parent is not None and parent not in placed:
            placed.add(parent)
            part = groups[parent]
            parent = part.parent
            inside.setdefault(parent, []).append(part)
    pending = [(0, part) for part in reversed(inside.get(None, []))]
    while pending:
        depth, part = pending.pop()
        yield depth, part
        if isinstance(part, Group):
            pending += [(depth + 1, inner) for inner in reversed(inside[part.key])]


def _row(depth: int, part: Box | Group, names: dict[str, str], targets: dict[str, list[str]]) -> _Row:
    indent = "  " * depth
    if isinstance(part, Group):
        times = f" x{part.times}" if part.times > 1 else ""
        return _Row(f"{part.kind}{times}", f"{indent}{visible(part.title, _TITLE)}", [], [])
    name, role, ends = names[part.key], LOOKS[part.role].name, targets.get(part.key, [])
    lines = [visible(line, _LINE) for line in part.lines]
    badges = [f"[{visible(badge, _BADGE)}]" for badge in part.badges]
    shown = indent + "  ".join([name, *lines, *badges])
    if len(lines) < 2 or _columns(shown) <= _MIDDLE:
        return _Row(role, shown, [], ends)
    return _Row(
        role, indent + "  ".join([name, lines[0], *badges]), [f"{indent}    {line}" for line in lines[1:]], ends
    )


def _arrow(arrow: Arrow, names: dict[str, str]) -> str:
    said = [visible(arrow.label, _LINE)] if arrow.label else []
    said += ["next round"] if arrow.again else []
    return names[arrow.target] + (f" ({', '.join(said)})" if said else "")


def _filled(targets: list[str], room: int) -> list[str]:
    """Join targets to lines that fit, breaking only between two of them."""
    lines: list[str] = []
    for target in targets:
        if lines and _columns(lines[-1]) + _columns(target) + 2 <= room:
            lines[-1] += f", {target}"
        else:
            lines[-1:] = [*(f"{line}," for line in lines[-1:]), target]
    return lines


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text)) - len(_NARROW.findall(text))
