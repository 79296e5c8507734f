"""Run: what is known of one run of the engine while it lasts, and Observer: what fills it.

A Run holds live nodes from just before the engine starts until just after it has ended, and no longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gradviz.capture.magnitudes import Magnitudes
from gradviz.capture.walk import Walk
from gradviz.graph import Graph
from gradviz.recording import Gradient, HookEffect, Source
from gradviz.recording.facts import Backward, BackwardKind

if TYPE_CHECKING:
    from gradviz.capture.session import Session


class Run:
    """One run of the engine, being recorded.

    Args:
        kind: by which call.
        where: the user's line that called it.
        outputs: the tensors and GradientEdges that it starts from.
        inputs: what ``autograd.grad`` or ``backward(inputs=…)`` was asked for; empty otherwise.
        nested: whether it runs inside another run.
        create_graph: whether the gradients get a history.

    Attributes:
        graph: None where nothing could be traced (nothing requires grad: the engine will raise).
        walk: the live nodes; ``graph.nodes[i]`` describes ``walk.nodes[i]``. None before and after.
        executed: places in the walk, in the order in which the engine started them; filled by the gradients observer.
        pre_hooks: for each node the live dictionary of its own pre-hooks; filled by the gradients observer.
        results: of ``autograd.grad``, while the observers' ``after`` is called.
        sizes: where observers put tensors to be measured. It is read once, between ``after`` and ``tell``.
            All sizes are divided by ``scale`` then.
        scale: what the loss was multiplied by, a number or a tensor of one element.
        place: the position in ``Recording.backwards``; empty until there is a graph.
    """

    def __init__(
        self,
        kind: BackwardKind,
        where: Source | None,
        outputs: tuple[Any, ...],
        inputs: Sequence[Any],
        *,
        nested: bool,
        create_graph: bool,
    ) -> None:
        self.kind, self.where, self.outputs, self.inputs = kind, where, outputs, tuple(inputs)
        self.nested, self.create_graph = nested, create_graph
        self.graph: Graph | None = None
        self.walk: Walk | None = None
        self.executed: list[int] = []
        self.pre_hooks: list[dict[int, Any]] = []
        self.results: tuple[Any, ...] = ()
        self.sizes = Magnitudes()
        self.scale: Any = None
        self.error: str | None = None
        self.event = 0
        self.place: list[int] = []
        self.gradients: tuple[Gradient, ...] = ()
        self.effects: tuple[HookEffect, ...] = ()

    def told(self) -> Backward:
        """The run as plain data, once every observer has told its part."""
        ids = [] if self.graph is None else [node.id for node in self.graph.nodes]
        return Backward(
            self.kind,
            self.where,
            self.nested,
            self.create_graph,
            tuple(ids[place] for place in self.executed),
            self.gradients,
            self.effects,
            (),  # turns are found when the watch has ended
            self.scale,
            self.event,
            self.error,
        )


class Observer:
    """Observes one thing while a watch lasts. Each method does nothing unless an observer says otherwise.

    The order is: ``enter``; for every run of the engine ``before``, ``after``, ``tell_run``; ``leave``; ``tell``. An
    observer that was entered is left, whatever happens, in reverse order; what it installed is gone then. Methods of
    a run are called with torch's function modes off.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    def enter(self) -> None:
        """Install what observes."""

    def before(self, run: Run) -> None:
        """The engine is about to start."""

    def after(self, run: Run) -> None:
        """It has ended, also by an exception: remove what ``before`` installed."""

    def tell_run(self, run: Run) -> None:
        """Write what was observed into the run, as plain data; ``run.sizes`` has been read."""

    def leave(self) -> None:
        """Remove what ``enter`` installed."""

    def tell(self) -> dict[str, Any]:
        """Fields of the Recording that this observer fills, as plain data. Called last, once."""
        return {}
