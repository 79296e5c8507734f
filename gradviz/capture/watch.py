"""watch: the context manager that enters all observers and always leaves them.

Everything that it installs belongs to the session (mode, taps) or to an observer, and is taken away in reverse order:
when the block ends, when the number of steps is reached, and when entering fails half-way.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.backwards import Backwards
from gradviz.capture.code import UserCode
from gradviz.capture.known import Known
from gradviz.capture.names import Named
from gradviz.capture.observers import OBSERVERS
from gradviz.capture.session import Session
from gradviz.capture.variables import local_variables
from gradviz.errors import GradvizError
from gradviz.recording import ExceptionRaised, ObserversLeft, Recording, Watched


class Watch:
    """See ``gradviz.api.watch``; ``caller`` is the frame whose variables name what was given."""

    def __init__(
        self,
        given: Sequence[Module | Optimizer],
        *,
        names: Named,
        steps: int | None,
        observe: Collection[str] | str | None,
        user_code: Sequence[str | Path],
        caller: FrameType,
    ) -> None:
        if steps is not None and (not isinstance(steps, int) or isinstance(steps, bool) or steps < 1):
            raise GradvizError(
                f"steps={steps!r:.40} is not possible", "it counts optimizer steps", "pass 1, 2, … or None"
            )
        modules, optimizers = _named(given, caller)
        patterns = [observe] if isinstance(observe, str) else list(observe or ())
        known = Known(modules, optimizers, names)
        known.collect(None)  # names that cannot be read are refused now
        self._session: Session | None = Session(UserCode(user_code), known, patterns)
        self._steps, self._counts = steps, dict[int, int]()
        self._entered: list[Any] = []
        self._watched = Watched()
        self._backwards: Backwards | None = None

    def __enter__(self) -> Watched:
        session = self._session
        if session is None or self._backwards is not None:
            raise GradvizError("A watch can be entered once", "this one was already", "call gradviz.watch(…) again")
        session.thread = threading.get_ident()
        session.stepped = self._count
        observers = [observer(session) for observer in OBSERVERS]
        self._observers = observers
        try:
            self._backwards = Backwards(session, observers)
            for observer in observers:
                self._entered.append(observer)
                observer.enter()
            session.calls.enter()
        except BaseException:
            self._leave()
            raise
        return self._watched

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        session, backwards = self._session, self._backwards
        assert session is not None and backwards is not None
        self._leave()
        if error is not None:
            frames = tuple(session.code.frames_of(traceback))
            where = frames[-1] if frames else None
            session.add(ExceptionRaised(where, session.step, type(error).__name__, str(error), frames, True))
        told = backwards.told()
        fields: dict[str, Any] = {}
        for observer in self._observers:
            fields |= observer.tell()
        self._watched.graphs = tuple(graph for graph, _ in told)
        self._watched.recording = Recording(
            events=session.events(),
            backwards=tuple(backward for _, backward in told),
            steps=session.step,
            notes=tuple(session.notes),
            **fields,
        )
        self._session = None
        self._observers, self._backwards = [], None

    def _count(self, optimizer: object) -> None:
        """An optimizer has stepped: leave when each that steps has made its steps, or one has made twice as many."""
        session, counts = self._session, self._counts
        assert session is not None
        session.step += 1
        counts[id(optimizer)] = counts.get(id(optimizer), 0) + 1
        if self._steps is None or not self._entered:
            return
        if min(counts.values()) >= self._steps or max(counts.values()) >= 2 * self._steps:
            session.add(ObserversLeft(session.where(), session.step))
            session.calls.when_idle(self._leave)

    def _leave(self) -> None:
        """Take away everything that was installed, the last first. Whatever fails, the rest is still taken away."""
        session = self._session
        assert session is not None
        if session.calls.on:
            session.calls.leave()
        failed: BaseException | None = None
        while self._entered:
            try:
                self._entered.pop().leave()
            except BaseException as error:  # noqa: BLE001  # raised below, once nothing is left installed
                failed = failed or error
        session.taps.leave()
        if failed is not None:
            raise failed


def _named(given: Sequence[Any], caller: FrameType) -> tuple[dict[str, Module], dict[str, Optimizer]]:
    """What was given, by the name of the caller's variable; one module alone needs no name."""
    variables = {id(value): name for name, value in reversed(_variables(caller))}
    modules: dict[str, Module] = {}
    optimizers: dict[str, Optimizer] = {}
    for thing in given:
        if isinstance(thing, Module):
            name = variables.get(id(thing), type(thing).__name__)
            modules[_free(name, modules)] = thing
        elif isinstance(thing, Optimizer):
            optimizers[_free(variables.get(id(thing), "optimizer"), optimizers)] = thing
        else:
            raise GradvizError(
                f"Cannot watch an object of type {type(thing).__name__}",
                "watch takes modules and optimizers, or nothing at all: then it finds them as they are used",
                "write gradviz.watch(model, optimizer); names of other tensors go into names=",
            )
    if len(modules) == 1:
        modules = {"": module for module in modules.values()}
    return modules, optimizers


def _variables(caller: FrameType) -> list[tuple[str, Any]]:
    return [*local_variables(caller), *caller.f_locals.items()]


def _free(name: str, taken: dict[str, Any]) -> str:
    count = 2
    free = name
    while free in taken:
        free, count = f"{name}_{count}", count + 1
    return free
