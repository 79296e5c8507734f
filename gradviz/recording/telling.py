"""A recording as text, for terminals, logs and diffs: events in order, then cuts, hooks, turns and notes.

Rules: equal recordings give equal text; a line each, with its place in front; nothing is left out silently; no
character that a terminal would obey gets through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradviz.recording.facts import Backward, HookRecord, Source
from gradviz.recording.narration import tell_event
from gradviz.recording.phrases import HOOK_WORDS, cut_in_full, hook_effect, scaled, turn
from gradviz.wording import count, figure, visible

if TYPE_CHECKING:
    from gradviz.graph import Graph
    from gradviz.recording.watched import Recording, Watched

_LONGEST, _PLACE = 600, 40  # characters of a line, columns of a place at most


def tell(watched: Watched) -> str:
    """What a watch saw, as text."""
    recording = watched.recording
    if recording is None:
        return "A watch whose block has not ended: nothing is recorded yet."
    blocks = [[_heading(recording)], list(_events(recording)), list(_cuts(recording)), list(_hooks(recording.hooks))]
    for number, (backward, graph) in enumerate(zip(recording.backwards, watched.graphs, strict=True), 1):
        lines = list(_backward(backward, graph))
        if lines:
            blocks.append(
                [f"Backward {number:,}:" if _many(recording) else "Backward:", *(f"  {line}" for line in lines)]
            )
    blocks.append([visible(note, _LONGEST) for note in recording.notes])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _heading(recording: Recording) -> str:
    said = [count(recording.steps, "optimizer step"), count(len(recording.backwards), "backward")]
    return f"Watched {', '.join(said)}."


def _events(recording: Recording) -> Iterator[str]:
    told = [(event.where, tell_event(event, recording.backwards).words) for event in recording.events]
    yield from _placed(told)


def _placed(told: list[tuple[Source | None, str]]) -> Iterator[str]:
    """Lines with their places in front, in one column."""
    places = [visible(str(where), _PLACE) if where else "" for where, _ in told]
    width = max(map(len, places), default=0)
    for place, (_, words) in zip(places, told, strict=True):
        yield f"{place:<{width}}  {visible(words, _LONGEST)}" if width else visible(words, _LONGEST)


def _cuts(recording: Recording) -> Iterator[str]:
    if recording.cuts:
        yield "Cuts:"
    for found in recording.cuts:
        which = f"backward {found.backward + 1:,}: " if found.backward is not None and _many(recording) else ""
        yield f"  {visible(which + cut_in_full(found), _LONGEST)}"


def _many(recording: Recording) -> bool:
    return len(recording.backwards) > 1


def _hooks(records: tuple[HookRecord, ...]) -> Iterator[str]:
    if records:
        yield "Hooks:"
    for hook, registered, fired in records:
        defined = f" ({hook.where})" if hook.where else ""
        where = f", registered at {registered}" if registered else ""
        how_often = f"fired {count(fired, 'time')}" if fired else "never fired"
        words = f"{HOOK_WORDS[hook.kind]} {hook.name}{defined} on {hook.owner or 'the model'}{where}: {how_often}"
        yield f"  {visible(words, _LONGEST)}"


def _backward(backward: Backward, graph: Graph) -> Iterator[str]:
    """What hooks did, and where the gradient turned."""
    names = {leaf.node: leaf.name for leaf in graph.leaves if leaf.name is not None}

    def name(node: str) -> str:
        known = graph[node]
        place = ", ".join(filter(None, (known.module, known.where)))
        return names.get(node) or f"{node} {known.op}" + (f" ({place})" if place else "")

    for effect in backward.effects:
        at = "" if effect.node is None else f"{name(effect.node)}: "
        yield visible(at + hook_effect(effect), _LONGEST)
    for found in backward.turns:
        sizes = f"{figure(found.before)} at {name(found.source)}, {figure(found.after)} at {name(found.target)}"
        yield visible(f"the gradient {turn(found)}: {sizes}", _LONGEST)
    if backward.scale is not None:
        yield scaled(backward.scale)
