"""Graph -> Scene: lays out the tape, settles what is open, places boxes, bundles edges into arrows and labels everything.

Equal graphs give equal scenes: every order comes from the graph, every key from ids and places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view import labels, tooltips
from gradviz.view.bundles import Bundle, Bundles, bundle
from gradviz.view.fold_argument import Choice, Fold, choose
from gradviz.view.ghosts import gather
from gradviz.view.part import Part
from gradviz.view.particulars import Detail, Particulars, depth_of, look_up
from gradviz.view.placing import Placing, place
from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.tape import Tape, read_tape
from gradviz.view.wording import count, several, size


def compose(graph: Graph, *, fold: Fold = "auto", detail: Detail = "normal", closer: int = 0) -> Scene:
    """Decide what a picture of the graph shows.

    Args:
        graph: what was traced.
        fold: what is drawn closed. ``"auto"``: whatever keeps the picture readable in about two screens; a small graph
            is drawn in full. None: nothing. A number: modules deeper than that. Patterns (as in fnmatch) or a
            function of a module's path: the modules that match; repeats stay folded.
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
    tape = read_tape(graph)
    choice = choose(graph, tape, fold, closer)
    placing = place(choice, len(tape.nodes))
    bundles = bundle(tape, placing, in_full=choice.in_full)
    facts = look_up(graph, tape, detail, in_full=choice.in_full)
    cells = _cells(facts, choice, placing, bundles)
    leaves = [
        labels.leaf(facts, box, cells[box.cell], _path(placing.cells[box.cell].frame)) for box in bundles.leaf_boxes
    ]
    ends = _dead_ends(facts, placing, cells) if choice.in_full else []
    arrows = list(_arrows(facts, placing, bundles, [*cells, *leaves]))
    arrows += [Arrow(user.key, box.key, count=0) for user, box in ends]
    return Scene(
        _title(facts),
        tuple(_in_order(facts, choice, cells, leaves, [box for _, box in ends])),
        tuple(arrows),
        tuple(_groups(facts, choice, placing)),
        tuple(_notes(facts, choice, cells)),
    )


def _cells(facts: Particulars, choice: Choice, placing: Placing, bundles: Bundles) -> list[Box]:
    boxes = []
    for number, (child, frame) in enumerate(placing.cells):
        group = None if frame is None or frame is choice.top else frame.key
        positions = placing.positions[number]
        if isinstance(child, Part):
            boxes.append(labels.closed(facts, child, positions, bundles.inside[number], _path(frame), group))
        else:
            boxes.append(labels.operation(facts, positions, group))
    return boxes


def _dead_ends(facts: Particulars, placing: Placing, cells: list[Box]) -> list[tuple[Box, Box]]:
    """A box for each dead end, after that of its operation. Nothing is folded, so each operation has its own."""
    ends = facts.tape.dead_ends
    return [
        (user, labels.dead_end(end, user))
        for user, positions in zip(cells, placing.positions, strict=True)
        for end in ends.get(positions[0], ())
    ]


def _arrows(facts: Particulars, placing: Placing, bundles: Bundles, boxes: list[Box]) -> Iterator[Arrow]:
    for one in bundles.arrows:
        label = _arrow_label(facts, placing, one)
        yield Arrow(
            boxes[one.source].key, boxes[one.target].key, label, one.count, one.again, tooltips.arrow(facts, one)
        )


def _arrow_label(facts: Particulars, placing: Placing, one: Bundle) -> str:
    """The arguments that an arrow stands for, where it matters which, and how many edges it has in one round."""
    child, frame = placing.cells[one.source]
    rounds = 1 if frame is None else placing.times[frame]
    many = round(one.count / rounds)
    names: list[str] = []
    if not isinstance(child, Part):
        first = facts.tape.edges[one.edges[0]].source
        edges = [facts.tape.edges[number] for number in one.edges]
        names = list(dict.fromkeys(edge.name for edge in edges if edge.source == first and edge.name is not None))
        alone = len(facts.tape.out[child]) + len(facts.tape.dead_ends.get(child, ())) == 1
        if facts.detail == "brief" or (alone and facts.detail == "normal"):
            names = []
    if many <= max(1, len(names)):
        return several(names)
    stems = {name.partition("[")[0] for name in names}  # of a list of tensors: its name
    return f"{stems.pop()} ×{many:,}" if len(stems) == 1 else f"×{many:,}"


def _in_order(
    facts: Particulars, choice: Choice, cells: list[Box], leaves: list[Box], ends: list[Box]
) -> Iterator[Box]:
    """Each operation is followed by its leaves and dead ends; ghosts come last."""
    beside: dict[str, list[Box]] = {}
    for box in (*leaves, *ends):
        beside.setdefault(box.key.partition(":")[0], []).append(box)
    for cell in cells:
        yield cell
        yield from beside.get(cell.key, ())
    for part in choice.opened:
        group = None if part is choice.top else part.key
        for number, ghost in enumerate(gather(part.ghosts, part.path)):
            yield labels.ghost(facts, ghost, f"{part.key}:{number}", group)


def _groups(facts: Particulars, choice: Choice, placing: Placing) -> Iterator[Group]:
    for part, around in placing.frames:
        inner = range(part.start, part.stop)
        hooks = facts.hooks_of_modules(inner, depth_of(around.path))
        own = [hook for hook in hooks if depth_of(hook.owner) <= depth_of(part.path)]
        title = labels.part_name(facts, part, around.path)
        if own:
            title += f" · {count(len(own), 'hook')}"
        lines = [f"{part.path}: {facts.classes.get(part.path, 'module')}"] if part.path else []
        if part.times > 1:
            lines.append(f"{count(part.times, 'equal round')}; drawn is the one nearest the loss")
        lines += [count(len(inner), "operation"), *map(tooltips.hook_line, own)]
        parent = None if around is choice.top else around.key
        yield Group(part.key, parent, part.kind, title, part.times, tuple(lines))


def _path(frame: Part | None) -> str:
    return "" if frame is None else frame.path


def _title(facts: Particulars) -> str:
    graph = facts.graph
    parameters = sum(leaf.parameter and leaf.node is not None for leaf in graph.leaves)
    parts = [count(len(graph.nodes), "node"), count(parameters, "parameter")]
    if graph.saved_bytes:
        parts.append(f"{size(graph.saved_bytes)} saved")
    if facts.devices and facts.devices != ["cpu"]:
        parts.append(f"on {several(facts.devices, 8)}")
    return ", ".join(parts)


def _notes(facts: Particulars, choice: Choice, cells: list[Box]) -> Iterator[str]:
    nodes = sum(len(box.nodes) for box in cells)
    if nodes > len(cells):
        repeats = any(part.kind == "repeat" for part in choice.opened)
        which = " Of a repeat, the round nearest the loss is drawn." if repeats else ""
        yield (
            f"{count(len(facts.graph.nodes), 'node')} folded into {count(len(cells), 'box', 'boxes')};"
            f" gradviz.draw(graph, fold=None) draws all.{which}"
        )
    yield from choice.notes
    for hook in facts.module_hooks.get("every module", ()):
        yield f"{tooltips.hook_line(hook)}."
    yield from facts.graph.notes
