"""Backwards: sees every run of the engine as it is called, traces its graph at that moment and lets observers record it.

torch calls its engine through one function, whichever way the user took (``Tensor.backward``, ``autograd.grad``,
checkpointing, an optimizer's closure; torch 2.10 to 2.14). Rules: the engine gets exactly what it was given, and what
it returns or raises goes on; graphs of equal structure are one Graph; no live node outlives the call.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch

from gradviz.capture.lifetime import secure
from gradviz.capture.likeness import likeness
from gradviz.capture.outputs import find_roots
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.capture.trace import describe
from gradviz.capture.walk import Walk, advance, start
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording import Backward, BackwardRan

_CALLERS = (torch.autograd, torch.autograd.graph)  # both have the function under their own name


class Backwards:
    """All runs of the engine in one watch.

    Args:
        session: of the watch.
        observers: who records a run, in order.
    """

    def __init__(self, session: Session, observers: Sequence[Observer]) -> None:
        self._session, self._observers = session, observers
        self._told: list[tuple[Graph, Backward] | None] = []
        self._graphs: dict[Any, Graph] = {}
        for caller in _CALLERS:
            session.taps.add(caller, "_engine_run_backward", self._around)

    def told(self) -> list[tuple[Graph, Backward]]:
        """Graph and record of each run that had a graph, in the order in which they began."""
        return [pair for pair in self._told if pair is not None]

    def _around(self, call: Any, outputs: Any, *args: Any, **kwargs: Any) -> Any:
        run = self._begin(outputs, *args, **kwargs)
        place = len(self._told)
        self._told.append(None)
        run.event = self._session.add(self._event(run, place))
        with self._session.inside_run():
            self._look(run)
            try:
                run.results = call(outputs, *args, **kwargs)
            except BaseException as error:
                run.error = f"{type(error).__name__}: {error}"
                raise
            finally:
                self._end(run, place)
            return run.results

    def _begin(
        self,
        outputs: Any,
        gradients: Any = None,
        keep_graph: Any = None,
        create_graph: bool = False,
        inputs: Any = (),
        *_: Any,
        accumulate_grad: bool = False,
        **__: Any,
    ) -> Run:
        session = self._session
        where = session.code.source(session.code.frame(sys._getframe(2)))
        given = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
        kind = "backward" if accumulate_grad else "grad"
        return Run(kind, where, given, inputs or (), nested=session.running > 0, create_graph=bool(create_graph))

    def _event(self, run: Run, place: int) -> Any:
        step, kind, where = self._session.step, run.kind, run.where

        def made() -> BackwardRan:
            told = self._told[place]
            before = sum(pair is not None for pair in self._told[:place])
            return BackwardRan(where, step, kind, None if told is None else before)

        return made

    def _look(self, run: Run) -> None:
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
            for observer in self._observers:
                observer.before(run)

    def _graph(self, walk: Walk, roots: Any, notes: list[str]) -> Graph:
        session = self._session
        origins = session.origins.of(walk)
        key = likeness(walk, origins)
        if key not in self._graphs:
            names = session.known.collect(session.code.frame(sys._getframe(1)))
            self._graphs[key] = describe(walk, roots, names, "found", notes, origins)
        return self._graphs[key]

    def _end(self, run: Run, place: int) -> None:
        with torch._C.DisableTorchFunction():
            try:
                for observer in reversed(self._observers):
                    observer.after(run)
            finally:
                if run.walk is not None:
                    secure(run.walk)
                run.walk, run.outputs, run.inputs = None, (), ()
            run.sizes.read()
            for observer in self._observers:
                observer.tell_run(run)
            if run.graph is not None:
                self._told[place] = (run.graph, run.told())
