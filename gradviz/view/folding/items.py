"""The whole fold tree as a list of items, open and closed alike: what a viewer needs to fold and unfold by itself.

Items are operations and parts. A repeat whose rounds were kept (``choose(…, rounds=True)``) holds its content twice: as
the drawn round, which stands for all of them, and as its single rounds, for a viewer that unrolls it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gradviz.view.folding.choice import READABLE, Choice
from gradviz.view.folding.measure import inside, leaf_boxes
from gradviz.view.folding.part import Child, Missing, Part
from gradviz.view.folding.rounds import round_section
from gradviz.view.folding.sections import cut
from gradviz.view.folding.tape import Tape

FIRST, MOST = 18, 8  # boxes in the first section of what is too long to be opened at once, and sections side by side


class Item(NamedTuple):
    """An operation or a part, at its place in the tree.

    Args:
        parent: place of the part around it in the list, -1 for the top.
        child: the operation's position, or the part.
        path: the module of the frame that it lies in.
        single: 0, or which of the single rounds of its parent, a repeat, it is or lies in.
        shifts: what to add to its positions for all that it stands for; (0,) outside of repeats.
        open: whether it is open at first.
    """

    parent: int
    child: Child
    path: str
    single: int
    shifts: tuple[int, ...]
    open: bool


def list_items(choice: Choice, tape: Tape) -> list[Item]:
    """Every item, the top first, parents before children, the children of one parent in order.

    Parts that had no key yet get one from that of their parent, see ``key_inside``. What ``choice`` has open is divided
    as it is there; all else as a viewer opens it: a part of more boxes than can be read is cut into sections.
    """
    items = [Item(-1, choice.top, "", 0, (0,), open=True)]
    loads = [1 + leaf_boxes(position, tape) for position in range(len(tape.nodes))]
    for number, item in enumerate(items):  # grows while it is read
        part = item.child
        if not isinstance(part, Part):
            continue
        period = (part.stop - part.start) // part.times
        shifts = tuple(shift + period * round_ for shift in item.shifts for round_ in range(part.times))
        children = choice.opened[part] if part in choice.opened else _readable(part, inside(part), loads)
        for place, child in enumerate(children):
            _name(child, key_inside(part.key, 0, place))
            items.append(Item(number, child, part.path, 0, shifts, child in choice.opened))
        for single, child in enumerate(_rounds(part, loads), 1):
            _name(child, key_inside(part.key, single, 0))
            items.append(Item(number, child, item.path, single, item.shifts, open=False))
    return items


def key_inside(parent: str, single: int, place: int) -> str:
    """The key of a part that has none of its own: which of the single rounds it is, or the how manyth of the drawn."""
    return f"{parent}~{single}" if single else f"{parent}/{place}"


def _name(child: Child, key: str) -> None:
    if isinstance(child, Part) and not child.key:
        child.key = key


def _readable(part: Part, children: list[Child], loads: list[int]) -> list[Child]:
    """The children, in sections if they take too many boxes; ``loads`` are those of each operation, by position."""
    weights = [1 if isinstance(child, Part) else loads[child] for child in children]
    return children if sum(weights) <= READABLE.boxes else cut(part, children, weights, FIRST, MOST)


def _rounds(repeat: Part, loads: list[int]) -> list[Child]:
    """The single rounds of a repeat; in sections if they are too many."""
    if not repeat.others:
        return []
    parent = replace(repeat, key=f"{repeat.key}~")  # its sections are not those of the drawn round
    return _readable(parent, [_first_round(repeat), *repeat.others], loads)


def _first_round(repeat: Part) -> Child:
    """The drawn round by itself: as the other rounds are, and without what they handed over to it."""
    other = repeat.others[0]
    children = [_own(child, repeat.names[0]) for child in repeat.children]
    if not isinstance(other, Part) or other.kind == "view":
        return children[0]
    if other.kind == "section":
        return round_section(repeat.path, children, 1, repeat.times)
    ghosts = _ghosts_of(repeat, repeat.names[0])
    return Part("module", repeat.path, repeat.start, repeat.round_stop, children, closed=repeat.closed, ghosts=ghosts)


def _own(child: Child, names: tuple[str, ...]) -> Child:
    """A copy without key, with the ghosts of these modules only. Recursive: parts nest less than a hundred deep."""
    if not isinstance(child, Part):
        return child
    children, others = ([_own(inner, names) for inner in inside] for inside in (child.children, child.others))
    return replace(child, key="", children=children, others=others, ghosts=_ghosts_of(child, names))


def _ghosts_of(part: Part, names: tuple[str, ...]) -> list[Missing]:
    return [ghost for ghost in part.ghosts if any(f"{ghost.home}.".startswith(f"{name}.") for name in names)]
