"""Which leaves are drawn where: beside the operations that use them, or inside closed parts.

A leaf has a copy at each of its uses. Leaves are named by their node's index; with each comes the position that uses it
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gradviz.view.folding.tape import Tape

Uses = dict[int, int]


def leaves_beside(tape: Tape, positions: Sequence[int], most: int) -> list[Uses]:
    """The leaf boxes of an operation, each with the leaves that it stands for.

    Args:
        tape: the operations in order.
        positions: the operation and its equals in other rounds, in order.
        most: more leaves than that are gathered into one box.
    """
    gathered = len({way for way in tape.out[positions[0]] if way < 0}) > most
    boxes: list[Uses] = []
    for position in positions:
        places: dict[int, int] = {}  # of this operation's leaves among each other
        for way in tape.out[position]:
            if way < 0:
                place = 0 if gathered else places.setdefault(way, len(places))
                if place == len(boxes):
                    boxes.append({})
                boxes[place].setdefault(~way, position)
    return boxes


def leaves_inside(tape: Tape, positions: Iterable[int]) -> Uses:
    """The leaves of a closed part that holds these positions."""
    leaves: Uses = {}
    for position in positions:
        for way in tape.out[position]:
            if way < 0:
                leaves.setdefault(~way, position)
    return leaves
