"""What one run of the engine did, by node, in words for boxes: sizes that arrived, effects of hooks, turns, cuts.

Where nothing was watched every answer is empty: "not recorded" is never "zero". Hooks stand in their true order, those
on tensors before the size that arrived at the node (which they changed), the node's own and later ones behind it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from gradviz.graph import Leaf, Node
from gradviz.recording import Backward, Cut, Gradient, HookEffect, Turn
from gradviz.recording.phrases import cut, hook_called, hook_effect, hook_outcome, scaled, size, turn
from gradviz.view.shown import Shown
from gradviz.wording import figure, several

State = Literal["zero", "nonfinite", "missing", "idle"]

MOST_HOOKS = 6  # calls of hooks that one box tells of
LONGEST = 60  # letters of a line
BADGES: dict[State, str] = {
    "zero": "zero grad",
    "nonfinite": "non-finite grad",
    "missing": "without grad",
    "idle": "did not run",
}
_BEFORE = ("tensor", "retain_grad", "multi_grad")  # hooks that run before a node has its gradient
# Hooks that run after it is in ``.grad``.
_ACCUMULATED = ("post_accumulate", "node_post", "optimizer_in_backward", "communication", "unknown")


class Flow:
    """What is known of one run of the engine; empty where none was watched."""

    def __init__(self, shown: Shown) -> None:
        backward, recording = shown.backward, shown.recording
        self.gradients: dict[str, list[Gradient]] = {}
        self.effects: dict[str, list[HookEffect]] = {}
        self.turns: dict[str, list[Turn]] = {}
        self.cuts: dict[str, list[Cut]] = {}
        self.added: dict[tuple[str, int, str, int], str] = {}  # by edge, the size that it added
        self.title = ""
        self.notes: list[str] = []
        self.order: dict[str, int] = {}  # in which the engine really began the nodes
        if backward is None or recording is None:
            return
        self.order = {node: number for number, node in enumerate(backward.executed)}
        for one in sorted(backward.gradients, key=lambda gradient: gradient.slot):
            self.gradients.setdefault(one.node, []).append(one)
            for each in one.contributions:
                self.added[each.source, each.source_slot, one.node, one.slot] = size(each.size)
        for effect in backward.effects:
            if effect.node is not None:
                self.effects.setdefault(effect.node, []).append(effect)
        for found in backward.turns:
            self.turns.setdefault(found.target, []).append(found)
        for place in cuts_of(shown):
            for name in dict.fromkeys((*place.severed, *place.suspected)):
                self.cuts.setdefault(name, []).append(place)
        self.title = _title(backward)
        self.notes = list(_notes(shown))

    def state(self, node: Node) -> State | None:
        """What stands out about the gradient of a node, if anything does."""
        found = self.gradients.get(node.id)
        if found is None:
            return "idle" if self.order and node.id not in self.order else None
        norms = [one.size.norm for one in found if one.size is not None]
        if not norms:
            return "missing"
        if not all(map(math.isfinite, norms)):
            return "nonfinite"
        return None if any(norms) else "zero"

    def lines(self, nodes: Sequence[Node]) -> list[str]:
        """Lines of a box that stands for these nodes: hooks and the size that arrived, in true order."""
        arrived = self.sizes(nodes)
        effects = self.hooks(nodes)
        before = [one for one in effects if not is_late(one)]
        between = [one for one in effects if is_late(one) and one.hook.kind not in _ACCUMULATED]
        after = [one for one in effects if one.hook.kind in _ACCUMULATED]
        unharmed = all(one.error is None for one in (*before, *between))
        came = effects and nodes[0].kind == "leaf" and nodes[0].id in self.order and unharmed
        return [*_calls(before), *arrived, *_calls(between), *(["added to .grad"] if came else []), *_calls(after)]

    def turn_to_run(self, node: Node, nodes: int = 0) -> list[str]:
        """When the engine will run a node (of so many), or when it did; nothing for one that it left out."""
        of, end = (f" of {nodes:,}", " in backward") if nodes else ("", "")
        if not self.order:
            return [f"number {node.order + 1:,}{of} to run{end}"]
        known = self.order.get(node.id)
        return [] if known is None else [f"number {known + 1:,}{f' of {len(self.order):,}' if nodes else ''} that ran"]

    def sizes(self, nodes: Sequence[Node]) -> list[str]:
        """What arrived at a node, by slot; at several nodes, the smallest and the largest of it."""
        found = [one for node in nodes for one in self.gradients.get(node.id, ())] if self.gradients else []
        if not found:
            return []
        if len(nodes) == 1:
            return [f"grad {', '.join(size(one.size) for one in found[:3])}{' …' if len(found) > 3 else ''}"]
        norms = sorted(one.size.norm for one in found if one.size is not None and math.isfinite(one.size.norm))
        if not norms:
            return [f"grad {several(size(one.size) for one in found)}"]
        least, most = figure(norms[0]), figure(norms[-1])
        return [f"grad {least}" if least == most else f"grad {least} … {most}"]

    def badges(self, nodes: Sequence[Node]) -> list[str]:
        """What stands out: counted where these nodes are several."""
        if not self.order and not self.gradients:
            return []
        turned = [turn(found) for node in nodes for found in self.turns.get(node.id, ())]
        known = [state for node in nodes if node.id not in self.turns and (state := self.state(node))]
        states = Counter(known)
        counted = [
            words if len(nodes) == 1 else f"{states[state]:,} {words}{'s' if _plural(state, states[state]) else ''}"
            for state, words in BADGES.items()
            if states[state]
        ]
        return [*dict.fromkeys(turned), *counted]

    def hooks(self, nodes: Iterable[Node]) -> list[HookEffect]:
        """The calls of hooks at these nodes."""
        return [effect for node in nodes for effect in self.effects.get(node.id, ())] if self.effects else []

    def cuts_of(self, leaf: Leaf) -> list[str]:
        """Where the way to the loss was cut for a leaf that the graph does not reach."""
        names = [name for name in (leaf.name, *leaf.aliases) if name is not None]
        found = dict.fromkeys(one for name in names for one in self.cuts.get(name, ()))
        sure = [cut(one) for one in found if any(name in one.severed for name in names)]
        perhaps = [f"perhaps {cut(one)}" for one in found if not any(name in one.severed for name in names)]
        return [*sure, *perhaps]


def is_late(effect: HookEffect) -> bool:
    """Whether a hook ran when its node had its gradient already, so that the size that arrived is what it was given."""
    return effect.hook.kind not in _BEFORE


def cuts_of(shown: Shown) -> list[Cut]:
    """The cuts that matter for what is shown: those of a backward over its graph, and those that belong to none."""
    known = shown.recording.cuts if shown.recording is not None and shown.backward is not None else ()
    return [found for found in known if found.backward is None or found.backward in shown.alike]


def _title(backward: Backward) -> str:
    verb = "backward" if backward.kind == "backward" else "autograd.grad"
    return verb + ("" if backward.where is None else f" at {backward.where}")


def _notes(shown: Shown) -> Iterable[str]:
    backward, recording = shown.backward, shown.recording
    assert backward is not None
    assert recording is not None
    if len(recording.backwards) > 1:
        yield f"Shown is backward {shown.number + 1:,} of {len(recording.backwards):,}."
    if backward.scale is not None:
        yield scaled(backward.scale)
    if backward.error is not None:
        yield f"This backward raised {backward.error}."
    yield from recording.notes


def _calls(effects: Sequence[HookEffect]) -> list[str]:
    """Lines of some calls of hooks, in order; what a renderer would cut in the middle takes two."""
    lines: list[str] = []
    shown = effects if len(effects) <= MOST_HOOKS else effects[: MOST_HOOKS - 1]
    for effect in shown:
        line = hook_effect(effect)
        lines += [line] if len(line) <= LONGEST else [f"{hook_called(effect)}:", hook_outcome(effect)]
    return lines if shown is effects else [*lines, f"and {len(effects) - len(shown):,} more calls of hooks"]


def _plural(state: State, number: int) -> bool:
    return state in ("zero", "nonfinite") and number > 1
