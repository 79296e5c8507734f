"""Recording and Watched: everything that a watch saw, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording.events import Event
from gradviz.recording.facts import Backward, Cut, HookRecord
from gradviz.recording.telling import tell
from gradviz.wording import count


@dataclass(frozen=True)
class Recording:
    """What happened while a watch observed.

    Args:
        events: the calls that matter to learning, in order.
        backwards: one per run of the engine, in the order in which they began.
        cuts: the operations at which gradient history ended, in forward order.
        hooks: the hooks that were there.
        steps: optimizer steps that were observed.
        notes: what the watch could not see, in sentences.
    """

    events: tuple[Event, ...] = ()
    backwards: tuple[Backward, ...] = ()
    cuts: tuple[Cut, ...] = ()
    hooks: tuple[HookRecord, ...] = ()
    steps: int = 0
    notes: tuple[str, ...] = ()


@dataclass(repr=False)
class Watched:
    """What ``gradviz.watch`` gives: filled when the block ends, also by an exception; plain data from then on.

    Args:
        graphs: one per run of the engine; runs over equal graphs share one Graph.
        recording: what happened; None until the block has ended.
    """

    graphs: tuple[Graph, ...] = ()
    recording: Recording | None = field(default=None)

    @property
    def graph(self) -> Graph:
        """The graph of the last backward that was not nested in another.

        Raises:
            GradvizError: if the block has not ended, or if no backward ran in it.
        """
        if self.recording is None:
            raise GradvizError(
                "There is no graph yet", "a watch is filled when its block ends", "read it after the `with` block"
            )
        for graph, backward in zip(reversed(self.graphs), reversed(self.recording.backwards), strict=True):
            if not backward.nested:
                return graph
        raise GradvizError(
            "There is no graph",
            "neither backward() nor autograd.grad was called in this thread while the watch observed",
            "call loss.backward() inside the block, or trace the loss: gradviz.trace(loss)",
        )

    def __str__(self) -> str:
        """What happened, line by line: events with their places, cuts, hooks and what they did, notes."""
        return tell(self)

    def __repr__(self) -> str:
        if self.recording is None:
            return "<gradviz.Watched: the block has not ended>"
        steps, ran = count(self.recording.steps, "optimizer step"), count(len(self.recording.backwards), "backward")
        return f"<gradviz.Watched: {steps}, {ran}, {count(len(self.recording.events), 'event')}>"
