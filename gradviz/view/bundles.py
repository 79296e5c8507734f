"""Bundles edges into arrows, and draws each leaf beside every operation that uses it.

Rules: a leaf of a closed box lies inside it. Every edge of the graph is in exactly one bundle, or inside a closed box.
"""

from __future__ import annotations

from typing import NamedTuple

from gradviz.view.folding.measure import MOST_LEAVES
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import Tape
from gradviz.view.placing import Placing

SAMPLE = 4  # edges of a bundle that are named


class Bundle(NamedTuple):
    """Edges that are drawn as one arrow between two boxes.

    ``source`` and ``target`` are places: those of the cells come first, then those of the leaf boxes. ``again``: it
    leads from one round of a repeat into another. ``edges`` are the first few of its ``size`` edges.
    """

    source: int
    target: int
    again: bool
    size: int
    edges: list[int]


class LeafBox(NamedTuple):
    """Leaves drawn beside the operation of ``cell``: by node index, with the position that uses each."""

    cell: int
    leaves: dict[int, int]


class Bundles(NamedTuple):
    """All arrows and leaf boxes, and the leaves inside each closed cell (as in LeafBox)."""

    arrows: list[Bundle]
    leaf_boxes: list[LeafBox]
    inside: dict[int, dict[int, int]]


def bundle(tape: Tape, placing: Placing, *, in_full: bool) -> Bundles:
    """Bundle all edges of the tape.

    Args:
        tape: the operations in order.
        placing: where they are drawn.
        in_full: give every leaf a box of its own, however many one operation uses.
    """
    cell_of, rounds = placing.cell_of, placing.rounds
    closed = [isinstance(cell.child, Part) for cell in placing.cells]
    most = len(tape.leaves) if in_full else MOST_LEAVES
    gathered = {
        number for number, cell in enumerate(placing.cells) if not closed[number] and _leaves(tape, cell.child) > most
    }
    bundles: dict[tuple[int, int, bool], list[int]] = {}
    inside: dict[int, dict[int, int]] = {number: {} for number, shut in enumerate(closed) if shut}
    boxes: dict[tuple[int, int], int] = {}
    leaf_boxes: list[LeafBox] = []
    for position, ways in enumerate(tape.out):
        cell, edge = cell_of[position], tape.first_edge[position] - 1
        places: dict[int, int] = {}  # of this operation's leaves among each other
        for way in ways:
            edge += 1
            if way >= 0:
                target = cell_of[way]
                if target == cell and closed[cell]:
                    continue
                key = (cell, target, rounds.differ(position, way))
            elif closed[cell]:
                inside[cell].setdefault(~way, position)
                continue
            else:
                place = 0 if cell in gathered else places.setdefault(way, len(places))
                box = boxes.setdefault((cell, place), len(boxes))
                if box == len(leaf_boxes):
                    leaf_boxes.append(LeafBox(cell, {}))
                leaf_boxes[box].leaves.setdefault(~way, position)
                key = (cell, len(closed) + box, False)
            found = bundles.get(key)
            if found is None:
                bundles[key] = [1, edge]
            else:
                found[0] += 1
                if len(found) <= SAMPLE:
                    found.append(edge)
    arrows = [Bundle(*key, found[0], found[1:]) for key, found in bundles.items()]
    return Bundles(arrows, leaf_boxes, inside)


def _leaves(tape: Tape, position: object) -> int:
    return len({way for way in tape.out[position] if way < 0}) if isinstance(position, int) else 0
