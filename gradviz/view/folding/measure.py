"""Measures pictures before they are drawn: how many boxes an open part takes, how they are linked, how many ranks."""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.view.folding.ghosts import gather
from gradviz.view.folding.part import Child, Part, parts_of
from gradviz.view.folding.tape import Tape

MOST_LEAVES = 8  # leaves of one operation that are drawn one by one

Opened = dict[Part, list[Child]]  # the open parts, parents first, and what is drawn in their frames
Links = list[tuple[int, int]]  # which children lead to which others, by place


def inside(part: Part) -> list[Child]:
    """What the frame of a part holds. A module that only wraps another is passed through: one frame serves both."""
    return [_unwrapped(child) if isinstance(child, Part) else child for child in part.children]


def _unwrapped(part: Part) -> Part:
    while part.kind == "module" and not part.closed and not part.ghosts and len(part.children) == 1:
        child = part.children[0]
        if not isinstance(child, Part):
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


def ranks(opened: Opened, linked: dict[Part, Links], tape: Tape) -> int:
    """The longest path, in boxes. An open part counts as a whole, because renderers keep its frame together."""
    lengths: dict[Part, int] = {}
    longest = 0
    for part, children in reversed(opened.items()):
        own = [lengths.get(child, 1) if isinstance(child, Part) else 1 for child in children]
        depth = [0] * len(children)
        for before, after in linked[part]:
            depth[after] = max(depth[after], depth[before] + own[before])
        longest = 1
        for place, child in enumerate(children):
            with_leaf = not isinstance(child, Part) and min(tape.out[child], default=0) < 0
            longest = max(longest, depth[place] + own[place] + with_leaf)
        lengths[part] = longest
    return longest
