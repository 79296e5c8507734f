"""Writes the boxes: titles, lines and badges of operations, leaves, dead ends, closed parts and ghosts.

Autograd's own names stay as they are (``MulBackward0``): they are what error messages and ``grad_fn`` say.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.graph import DeadEnd, Hook, TensorMeta
from gradviz.view import tooltips
from gradviz.view.bundles import LeafBox
from gradviz.view.ghosts import Ghost
from gradviz.view.part import Part
from gradviz.view.particulars import Particulars, depth_of, ghosts_inside, ranked
from gradviz.view.scene import Box, Role
from gradviz.view.wording import count, several, shape, size, span, within

MOST_PARAMETERS = 3  # listed in a closed box
MANY = 12  # operations in a closed box, from which on they are counted in its label
NOT_GIVEN = "not given"  # why an argument that may be left out gets no gradient: nothing to tell in a label
_TOLD = ("custom", "checkpoint", "compiled", "remote", "in_place")  # kinds that a closed box must not hide


def operation(facts: Particulars, positions: Sequence[int], group: str | None) -> Box:
    """The box of an operation; ``positions`` are its own and those in other rounds, its own first."""
    node, place = facts.node(positions[0]), facts.tape.nodes[positions[0]]
    roots = facts.tape.roots.get(place, ())
    known = facts.tape.leaves.get(place)
    lines = [_access(root.access) for root in roots] if len(facts.graph.roots) > 1 else []
    if known is not None and known.name is not None:
        lines.append(known.name)
    if facts.detail != "brief":
        lines += _slots(facts, positions)
        if not facts.in_full:
            ends = [end for end in facts.dead_ends(positions) if end.why != NOT_GIVEN]
            lines += [f"no gradient for {several(map(tooltips.argument, ends))}"] if ends else []
    if facts.detail == "full":
        lines += [tooltips.saved(item) for item in node.saved if item.state != "absent"]
        lines += [f"{argument.name}: {argument.formula}" for argument in node.arguments]
        lines.append(f"number {node.order + 1:,} to run")
        lines += [tooltips.hook_line(hook) for hook in node.hooks]
    role: Role = "root" if roots else _leaf_role(facts, place) if node.kind == "leaf" else node.kind
    hooks = [hook for position in positions for hook in facts.node(position).hooks]
    badges = (*_hook_badge(hooks), *_device_badges(facts, positions))
    ids = tuple(facts.node(position).id for position in positions)
    return Box(node.id, role, node.op, tuple(lines), badges, tooltips.operation(facts, positions), ids, group)


def leaf(facts: Particulars, box: LeafBox, user: Box, path: str) -> Box:
    """The box of a leaf beside the operation ``user`` that uses it, in the frame of the module at ``path``."""
    places = list(box.leaves)
    ids = tuple(facts.graph.nodes[place].id for place in places)
    known = [facts.tape.leaves[place] for place in places if place in facts.tape.leaves]
    names = [_name_in_frame(facts, place, position, path) for place, position in box.leaves.items()]
    lines: list[str] = []
    if len(set(box.leaves.values())) < len(places):  # many leaves of one operation
        title = f"{len(places):,} {'parameters' if all(one.parameter for one in known) else 'leaves'}"
        lines += names[:MOST_PARAMETERS]
        lines.append(f"… {len(names) - MOST_PARAMETERS:,} more")
    else:
        title = span(reversed(names))
        if known and facts.detail != "brief":
            lines.append(_meta(facts, known[0].meta))
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
        (*badges, *_hook_badge(hooks), *devices),
        tooltips.leaf(facts, places),
        ids,
        user.group,
    )


def dead_end(end: DeadEnd, user: Box) -> Box:
    """The box of an argument that gets no gradient, beside the operation ``user``."""
    lines = tuple(filter(None, (end.tensor, end.why or "no gradient")))
    key = f"{user.key}:{end.source_slot}"
    return Box(key, "dead_end", tooltips.argument(end), lines, (), (tooltips.dead_end(end),), (), user.group)


def ghost(facts: Particulars, known: Ghost, key: str, group: str | None) -> Box:
    """The box of parameters that the graph does not reach."""
    state = "frozen" if known.role == "frozen" else "not reached"
    if len(known.leaves) > 1:
        lines = [f"{count(len(known.leaves), f'{state} parameter')}"]
    else:
        lines = [state] if facts.detail == "brief" else [_meta(facts, known.leaves[0].meta), state]
    hooks = [hook for one in known.leaves for hook in one.hooks]
    return Box(key, known.role, known.title, tuple(lines), _hook_badge(hooks), tooltips.ghosts(known.leaves), (), group)


def closed(
    facts: Particulars, part: Part, positions: Sequence[int], leaves: dict[int, int], path: str, group: str | None
) -> Box:
    """The box of a closed part in the frame of the module at ``path``; ``leaves`` are those inside, with their users."""
    lines: list[str] = []
    if part.kind == "section" and facts.detail != "brief":
        lines += [span(facts.node(position).id for position in (positions[0], positions[-1]))]
    length = part.round_stop - part.start
    if (part.kind == "section" or length > MANY) and facts.detail != "brief":
        lines.append(count(length, "operation"))
    lines += _parameters(facts, part, leaves)
    if facts.detail == "full":
        nodes = [facts.node(position) for position in positions]
        held = {item.storage: item.bytes or 0 for node in nodes for item in node.saved if item.storage is not None}
        lines += [f"saves {size(sum(held.values()))}"] if held else []
    title = part_name(facts, part, path) + (f" ×{part.times:,}" if part.times > 1 else "")
    ids = [facts.node(position).id for position in positions] + [facts.graph.nodes[place].id for place in leaves]
    return Box(
        part.key,
        part.kind,
        title,
        tuple(lines),
        tuple(_closed_badges(facts, part, positions, leaves, depth_of(path))),
        tooltips.closed(facts, part, positions, leaves),
        tuple(ids),
        group,
    )


def part_name(facts: Particulars, part: Part, path: str) -> str:
    """What a part is called in the frame of the module at ``path``."""
    if part.kind == "section":
        return part.title
    if part.kind == "module":
        own = within(part.path, path) if part.path else "whole graph"
        return f"{own}: {facts.classes[part.path]}" if part.path and part.path in facts.classes else own
    first, last = part.names
    if not first:
        length = part.round_stop - part.start
        return facts.node(part.start).op if length == 1 else f"step of {count(length, 'operation')}"
    if first == last:  # called again and again
        name = several(within(module, path) for module in reversed(first))
    else:  # the last round ran first in forward
        name = f"{within(last[-1], path)} … {within(first[0], path)}"
    return f"{name}: {facts.classes[part.path]}" if first == (part.path,) and part.path in facts.classes else name


def _parameters(facts: Particulars, part: Part, leaves: dict[int, int]) -> list[str]:
    """A line for each of the first few leaves of the drawn round, in the order of forward, and how many more there are."""
    drawn = [place for place, position in leaves.items() if position < part.round_stop]
    drawn.sort(key=lambda place: -leaves[place])
    known = [(facts.tape.leaves[place], facts.tape.uses[place]) for place in drawn if place in facts.tape.leaves]
    lines = []
    for one, uses in known[:MOST_PARAMETERS]:
        name = within(one.name or ("parameter" if one.parameter else "input"), part.path)
        line = name if facts.detail == "brief" else f"{name} {_meta(facts, one.meta)}"
        lines.append(f"{line}, shared by {uses:,}" if uses > 1 else line)
    more = known[MOST_PARAMETERS:]
    if more:
        parameters = all(one.parameter for one, _ in more)
        lines.append("… " + (count(len(more), "more parameter") if parameters else f"{len(more):,} more leaves"))
    return lines


def _closed_badges(
    facts: Particulars, part: Part, positions: Sequence[int], leaves: dict[int, int], depth: int
) -> list[str]:
    nodes = [facts.node(position) for position in positions]
    roots = sum(len(facts.tape.roots.get(facts.tape.nodes[position], ())) for position in positions)
    badges = [count(roots, "root") if roots > 1 else "root"] if roots else []
    hooks = [hook for node in nodes for hook in node.hooks]
    hooks += [hook for place in leaves for hook in facts.hooks_of_leaf(place)]
    hooks += facts.hooks_of_modules(positions, depth)
    badges += _hook_badge(hooks)
    for kind in _TOLD:
        hidden = sum(node.kind == kind for node in nodes)
        badges += [f"{hidden:,} {kind.replace('_', ' ')}"] if hidden else []
    ends = sum(end.why != NOT_GIVEN for end in facts.dead_ends(positions))
    badges += [count(ends, "dead end")] if ends else []
    missing = ghosts_inside(part)
    frozen = sum(not one.requires_grad for one in missing)
    badges += [f"{frozen:,} frozen"] if frozen else []
    badges += [f"{len(missing) - frozen:,} not reached"] if len(missing) > frozen else []
    return [*badges, *_device_badges(facts, positions)]


def _hook_badge(hooks: Sequence[Hook]) -> tuple[str, ...]:
    return () if not hooks else ("hook",) if len(hooks) == 1 else (f"hook ×{len(hooks):,}",)


def _device_badges(facts: Particulars, positions: Sequence[int]) -> tuple[str, ...]:
    if len(facts.devices) < 2:
        return ()
    found = {slot.device for position in positions for slot in facts.node(position).slots}
    return tuple(device for device in facts.devices if device in found)


def _slots(facts: Particulars, positions: Sequence[int]) -> list[str]:
    """The shapes that arrive; where rounds differ, the first and the last in the order of forward."""
    texts = [several(_meta(facts, slot) for slot in facts.node(position).slots) for position in reversed(positions)]
    distinct = list(dict.fromkeys(filter(None, texts)))
    return [span(distinct)] if distinct else []


def _meta(facts: Particulars, meta: TensorMeta) -> str:
    text = shape(meta)
    if facts.detail == "full":
        return f"{text} {meta.dtype} {meta.device}"
    return text if meta.dtype == facts.dtype else f"{text} {meta.dtype}"


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


def _access(access: tuple[str, str]) -> str:
    return f"{access[0]}output{access[1]}"
