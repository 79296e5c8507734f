"""Tooltips of boxes: everything that is known, in short lines; nothing where ``facts.hover`` says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gradviz.graph import DeadEnd, Hook, Leaf, Node, Saved
from gradviz.view.folding.part import Part
from gradviz.view.labels.particulars import Particulars, ghosts_inside, ranked, saved_inside
from gradviz.view.labels.wording import shape, size, tensor
from gradviz.wording import count, several

MOST = 6  # lines of one kind


def operation(facts: Particulars, positions: Sequence[int]) -> tuple[str, ...]:
    """What is known of an operation, and of those in other rounds that it stands for."""
    if not facts.hover:
        return ()
    nodes = facts.nodes(positions)
    node = nodes[0]
    lines = [_heading(node)]
    if len(positions) > 1:
        lines.append(f"stands for {count(len(positions), 'node')}: {several(each.id for each in nodes)}")
    lines += _place(node)
    lines += facts.flow.turn_to_run(node, len(facts.graph.nodes))
    lines += _few([f"slot {number}: {tensor(meta)}" for number, meta in enumerate(node.slots)])
    lines += _few([f"{argument.name}: {argument.formula}" for argument in node.arguments])
    lines += _few([dead_end(end) for end in facts.dead_ends(positions)])
    lines += _few([saved(item) for item in node.saved if item.state != "absent"])
    lines += facts.flow.lines(nodes)
    lines += _few([hook_line(hook) for each in nodes if each.hooks for hook in each.hooks])
    return tuple(lines)


def chain(nodes: Sequence[Node], length: int) -> tuple[str, ...]:
    """What is known of a chain of so many views; ``nodes`` are its own and those in other rounds, its own first."""
    lines = [f"chain of {length:,} views", *_place(nodes[0])]
    if len(nodes) > length:
        lines.append(f"stands for {count(len(nodes) // length, 'equal chain')}; listed is the one nearest the loss")
    lines += _few([f"{node.id} {node.op} {several(map(shape, node.slots))}" for node in nodes[:length]], 2 * MOST)
    return tuple(lines)


def leaf(facts: Particulars, places: Sequence[int]) -> tuple[str, ...]:
    """What is known of a leaf, and of those in other rounds; by node index."""
    if not facts.hover:
        return ()
    node, known = facts.graph.nodes[places[0]], facts.tape.leaves.get(places[0])
    lines = [_heading(node)]
    if known is not None:
        lines += ghost(known)
        lines.append(f"grad: {tensor(known.grad) if known.grad else 'None'}")
        if known.version is not None:
            lines.append(f"changed in place {count(known.version, 'time')}")
    lines += facts.flow.lines([facts.graph.nodes[place] for place in places])
    uses = facts.tape.uses.get(places[0], 0)
    if uses > 1:
        lines.append(f"used by {uses:,} operations; drawn at each of them")
    if len(places) > 1:
        names = several(_leaf_name(facts, place) for place in places)
        lines.append(f"stands for {count(len(places), 'leaf', 'leaves')}: {names}")
    lines += _few([hook_line(hook) for place in places for hook in facts.hooks_of_leaf(place)])
    return tuple(lines)


def ghost(known: Leaf) -> list[str]:
    """Name, shape and state of a leaf."""
    kind = "parameter" if known.parameter else "tensor"
    lines = [f"{kind} {known.name}" if known.name is not None else f"unnamed {kind}"]
    if known.aliases:
        lines.append(f"also called {several(known.aliases)}")
    lines.append(tensor(known.meta))
    if not known.requires_grad:
        lines.append("frozen: requires_grad is False")
    elif known.node is None:
        lines.append("requires grad, but this graph does not reach it")
    return lines


def ghosts(facts: Particulars, leaves: Sequence[Leaf]) -> tuple[str, ...]:
    """What is known of parameters that the graph does not reach."""
    cuts = _few(list(dict.fromkeys(cut for leaf in leaves for cut in facts.flow.cuts_of(leaf))))
    if len(leaves) == 1:
        return (*ghost(leaves[0]), *cuts)
    return (*_few([f"{known.name} {shape(known.meta)}" for known in leaves], 2 * MOST), *cuts)


def closed(facts: Particulars, part: Part, positions: Sequence[int], leaves: Iterable[int]) -> tuple[str, ...]:
    """What lies inside a closed part."""
    if not facts.hover:
        return ()
    nodes = facts.nodes(positions)
    ops = Counter(node.op for node in nodes)
    kinds = ranked(ops)
    lines = [f"{part.path}: {facts.classes.get(part.path, 'module')}"] if part.path else []
    if any(node.module_inferred for node in nodes):
        lines.append("module inferred from the parameters around it")
    lines.append(count(len(nodes), "operation"))
    lines += _few([f"{ops[op]:,} × {op}" for op in kinds])
    lines += _few([f"{_leaf_name(facts, place)}" for place in leaves])
    lines += _few(
        [f"{known.name}, {'not reached' if known.requires_grad else 'frozen'}" for known in ghosts_inside(part)]
    )
    lines += facts.flow.sizes(nodes)
    tensors, held = saved_inside(nodes)
    lines += [f"saves {size(held)} in {count(tensors, 'tensor')}"] if tensors else []
    lines += _few([dead_end(end) for end in facts.dead_ends(positions)])
    lines += _few([hook_line(hook) for node in nodes for hook in node.hooks])
    return tuple(lines)


def dead_end(end: DeadEnd) -> str:
    """Which argument gets no gradient, and why where that is known."""
    given = "" if end.tensor is None else f" ({end.tensor})"
    why = "" if end.why is None else f": {end.why}"
    return f"no gradient for {argument(end)}{given}{why}"


def argument(end: DeadEnd) -> str:
    """The argument's name, or its slot."""
    return f"slot {end.source_slot}" if end.name is None else end.name


def saved(item: Saved) -> str:
    """One saved tensor: its name, shape, bytes and state."""
    facts = [] if item.meta is None else [tensor(item.meta)]
    facts += [] if item.bytes is None else [size(item.bytes)]
    facts.append(item.state if item.hook is None else f"{item.state} by {item.hook}")
    return f"saves {item.name}: {', '.join(facts)}"


def hook_line(hook: Hook) -> str:
    """One hook: its kind, function and owner, and where it is defined."""
    owner = hook.owner or "the model"
    return f"hook {hook.name} ({hook.kind}) on {owner}" + ("" if hook.where is None else f" at {hook.where}")


def source(node: Node) -> list[str]:
    """The user's line that made a node, and its function, where a watch saw them."""
    if node.where is None:
        return []
    return [f"at {node.where}" + ("" if node.function is None else f" in {node.function}")]


def _heading(node: Node) -> str:
    return f"{node.id} {node.op}" + ("" if node.kind in ("op", "leaf") else f" ({node.kind})")


def _place(node: Node) -> list[str]:
    lines = [f"module {node.module}" + (" (inferred)" if node.module_inferred else "")] if node.module else []
    return [*lines, *source(node)]


def _leaf_name(facts: Particulars, place: int) -> str:
    known = facts.tape.leaves.get(place)
    if known is None:
        return facts.graph.nodes[place].id
    return f"{known.name or facts.graph.nodes[place].id} {shape(known.meta)}"


def _few(lines: Sequence[str], most: int = MOST) -> list[str]:
    return list(lines) if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1:,} more"]
