"""Writes the boxes of operations, leaves, dead ends and ghosts: titles, lines and badges.

Autograd's own names stay as they are (``MulBackward0``): they are what error messages and ``grad_fn`` say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradviz.graph import Argument, DeadEnd, Node
from gradviz.view.folding.ghosts import Ghost, gather
from gradviz.view.folding.leaves import Uses
from gradviz.view.folding.measure import MOST_LISTED
from gradviz.view.folding.part import Part
from gradviz.view.labels import frames, tooltips
from gradviz.view.labels.closed import device_badges, hook_badge, meta_line
from gradviz.view.labels.particulars import Particulars, depth_of
from gradviz.view.labels.wording import span, within
from gradviz.view.scene import Box, Role
from gradviz.wording import several

LONGEST_CHAIN = 48  # letters in which the operations of a chain are listed
MOST_CUTS = 3  # that one ghost tells of; its tooltip has them all
LONGEST_FORMULA = 60  # letters, with the argument's name: renderers would cut longer lines in the middle


def operation(facts: Particulars, positions: Sequence[int], group: str | None) -> Box:
    """The box of an operation; ``positions`` are its own and those in other rounds, its own first."""
    nodes, place = facts.nodes(positions), facts.tape.nodes[positions[0]]
    node, known = nodes[0], facts.tape.leaves.get(place)
    roots = facts.tape.roots.get(place, ())
    lines = [_access(root.access) for root in roots] if len(facts.graph.roots) > 1 else []
    if known is not None and known.name is not None:
        lines.append(known.name)
    if facts.detail != "brief":
        lines += _slots(facts, nodes)
        lines += facts.flow.lines(nodes)
        if not facts.in_full:
            names = [tooltips.argument(end) for end in facts.telling_ends(positions)]
            lines += [f"no gradient for {several(names)}"] if names else []
    if facts.detail == "full":
        lines += [tooltips.saved(item) for item in node.saved if item.state != "absent"]
        lines += [_formula(argument) for argument in node.arguments]
        lines += tooltips.source(node)
        lines += facts.flow.turn_to_run(node)
        lines += [tooltips.hook_line(hook) for hook in node.hooks]
    role: Role = "root" if roots else _leaf_role(facts, place) if node.kind == "leaf" else node.kind
    badges = (
        *hook_badge((hook for each in nodes for hook in each.hooks), facts.flow.hooks(nodes)),
        *facts.flow.badges(nodes),
        *device_badges(facts, nodes),
    )
    ids = tuple(each.id for each in nodes)
    return Box(node.id, role, node.op, tuple(lines), badges, tooltips.operation(facts, positions), ids, group)


def chain(facts: Particulars, part: Part, positions: Sequence[int], group: str | None) -> Box:
    """The box of a chain of views; ``positions`` are its own and those in other rounds, its own first."""
    nodes, length = facts.nodes(positions), part.stop - part.start
    ops = frames.steps(facts, part)
    said = " · ".join(ops)
    lines = []
    if facts.detail != "brief":
        if length > frames.FEW_VIEWS:
            lines.append(said if len(said) <= LONGEST_CHAIN else f"{ops[0]} … {ops[-1]}")
        lines += _slots(facts, nodes[::length])
        lines += facts.flow.lines(nodes)
    hooks, tooltip = hook_badge((), facts.flow.hooks(nodes)), tooltips.chain(nodes, length)
    badges = (*hooks, *facts.flow.badges(nodes), *device_badges(facts, nodes))
    ids = tuple(node.id for node in nodes)
    return Box(part.key, "view", frames.chain(facts, part), tuple(lines), badges, tooltip, ids, group)


def leaf(facts: Particulars, leaves: Uses, user: Box, path: str) -> Box:
    """The box of leaves beside the operation ``user`` that uses them, in the frame of the module at ``path``."""
    places = list(leaves)
    ids = tuple(facts.graph.nodes[place].id for place in places)
    known = [facts.tape.leaves[place] for place in places if place in facts.tape.leaves]
    names = [_name_in_frame(facts, place, position, path) for place, position in leaves.items()]
    title, lines = span(reversed(names)), [meta_line(facts, one.meta) for one in known[:1] if facts.detail != "brief"]
    if len(set(leaves.values())) < len(places):  # many leaves of one operation
        title = f"{len(places):,} {'parameters' if all(one.parameter for one in known) else 'leaves'}"
        distinct = list(dict.fromkeys(names))
        more = len(distinct) - MOST_LISTED
        lines = [*distinct[:MOST_LISTED], *([f"… {more:,} more"] if more > 0 else [])]
    nodes = [facts.graph.nodes[place] for place in places]
    if facts.detail != "brief":
        lines += facts.flow.lines(nodes)
    uses = max(facts.tape.uses[place] for place in places)
    if uses > 1:
        lines.append(f"shared by {uses:,}")
    aliases = [alias for one in known for alias in one.aliases]
    if aliases and facts.detail != "brief":
        lines.append(f"also {several(aliases, 1)}")
    hooks = [hook for place in places for hook in facts.hooks_of_leaf(place)]
    if facts.detail == "full":
        lines += [tooltips.hook_line(hook) for hook in hooks]
    badges = ("root",) if any(place in facts.tape.roots for place in places) else ()
    devices = {one.meta.device: None for one in known} if len(facts.devices) > 1 else {}
    return Box(
        f"{user.key}:{ids[0]}",
        _leaf_role(facts, places[0]),
        title,
        tuple(lines),
        (*badges, *hook_badge(hooks, facts.flow.hooks(nodes)), *facts.flow.badges(nodes), *devices),
        tooltips.leaf(facts, places),
        ids,
        user.group,
    )


def dead_end(end: DeadEnd, user: Box) -> Box:
    """The box of an argument that gets no gradient, beside the operation ``user``."""
    lines = tuple(filter(None, (end.tensor, end.why or "no gradient")))
    key = f"{user.key}:{end.source_slot}"
    return Box(key, "dead_end", tooltips.argument(end), lines, (), (tooltips.dead_end(end),), (), user.group)


def ghosts(facts: Particulars, part: Part, group: str | None) -> Iterator[tuple[Ghost, Box]]:
    """The boxes of the parameters of a part that the graph does not reach, with what each stands for."""
    for number, known in enumerate(gather(part.ghosts)):
        yield known, _ghost(facts, known, f"{part.key}:{number}", group)


def _ghost(facts: Particulars, known: Ghost, key: str, group: str | None) -> Box:
    state = "frozen" if known.role == "frozen" else "not reached"
    if len(known.leaves) > 1:
        number = len(known.leaves)
        lines = [f"{number:,} frozen parameters" if known.role == "frozen" else f"{number:,} parameters not reached"]
    else:
        lines = [state] if facts.detail == "brief" else [meta_line(facts, known.leaves[0].meta), state]
    lines += list(dict.fromkeys(cut for one in known.leaves for cut in facts.flow.cuts_of(one)))[:MOST_CUTS]
    badges = hook_badge(hook for one in known.leaves for hook in one.hooks)
    return Box(key, known.role, known.title, tuple(lines), badges, tooltips.ghosts(facts, known.leaves), (), group)


def _slots(facts: Particulars, nodes: Sequence[Node]) -> list[str]:
    """The shapes that arrive; where rounds differ, the first and the last in the order of forward."""
    distinct = dict.fromkeys(node.slots for node in reversed(nodes) if node.slots)
    texts = [several(meta_line(facts, slot) for slot in slots) for slots in distinct]
    return [span(texts)] if texts else []


def _leaf_role(facts: Particulars, place: int) -> Role:
    known = facts.tape.leaves.get(place)
    if known is None or not known.parameter:
        return "input"
    return "parameter" if known.requires_grad else "frozen"


def _name_in_frame(facts: Particulars, place: int, position: int, path: str) -> str:
    """A leaf's name inside the frame; in another round, inside what the frame is there."""
    known = facts.tape.leaves.get(place)
    if known is None:
        return facts.graph.nodes[place].op
    if known.name is None:
        return "parameter" if known.parameter else "input"
    steps = (facts.node(position).module or "").split(".")
    return within(known.name, ".".join(steps[: depth_of(path)]))


def _formula(argument: Argument) -> str:
    """An argument's formula. What it calls stands in front, so a long one loses its end (the tooltip has it whole)."""
    line = f"{argument.name}: {argument.formula}"
    return line if len(line) <= LONGEST_FORMULA else f"{line[: LONGEST_FORMULA - 1]}…"


def _access(access: tuple[str, str]) -> str:
    return f"{access[0]}outputs{access[1]}"
