"""Names parts: the title of a closed box or of an open frame, and a frame's tooltip."""

from __future__ import annotations

from gradviz.view.folding.part import Part
from gradviz.view.labels.particulars import Particulars, depth_of
from gradviz.view.labels.tooltips import hook_line
from gradviz.view.labels.wording import within
from gradviz.wording import count, several

FEW_VIEWS = 2  # named in the title of their chain


def name(facts: Particulars, part: Part, path: str) -> str:
    """What a part is called in the frame of the module at ``path``: its own name first, then its class."""
    if part.kind == "section":
        return part.title
    if part.kind == "module":
        called = within(part.path, path) if part.path else "whole graph"
        return _with_class(facts, called, part.path)
    first, last = part.names
    if not first:
        (only, *more), length = part.children, part.round_stop - part.start
        if isinstance(only, Part) and not more:
            return chain(facts, only)
        return facts.node(part.start).op if length == 1 else f"step of {count(length, 'operation')}"
    if first == last:  # the same modules, called again and again
        called = several(within(module, path) for module in reversed(first))
    else:  # the last round in backward was the first in forward
        called = f"{within(last[-1], path)} … {within(first[0], path)}"
    return _with_class(facts, called, part.path) if first == (part.path,) else called


def chain(facts: Particulars, part: Part) -> str:
    """What a chain of views is called: by its operations if they are few, else by their number."""
    ops = steps(facts, part)
    if len(ops) <= FEW_VIEWS:
        return " · ".join(ops)
    copies = ops.count("Clone")
    views = count(len(ops) - copies, "view")
    return f"{views}, {count(copies, 'copy', 'copies')}" if copies else views


def steps(facts: Particulars, part: Part) -> list[str]:
    """The operations of a chain of views in the order of backward, in short."""
    return [node.op.partition("Backward")[0] for node in facts.nodes(range(part.start, part.round_stop))]


def frame(facts: Particulars, part: Part, path: str) -> tuple[str, tuple[str, ...]]:
    """Title and tooltip of an open part in the frame of the module at ``path``."""
    positions = range(part.start, part.stop)
    hooks = facts.hooks_of_modules(positions, depth_of(path))
    own = [hook for hook in hooks if depth_of(hook.owner) <= depth_of(part.path)]
    title = name(facts, part, path)
    lines = [f"{part.path}: {facts.classes.get(part.path, 'module')}"] if part.path else []
    if part.times > 1:
        lines.append(f"{count(part.times, 'equal round')}; drawn is the one nearest the loss")
    if any(facts.node(position).module_inferred for position in positions):
        lines.append("modules inferred from the parameters around")
    lines += [count(len(positions), "operation"), *map(hook_line, own)]
    return (f"{title} · {count(len(own), 'hook')}" if own else title), tuple(lines)


def _with_class(facts: Particulars, called: str, path: str) -> str:
    return f"{called}: {facts.classes[path]}" if path and path in facts.classes else called
