"""Writes the boxes of closed parts. They list their parameters, or count them, and badges tell what they hide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gradviz.graph import Hook, Leaf, Node, NodeKind, TensorMeta
from gradviz.recording import HookEffect
from gradviz.view.folding.measure import MANY, MOST_LISTED
from gradviz.view.folding.part import Part, parts_of
from gradviz.view.labels import tooltips
from gradviz.view.labels.frames import name
from gradviz.view.labels.particulars import Particulars, depth_of, ghosts_inside, saved_inside
from gradviz.view.labels.wording import shape, size, span, within
from gradviz.view.scene import Box
from gradviz.wording import count

_TOLD: tuple[NodeKind, ...] = ("custom", "checkpoint", "compiled", "remote", "in_place")  # must not be hidden


def closed(
    facts: Particulars, part: Part, positions: Sequence[int], leaves: dict[int, int], path: str, group: str | None
) -> Box:
    """The box of a closed part.

    Args:
        facts: what is known.
        part: the part.
        positions: what lies inside, in all rounds.
        leaves: the leaves inside, by node index, with the positions that use them.
        path: the module of the frame that the box lies in.
        group: the key of that frame.
    """
    nodes = facts.nodes(positions)
    lines = [_stretch(part, nodes)] if part.kind == "section" else []
    lines += _content(facts, part, leaves)
    everything = [*nodes, *(facts.graph.nodes[place] for place in leaves)]
    lines += facts.flow.sizes(everything) if facts.detail != "brief" else []
    if facts.detail == "full":
        tensors, held = saved_inside(nodes)
        lines += [f"saves {size(held)}"] if tensors else []
    return Box(
        part.key,
        part.kind,
        name(facts, part, path) + (f" ×{part.times:,}" if part.times > 1 else ""),
        tuple(lines),
        tuple(_badges(facts, part, positions, nodes, leaves, depth_of(path))),
        tooltips.closed(facts, part, positions, leaves),
        (*(node.id for node in nodes), *(facts.graph.nodes[place].id for place in leaves)),
        group,
    )


def hook_badge(hooks: Iterable[Hook], effects: Iterable[HookEffect] = ()) -> tuple[str, ...]:
    """One badge for these hooks, none if there are none; ``effects`` tell of some that a trace may not have found."""
    number = max(sum(1 for _ in hooks), len({effect.hook for effect in effects}))
    return () if not number else ("hook",) if number == 1 else (f"hook ×{number:,}",)


def device_badges(facts: Particulars, nodes: Sequence[Node]) -> tuple[str, ...]:
    """The devices of these nodes, where the graph has several."""
    if len(facts.devices) < 2:
        return ()
    found = {slot.device for node in nodes for slot in node.slots}
    return tuple(device for device in facts.devices if device in found)


def meta_line(facts: Particulars, meta: TensorMeta) -> str:
    """A tensor's shape, with as much more as the detail asks for."""
    if facts.detail == "full":
        return f"{shape(meta)} {meta.dtype} {meta.device}"
    return shape(meta) if meta.dtype == facts.dtype else f"{shape(meta)} {meta.dtype}"


def _stretch(part: Part, nodes: Sequence[Node]) -> str:
    """What a section reaches over: the modules in it in the order of forward, or its nodes in that of backward."""
    paths = [within(inner.path, part.path) for inner in reversed(parts_of(part.children)) if inner.path != part.path]
    return span((paths[0], paths[-1])) if paths else span((nodes[0].id, nodes[-1].id))


def _content(facts: Particulars, part: Part, leaves: dict[int, int]) -> list[str]:
    """How many operations there are if they are many, and the leaves of the drawn round, in forward's order."""
    length = part.round_stop - part.start
    counts = [count(length, "operation")] if part.kind == "section" or length > MANY else []
    drawn = [place for place, position in leaves.items() if position < part.round_stop]
    drawn.sort(key=lambda place: -leaves[place])
    known = [(facts.tape.leaves[place], facts.tape.uses[place]) for place in drawn if place in facts.tape.leaves]
    names = [within(one.name or ("parameter" if one.parameter else "input"), part.path) for one, _ in known]
    if len(known) > MOST_LISTED:
        shared = sum(uses > 1 for _, uses in known)
        counts.append(f"{len(known):,} {'parameters' if all(one.parameter for one, _ in known) else 'leaves'}")
        counts += [f"{shared:,} shared"] if shared else []
        lines = [f"{names[0]} … {names[-1]}"]
    else:
        lines = [_leaf(facts, name, *one) for name, one in zip(names, known, strict=True)]
    return [", ".join(counts), *lines] if counts and facts.detail != "brief" else lines


def _leaf(facts: Particulars, name: str, known: Leaf, uses: int) -> str:
    line = name if facts.detail == "brief" else f"{name} {meta_line(facts, known.meta)}"
    return f"{line}, shared by {uses:,}" if uses > 1 else line


def _badges(
    facts: Particulars, part: Part, positions: Sequence[int], nodes: list[Node], leaves: dict[int, int], depth: int
) -> list[str]:
    known = facts.tape.roots
    roots = sum(len(known.get(facts.tape.nodes[position], ())) for position in positions) if known else 0
    badges = ["root" if roots == 1 else f"{roots:,} roots"] if roots else []
    hooks = [hook for node in nodes if node.hooks for hook in node.hooks]
    hooks += [hook for place in leaves for hook in facts.hooks_of_leaf(place)]
    everything = [*nodes, *(facts.graph.nodes[place] for place in leaves)]
    badges += hook_badge([*hooks, *facts.hooks_of_modules(positions, depth)], facts.flow.hooks(everything))
    badges += facts.flow.badges(everything)
    kinds = Counter(node.kind for node in nodes)
    badges += [f"{kinds[kind]:,} {kind.replace('_', ' ')}" for kind in _TOLD if kinds[kind]]
    ends = len(facts.telling_ends(positions))
    badges += [count(ends, "dead end")] if ends else []
    missing = ghosts_inside(part)
    frozen = sum(not one.requires_grad for one in missing)
    badges += [f"{frozen:,} frozen"] if frozen else []
    badges += [f"{len(missing) - frozen:,} not reached"] if len(missing) > frozen else []
    return [*badges, *device_badges(facts, nodes)]
