"""Shown -> Scene: lays out the tape, settles what is open, places boxes, bundles edges and labels everything.

Equal graphs give equal scenes: every order comes from the graph, every key from ids and places. A scene without its
arrows from round to round (``again``) has no cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from gradviz.errors import GradvizError
from gradviz.graph import Graph, Leaf
from gradviz.recording.phrases import cut_in_full
from gradviz.view.bundles import Bundles, bundle
from gradviz.view.folding.choice import Choice, Fold, choose
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import read_tape
from gradviz.view.labels import arrows, boxes, frames, summary
from gradviz.view.labels.cells import cell
from gradviz.view.labels.flow import cuts_of
from gradviz.view.labels.particulars import Detail, Particulars, look_up
from gradviz.view.placing import Placing, place
from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.shown import Shown, as_shown
from gradviz.wording import count

__all__ = ["Detail", "Fold", "compose"]


def compose(given: Graph | Shown, *, fold: Fold = "auto", detail: Detail = "normal", closer: int = 0) -> Scene:
    """Decide what a picture of the graph shows.

    Args:
        given: a graph, or one with what a backward did in it.
        fold: what is drawn closed. ``"auto"``: whatever keeps the picture readable in about two screens; a small graph
            is drawn in full. None: nothing. A number: modules deeper than that. Patterns (as in fnmatch) or a
            function of a module's path: the modules that match; repeats stay folded. Where anything is folded, a chain
            of views is one box, unless ``detail`` is ``"full"``.
        detail: ``"brief"`` (names of operations and leaves), ``"normal"`` (shapes too, and dtypes that are unusual in
            this graph) or ``"full"`` (dtypes, devices, saved tensors, formulas, order, hooks).
        closer: how many steps to fold further than that; each leaves at most two fifths of the boxes, in the end one.

    Raises:
        GradvizError: for other values.
    """
    if detail not in get_args(Detail):
        raise GradvizError(
            f"detail={detail!r} is not known", "labels come in three sizes", "use 'brief', 'normal' or 'full'"
        )
    shown = as_shown(given)
    graph, tape = shown.graph, read_tape(shown.graph)
    choice = choose(graph, tape, fold, closer, views=detail != "full")
    placing = place(choice, len(tape.nodes))
    bundles = bundle(tape, placing, in_full=choice.in_full)
    facts = look_up(shown, tape, detail, in_full=choice.in_full)
    cells = [
        cell(facts, child, positions, path, _key(frame))
        for (child, frame, path), positions in zip(placing.cells, placing.positions, strict=True)
    ]
    leaves = [
        boxes.leaf(facts, one.leaves, cells[one.cell], placing.cells[one.cell].path) for one in bundles.leaf_boxes
    ]
    ends = list(_dead_ends(facts, placing, cells)) if choice.in_full else []
    ordered = _roots_first(graph, cells, {arrow.target for arrow in bundles.arrows})
    beside = [*((one.cell, box) for one, box in zip(bundles.leaf_boxes, leaves, strict=True)), *ends]
    ghosts = list(_ghosts(facts, choice, placing))
    return Scene(
        summary.title(facts),
        (*_in_order(cells, ordered, beside), *(box for _, box in ghosts)),
        (
            *_arrows(facts, placing, bundles, [*cells, *leaves]),
            *(Arrow(cells[user].key, box.key, edges=0) for user, box in ends),
            *_severed(shown, facts, placing, cells, ghosts),
        ),
        tuple(_groups(facts, placing)),
        tuple(_notes(facts, choice, cells, hint=fold is not None and not closer)),
    )


def _dead_ends(facts: Particulars, placing: Placing, cells: list[Box]) -> Iterator[tuple[int, Box]]:
    """The box of each dead end that tells something, with the place of the cell of its operation. Nothing is folded."""
    for number, positions in enumerate(placing.positions):
        for end in facts.telling_ends(positions):
            yield number, boxes.dead_end(end, cells[number])


def _ghosts(facts: Particulars, choice: Choice, placing: Placing) -> Iterator[tuple[tuple[Leaf, ...], Box]]:
    for part in (choice.top, *(frame.part for frame in placing.frames)) if choice.opened else ():
        for ghost, box in boxes.ghosts(facts, part, None if part is choice.top else part.key):
            yield ghost.leaves, box


def _severed(
    shown: Shown, facts: Particulars, placing: Placing, cells: list[Box], ghosts: list[tuple[tuple[Leaf, ...], Box]]
) -> Iterator[Arrow]:
    """From where the value of a cut came in to the parameters that have no way to the loss because of it."""
    cuts = cuts_of(shown)
    if not cuts:
        return
    place_of = {node.id: place for place, node in enumerate(facts.graph.nodes)}
    cell_of = {place: placing.cell_of[position] for position, place in enumerate(facts.tape.nodes)}
    found: dict[tuple[str, str], list[str]] = {}
    for leaves, box in ghosts:
        names = {name for leaf in leaves for name in (leaf.name, *leaf.aliases)}
        for one in cuts:
            for node in one.severed_from if names.intersection(one.severed) else ():
                cell = cell_of.get(place_of.get(node, -1))
                if cell is not None:
                    found.setdefault((cells[cell].key, box.key), []).append(cut_in_full(one))
    for (source, target), said in found.items():
        yield Arrow(source, target, "cut", edges=0, tooltip=tuple(dict.fromkeys(said)))


def _roots_first(graph: Graph, cells: list[Box], later: set[int]) -> list[int]:
    """The places of the cells, traced outputs in front as they were given; those in frames and those ``later`` stay.

    Later are the places of the cells that arrows lead to: boxes come before all that they point to.
    """
    given: dict[str, int] = {}
    for number, root in enumerate(graph.roots):
        given.setdefault(root.node, number)

    def rank(number: int) -> int:
        free = number not in later and cells[number].group is None
        return min((given[node] for node in cells[number].nodes if free and node in given), default=len(given))

    return sorted(range(len(cells)), key=rank)


def _in_order(cells: list[Box], order: list[int], beside: list[tuple[int, Box]]) -> Iterator[Box]:
    """The cells in this order, each followed by its leaves and dead ends."""
    by_user: dict[int, list[Box]] = {}
    for user, box in beside:
        by_user.setdefault(user, []).append(box)
    for number in order:
        yield cells[number]
        yield from by_user.get(number, ())


def _arrows(facts: Particulars, placing: Placing, bundles: Bundles, ends: list[Box]) -> Iterator[Arrow]:
    for one in bundles.arrows:
        child, frame, _ = placing.cells[one.source]
        label = arrows.label(facts, one, None if isinstance(child, Part) else child, placing.rounds_in(frame))
        source, target = ends[one.source].key, ends[one.target].key
        yield Arrow(source, target, label, one.size, one.again, arrows.tooltip(facts, one))


def _groups(facts: Particulars, placing: Placing) -> Iterator[Group]:
    for part, frame, path in placing.frames:
        title, tooltip = frames.frame(facts, part, path)
        if part.kind != "view":  # a chain of views is never open
            yield Group(part.key, _key(frame), part.kind, title, part.times, tooltip)


def _key(frame: Part | None) -> str | None:
    return None if frame is None else frame.key


def _notes(facts: Particulars, choice: Choice, cells: list[Box], *, hint: bool) -> Iterator[str]:
    """What is not shown and what is not known; with a hint on how to see all, where that was not asked for before."""
    if sum(len(box.nodes) for box in cells) > len(cells):
        repeats = any(part.kind == "repeat" for part in choice.opened)
        which = " Of a repeat, the round nearest the loss is drawn." if repeats else ""
        nodes = count(len(facts.graph.nodes), "node")
        drawn = count(len(cells), "box", "boxes")
        how = "; gradviz.draw(graph, fold=None) draws all" if hint else ""
        yield f"{nodes} folded into {drawn}{how}.{which}"
    yield from choice.notes
    yield from summary.notes(facts)
