"""A Scene as plain text, for terminals, logs and diffs: box after box, in their order, indented by frames.

Rules: equal scenes give equal text. What is no name is wrapped instead of cut. Boxes are called by their titles, not by
numbers, so that one operation more changes few lines of a diff; of several with one title the later ones get ``#2``,
``#3``. No character that a terminal would obey gets through.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.theme import LOOKS
from gradviz.wording import visible

_TITLE, _LINE, _BADGE = 60, 600, 32  # longest texts of a box, in characters
_MIDDLE = 56  # columns behind the role in which a box's lines stand beside its name
_ENDS = 36  # columns that what a box points to gets at least, where it needs them
_HEAD = "  -> "
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


def write_text(scene: Scene, width: int = 80) -> str:
    """The scene as text.

    Args:
        scene: what to show.
        width: columns of the terminal. All text is wrapped to it; only names that are longer stand out.
    """
    names = _names(scene.boxes)
    targets: dict[str, list[str]] = {}
    for arrow in scene.arrows:
        targets.setdefault(arrow.source, []).append(_arrow(arrow, names))
    parts = [(depth, part, _role(part)) for depth, part in _walk(scene)]
    first = max((len(role) for *_, role in parts), default=0)
    room = max(width - first - 2, 40)
    rows = [_row(depth, part, role, names, targets, room) for depth, part, role in parts]
    longest = max((_columns(", ".join(row.ends)) for row in rows), default=0)
    second = min(max((_columns(row.shown) for row in rows), default=0), room - len(_HEAD) - min(longest, _ENDS))
    lines = [*textwrap.wrap(visible(scene.title, 600), width), ""]
    for row in rows:
        head, *more = _lines(row, second, room)
        lines.append(f"{row.role:<{first}}  {head}")
        lines += [" " * (first + 2) + line for line in more]
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


def _role(part: Box | Group) -> str:
    if isinstance(part, Box):
        return LOOKS[part.role].name
    return f"{part.kind} x{part.times}" if part.times > 1 else part.kind


def _row(
    depth: int, part: Box | Group, role: str, names: dict[str, str], targets: dict[str, list[str]], room: int
) -> _Row:
    """A box or a frame in so many columns: as many of its lines as fit stand beside its name, the others below."""
    indent = "  " * depth
    if isinstance(part, Group):
        return _Row(role, indent + visible(part.title, _TITLE), [], [])
    name, lines = indent + names[part.key], [visible(line, _LINE) for line in part.lines]
    badges = [f"[{visible(badge, _BADGE)}]" for badge in part.badges]
    if badges and _columns("  ".join([name, *badges])) > room:
        lines, badges = [*lines, "  ".join(badges)], []
    beside = len(lines)
    while beside and _columns("  ".join([name, *lines[:beside], *badges])) > min(room, _MIDDLE):
        beside -= 1
    left = f"{indent}    "
    below: list[str] = []
    for line in lines[beside:]:
        below += textwrap.wrap(line, max(room, len(left) + 20), initial_indent=left, subsequent_indent=f"{left}  ")
    return _Row(role, "  ".join([name, *lines[:beside], *badges]), below, targets.get(part.key, []))


def _lines(row: _Row, second: int, room: int) -> list[str]:
    """A row in so many columns. Its arrows begin at the second column, if need be below or further to the left."""
    if not row.ends:
        return [row.shown, *row.below]
    shown, whole = _columns(row.shown), ", ".join(row.ends)
    if max(shown, second) + len(_HEAD) + _columns(whole) <= room:
        return [row.shown + " " * (second - shown) + _HEAD + whole, *row.below]
    start = max(min(second, room - len(_HEAD) - max(map(_columns, row.ends)) - 1), 0)
    head, *more = _filled(row.ends, room - start - len(_HEAD))
    more = [" " * (start + len(_HEAD)) + line for line in more]
    if shown <= start:
        return [row.shown + " " * (start - shown) + _HEAD + head, *more, *row.below]
    return [row.shown, *row.below, " " * start + _HEAD + head, *more]


def _arrow(arrow: Arrow, names: dict[str, str]) -> str:
    said = [visible(arrow.label, _TITLE)] if arrow.label else []
    said += ["next round"] if arrow.again else []
    return names[arrow.target] + (f" ({', '.join(said)})" if said else "")


def _filled(targets: list[str], room: int) -> list[str]:
    """Join targets to lines that fit, breaking only between two of them."""
    lines: list[str] = []
    for number, target in enumerate(targets, 1):
        comma = number < len(targets)
        if lines and _columns(lines[-1]) + 2 + _columns(target) + comma <= room:
            lines[-1] += f", {target}"
        else:
            lines[-1:] = [*(f"{line}," for line in lines[-1:]), target]
    return lines


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text)) - len(_NARROW.findall(text))
