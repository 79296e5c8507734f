"""What one run of the engine did, as columns: gradients, effects of hooks, the real order, turns, cuts and events.

Sizes are texts, ready to show (``0.0234``, ``nan``); -1 stands for no gradient, which is not zero. An entry of a list
may be -1 too. A plain Graph has no such section. ``late`` tells of a hook that ran after the node had its gradient.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gradviz.recording import Backward, HookEffect, Magnitude, Recording, Source
from gradviz.recording.narration import tell_event
from gradviz.recording.phrases import cut_in_full, hook_effect, turn
from gradviz.view.labels.flow import cuts_of, is_late
from gradviz.view.payload.columns import LONGEST, Columns, columns, differences
from gradviz.view.payload.facts import Records
from gradviz.view.payload.looks import write_signals
from gradviz.view.shown import Shown
from gradviz.wording import exact, visible
from gradviz.wording import figure as rounded


def write_backward(shown: Shown, records: Records) -> dict[str, Any]:
    """The section of what was watched, none where nothing was; what it names is added to ``records``."""
    backward, recording = shown.backward, shown.recording
    if backward is None or recording is None:
        return {}
    writer = _Writer(shown, records)
    return {
        "backward": {
            "kind": backward.kind,
            "where": None if backward.where is None else visible(str(backward.where), LONGEST),
            "error": None if backward.error is None else visible(backward.error, LONGEST),
            "create_graph": backward.create_graph,
            "scale": None if backward.scale is None else exact(backward.scale),
            "event": backward.event,
            "executed": differences(writer.node[node] for node in backward.executed),
            "gradients": writer.gradients(backward),
            "contributions": writer.contributions(backward),
            "effects": writer.effects(backward),
            "turns": writer.turns(backward),
            "cuts": writer.cuts(shown),
            "events": writer.events(recording),
            "signals": write_signals(),
        }
    }


class _Writer:
    def __init__(self, shown: Shown, records: Records) -> None:
        self.node = {node.id: place for place, node in enumerate(shown.graph.nodes)}
        self._records = records
        self._text = records.texts.__getitem__
        names: dict[str, int] = {}
        for place, leaf in enumerate(shown.graph.leaves):
            for name in (leaf.name, *leaf.aliases):
                if name is not None:
                    names.setdefault(name, place)
        self._leaf = names

    def gradients(self, backward: Backward) -> Columns:
        rows = []
        for node, slot, size, added in backward.gradients:
            largest, zeros, nonfinite = (None, None, None) if size is None else size[1:]
            numbers = self._figure(largest), self._figure(zeros), -1 if nonfinite is None else nonfinite
            rows.append((self.node[node], slot, self._size(size), *numbers, len(added)))
        return columns(("node", "slot", "norm", "largest", "zeros", "nonfinite", "contributions"), rows)

    def contributions(self, backward: Backward) -> Columns:
        added = (each for gradient in backward.gradients for each in gradient.contributions)
        rows = ((self.node[source], slot, self._size(size)) for source, slot, size in added)
        return columns(("source", "source_slot", "norm"), rows)

    def effects(self, backward: Backward) -> Columns:
        names = (
            *("hook", "node", "started", "before", "after", "returned_none", "replaced", "in_place", "removed"),
            *("registered", "error", "reached", "words", "late"),
        )
        return columns(names, map(self._effect, backward.effects))

    def _effect(self, effect: HookEffect) -> tuple[int, ...]:
        return (
            self._records.hook(effect.hook),
            -1 if effect.node is None else self.node[effect.node],
            effect.started,
            self._list(map(self._size, effect.before)),
            self._list(map(self._size, effect.after)),
            effect.returned_none,
            effect.replaced,
            effect.in_place,
            effect.removed,
            self._where(effect.registered),
            self._records.texts.optional(effect.error),
            self._list(self.node[node] for node in effect.reached),
            self._text(hook_effect(effect)),
            is_late(effect),
        )

    def turns(self, backward: Backward) -> Columns:
        names = ("kind", "source", "target", "slot", "before", "after", "words")
        node, text = self.node, self._text
        figure = self._figure
        rows = [
            (text(t.kind), node[t.source], node[t.target], t.slot, figure(t.before), figure(t.after), text(turn(t)))
            for t in backward.turns
        ]
        return columns(names, rows)

    def cuts(self, shown: Shown) -> Columns:
        names = (
            *("kind", "operation", "where", "opened", "severed", "suspected", "entered", "from", "leaves", "times"),
            "words",
        )
        text, leaf = self._text, self._leaf
        return columns(
            names,
            (
                (
                    text(found.kind),
                    text(found.operation),
                    self._where(found.where),
                    self._where(found.opened),
                    self._list(map(text, found.severed)),
                    self._list(map(text, found.suspected)),
                    self._where(found.entered),
                    self._list(self.node[node] for node in found.severed_from if node in self.node),
                    self._list(leaf[name] for name in found.severed if name in leaf),
                    found.times,
                    text(cut_in_full(found)),
                )
                for found in cuts_of(shown)
            ),
        )

    def events(self, recording: Recording) -> Columns:
        told = ((event, tell_event(event, recording.backwards)) for event in recording.events)
        rows = ((self._text(kind), e.step, self._where(e.where), self._text(words)) for e, (kind, words) in told)
        return columns(("kind", "step", "where", "words"), rows)

    def _size(self, size: Magnitude | None) -> int:
        return -1 if size is None else self._text(rounded(size.norm))

    def _figure(self, number: float | None) -> int:
        return -1 if number is None else self._text(rounded(number))

    def _where(self, where: Source | None) -> int:
        return -1 if where is None else self._text(str(where))

    def _list(self, places: Iterable[int]) -> int:
        return self._records.lists[tuple(places)]
