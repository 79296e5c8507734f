"""Measures pictures before they are drawn: how many boxes an open part takes, how they are linked, how high they are.

Heights are in lines of a label, about 11 points each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from gradviz.view.folding.ghosts import gather
from gradviz.view.folding.part import Child, Part, is_single, parts_of
from gradviz.view.folding.tape import Tape

MOST_LEAVES = 8  # leaves of one operation that are drawn one by one
MOST_LISTED = 3  # leaves of a closed part that are listed, not only counted
MANY = 12  # operations in a closed part, from which on they are counted in its label
OPERATION = 4  # lines: a name, a shape, the margins and the arrow to it
FRAME = 4  # lines: its title and margins

Opened = dict[Part, list[Child]]  # the open parts, parents first, and what is drawn in their frames
Links = list[tuple[int, int]]  # which children lead to which others, by place


def inside(part: Part) -> list[Child]:
    """What the frame of a part holds. A module that only wraps another is passed through: one frame serves both."""
    return [_unwrapped(child) if isinstance(child, Part) else child for child in part.children]


def _unwrapped(part: Part) -> Part:
    while part.kind == "module" and not part.closed and not part.ghosts and len(part.children) == 1:
        child = part.children[0]
        if not isinstance(child, Part) or is_single(child):
            break
        part = child
    return part


def leaf_boxes(position: int, tape: Tape) -> int:
    """How many boxes the leaves of an operation take: one each, or one for all if they are many."""
    leaves = len({way for way in tape.out[position] if way < 0})
    return leaves if leaves <= MOST_LEAVES else 1


def weights(children: Sequence[Child], tape: Tape) -> list[int]:
    """How many boxes each child takes while it is closed, with its leaves."""
    return [1 if isinstance(child, Part) else 1 + leaf_boxes(child, tape) for child in children]


def count_boxes(opened: Opened, tape: Tape) -> int:
    """How many boxes a picture has: parts, operations, their leaves, and ghosts."""
    return sum(
        sum(weights(children, tape)) - len(opened.keys() & set(parts_of(children))) + len(gather(part.ghosts))
        for part, children in opened.items()
    )


def links(part: Part, children: Sequence[Child], tape: Tape) -> Links:
    """Which of the children of an open part lead to which others, in order; in a repeat within its first round."""
    start, stop = part.start, part.round_stop
    owner: list[int] = []
    for place, child in enumerate(children):
        owner += [place] * (child.stop - child.start if isinstance(child, Part) else 1)
    found: set[tuple[int, int]] = set()
    for position in range(start, stop):
        place = owner[position - start]
        for way in tape.out[position]:
            if position < way < stop and owner[way - start] != place:
                found.add((place, owner[way - start]))
    return sorted(found)


def leaves_before(tape: Tape) -> list[int]:
    """For each position, and for the end, how many edges to leaves come before it."""
    return [0, *accumulate(sum(way < 0 for way in ways) for ways in tape.out)]


def height(opened: Opened, linked: dict[Part, Links], tape: Tape, leaves: list[int]) -> int:
    """The longest path. An open part counts as a whole, because renderers keep its frame together.

    Args:
        opened: the open parts.
        linked: which of the children of each lead to which others.
        tape: the operations in order.
        leaves: see ``leaves_before``.
    """
    heights: dict[Part, int] = {}
    longest = 0
    for part, children in reversed(opened.items()):
        own = [heights[child] if child in heights else _height(child, leaves) for child in children]
        depth = [0] * len(children)
        for before, after in linked[part]:
            depth[after] = max(depth[after], depth[before] + own[before])
        longest = OPERATION
        for place, child in enumerate(children):
            beside = 0 if isinstance(child, Part) or min(tape.out[child], default=0) >= 0 else OPERATION
            longest = max(longest, depth[place] + own[place] + beside)
        heights[part] = longest + FRAME
    return longest


def _height(child: Child, leaves: list[int]) -> int:
    """How high the box of an operation or a closed part is, without the rare lines."""
    if not isinstance(child, Part):
        return OPERATION
    if child.kind == "view":
        return OPERATION + 1
    inside = leaves[child.round_stop] - leaves[child.start]
    counted = child.kind == "section" or child.round_stop - child.start > MANY
    lines = inside + counted if inside <= MOST_LISTED else 2  # their number shares a line with that of the operations
    return max(OPERATION, OPERATION - 1 + lines + (child.kind == "section"))
