"""Bundles edges into arrows, and draws each leaf beside every operation that uses it.

Rules: a leaf of a closed box lies inside it. Every edge of the graph is in exactly one bundle, or inside a closed box.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gradviz.view.folding.leaves import leaves_beside
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
    """All arrows and all leaf boxes, those of one cell in a row."""

    arrows: list[Bundle]
    leaf_boxes: list[LeafBox]


def bundle(tape: Tape, placing: Placing, *, in_full: bool) -> Bundles:
    """Bundle all edges of the tape.

    Args:
        tape: the operations in order.
        placing: where they are drawn.
        in_full: give every leaf a box of its own, however many one operation uses.
    """
    closed = [isinstance(cell.child, Part) for cell in placing.cells]
    most = len(tape.leaves) if in_full else MOST_LEAVES
    leaf_boxes: list[LeafBox] = []
    beside: list[range] = []  # the places of each cell's leaf boxes
    for cell, positions in enumerate(placing.positions):
        before = len(leaf_boxes)
        if not closed[cell]:
            leaf_boxes += [LeafBox(cell, leaves) for leaves in leaves_beside(tape, positions, most)]
        beside.append(range(len(closed) + before, len(closed) + len(leaf_boxes)))
    return Bundles(list(_arrows(tape, placing, closed, beside)), leaf_boxes)


def _arrows(tape: Tape, placing: Placing, closed: list[bool], beside: list[range]) -> Iterator[Bundle]:
    cell_of, rounds = placing.cell_of, placing.rounds
    bundles: dict[tuple[int, int, bool], list[int]] = {}
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
                continue
            else:
                place = places.setdefault(way, len(places))
                key = (cell, beside[cell][min(place, len(beside[cell]) - 1)], False)  # one box holds them all, or each
            found = bundles.get(key)
            if found is None:
                bundles[key] = [1, edge]
            else:
                found[0] += 1
                if len(found) <= SAMPLE:
                    found.append(edge)
    for key, found in bundles.items():
        yield Bundle(*key, found[0], found[1:])
