"""Backwards: sees every run of the engine as it is called, traces its graph then, and lets observers record it.

torch calls its engine through one function, whichever way the user took (``Tensor.backward``, ``autograd.grad``,
checkpointing, an optimizer's closure; torch 2.10 to 2.14). Rules: the engine gets exactly what it was given, and what
it returns or raises goes on; graphs of equal structure are one Graph; no live node outlives the call; an observer that
was asked before a run is asked after it, whatever happens. Runs that compiled autograd takes over are traced, not
observed: hooks would become part of what it compiles.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch

from gradviz.capture.failures import text
from gradviz.capture.figures import figure
from gradviz.capture.lifetime import secure
from gradviz.capture.likeness import likeness
from gradviz.capture.outputs import find_roots
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.capture.taps import quiet
from gradviz.capture.trace import describe
from gradviz.capture.turns import Turns
from gradviz.capture.walk import Walk, advance, start
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording import Backward, BackwardRan
from gradviz.recording.facts import BackwardKind

_COMPILED = "A backward ran through compiled autograd: what flowed in it was not recorded."


class Backwards:
    """All runs of the engine in one watch.

    Args:
        session: of the watch.
        observers: who records a run, in order.
    """

    def __init__(self, session: Session, observers: Sequence[Observer]) -> None:
        self._session, self._observers = session, observers
        self._told: list[tuple[Graph, Backward] | None] = []  # one for each run that had a graph
        self._graphs: dict[Any, Graph] = {}
        session.taps.around_engine(self._around)

    def told(self) -> list[tuple[Graph, Backward]]:
        """Graph and record of each run that had a graph, in the order in which they began."""
        place = self._session.place
        turns = {id(graph): Turns(graph) for graph in self._graphs.values()}
        return [
            (graph, run._replace(event=place(run.event), turns=turns[id(graph)].find(run.gradients)))
            for graph, run in filter(None, self._told)
        ]

    def _around(self, call: Any, outputs: Any, *args: Any, **kwargs: Any) -> Any:
        run = self._begin(outputs, *args, **kwargs)
        begun: list[Observer] = []
        with self._session.inside_run():
            try:
                self._look(run, begun)
                run.results = call(outputs, *args, **kwargs)
            except BaseException as error:
                run.error = f"{type(error).__name__}: {text(error)}"
                raise
            else:
                return run.results
            finally:
                self._end(run, begun)

    def _begin(
        self,
        outputs: Any,
        _gradients: Any = None,
        _keep_graph: Any = None,
        create_graph: bool = False,
        inputs: Any = (),
        *_: Any,
        accumulate_grad: bool = False,
        **__: Any,
    ) -> Run:
        session = self._session
        where = session.where()
        given = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
        kind: BackwardKind = "backward" if accumulate_grad else "grad"
        run = Run(kind, where, given, inputs or (), nested=session.running > 0, create_graph=bool(create_graph))
        step, place = session.step, run.place
        run.event = session.add(lambda: BackwardRan(where, step, kind, place[0] if place else None))
        return run

    def _look(self, run: Run, begun: list[Observer]) -> None:
        """Trace, and let the observers install themselves."""
        with torch._C.DisableTorchFunction():
            try:
                roots, notes = find_roots(run.outputs[0] if len(run.outputs) == 1 else run.outputs)
            except GradvizError:  # nothing requires grad: the engine will say so itself
                roots, notes = [], []
            if roots:
                run.walk = start([root.node for root in roots])
                advance(run.walk)
                run.graph = self._graph(run.walk, roots, notes)
                run.place.append(len(self._told))
                self._told.append(None)
            if _is_compiled():
                self._session.note(_COMPILED)
                return
            with quiet():
                for observer in self._observers:
                    begun.append(observer)
                    observer.before(run)

    def _graph(self, walk: Walk, roots: Any, notes: list[str]) -> Graph:
        session = self._session
        origins = session.origins.of(walk)
        key = likeness(walk, origins)
        if key not in self._graphs:
            names = session.known.collect(session.frame())
            self._graphs[key] = describe(walk, roots, names, "found", notes, origins, session.origins.classes)
        return self._graphs[key]

    def _end(self, run: Run, begun: list[Observer]) -> None:
        """Take everything away, let go of every node, and write down what was seen."""
        with torch._C.DisableTorchFunction():
            try:
                _ask_after(run, begun)
            finally:
                if run.walk is not None:
                    secure(run.walk)
                run.walk, run.outputs, run.inputs, run.results, run.pre_hooks = None, (), (), (), []
                if run.scale is not None:
                    run.scale = figure(run.scale)
                run.sizes.read(run.scale or 1.0)
                for observer in self._observers:
                    observer.tell_run(run)
                if run.graph is not None:
                    self._told[run.place[0]] = (run.graph, run.told())


def _ask_after(run: Run, begun: list[Observer]) -> None:
    """Ask every observer that was asked before, also when one of them, or a Ctrl-C in it, raises."""
    failed: BaseException | None = None
    for observer in reversed(begun):
        try:
            observer.after(run)
        except BaseException as error:  # noqa: BLE001  # raised below, once nothing is left installed
            failed = failed or error
    if failed is not None:
        raise failed


def _is_compiled() -> bool:
    """Whether compiled autograd takes over the next run (torch 2.10 to 2.14)."""
    module = sys.modules.get("torch._dynamo.compiled_autograd")
    return bool(getattr(module, "compiled_autograd_enabled", False))
