"""watch: the context manager that enters all observers and always leaves them.

Everything that it installs belongs to the session (mode, taps) or to an observer, and is taken away in reverse order:
when the block ends, when the number of steps is reached, and when entering fails half-way.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeAlias

import torch
from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.backwards import Backwards
from gradviz.capture.code import UserCode
from gradviz.capture.known import Known
from gradviz.capture.names import Named
from gradviz.capture.observers import OBSERVERS
from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.capture.variables import local_items, local_variables
from gradviz.errors import GradvizError
from gradviz.recording import ObserversLeft, Recording, Source, Watched

_ELSEWHERE = (
    "A backward ran in a thread that was not watched, and is not recorded: watch in the thread that calls backward()."
)


Watchable: TypeAlias = Module | Optimizer

_entered: weakref.WeakSet[Watch] = weakref.WeakSet()


class Watch:
    """See ``gradviz.api.watch``; ``caller`` is the frame whose variables name what was given."""

    def __init__(
        self,
        given: Sequence[Watchable],
        *,
        names: Named,
        steps: int | None,
        observe: Collection[str] | str | None,
        user_code: Sequence[str | Path],
        caller: FrameType,
    ) -> None:
        if steps is not None and (type(steps) is not int or steps < 1):
            raise GradvizError(
                f"steps={steps!r:.40} is not possible", "it counts optimizer steps", "pass 1, 2, … or None"
            )
        modules, optimizers = _named(given, caller)
        patterns = [observe] if isinstance(observe, str) else list(observe or ())
        known = Known(modules, optimizers, names)
        known.collect(None)  # names that cannot be read are refused now
        self._session: Session | None = Session(UserCode(user_code), known, patterns)
        self._steps, self._counts = steps, {id(optimizer): 0 for optimizer in optimizers.values()}
        self._entered: list[Observer] = []
        self._observers: list[Observer] = []
        self._left = False
        self._watched = Watched()
        self._backwards: Backwards | None = None

    def __enter__(self) -> Watched:
        session = self._session
        if session is None or self._backwards is not None:
            raise GradvizError("A watch can be entered once", "this one was already", "call gradviz.watch(…) again")
        session.begin(self._count)
        _entered.add(self)
        self._observers = [observer(session) for observer in OBSERVERS]
        try:
            # It comes first, so it is the innermost: around the engine alone.
            session.taps.around_engine(session.calls.around_engine, lambda: session.note(_ELSEWHERE))
            session.taps.add(torch.overrides, "has_torch_function", session.calls.around_question)
            self._backwards = Backwards(session, self._observers)
            session.module_calls.enter()
            for observer in self._observers:
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
        assert session is not None
        assert backwards is not None
        self._leave()
        _entered.discard(self)
        if error is not None:
            session.raised(error, ended=True)
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
        session.forget()
        self._session = None
        self._observers, self._backwards = [], None

    def _count(self, optimizer: object, steps: int) -> None:
        """An optimizer is there, or has stepped.

        Leave when each has made its steps, or one has made twice as many (the others may never step).
        """
        session, counts = self._session, self._counts
        assert session is not None
        counts[id(optimizer)] = counts.get(id(optimizer), 0) + steps
        if not steps or self._steps is None or self._left:
            return
        if min(counts.values()) >= self._steps or max(counts.values()) >= 2 * self._steps:
            self._left = True
            where, step = session.where(), session.step
            session.when_idle(lambda: self._leave_early(session, where, step))

    def _leave_early(self, session: Session, where: Source | None, step: int) -> None:
        if self._session is not None:  # else the block has ended while the backward was running
            self._leave()
            session.add(ObserversLeft(where, step))

    def _leave(self) -> None:
        """Take away everything that was installed, the last first. Whatever fails, the rest is still taken away."""
        session = self._session
        assert session is not None
        session.calls.leave()
        failed: BaseException | None = None
        while self._entered:
            try:
                self._entered.pop().leave()
            except BaseException as error:  # noqa: BLE001  # raised below, once nothing is left installed
                failed = failed or error
        session.module_calls.leave()
        session.taps.leave()
        if failed is not None:
            raise failed


def _fall_silent() -> None:
    """In a process that was forked off (a DataLoader's worker) nothing is watched."""
    for watch in tuple(_entered):
        with suppress(Exception):
            watch._leave()


if hasattr(os, "register_at_fork"):  # not on Windows, where processes begin anew
    os.register_at_fork(after_in_child=_fall_silent)


def _named(given: Sequence[Any], caller: FrameType) -> tuple[dict[str, Module], dict[str, Optimizer]]:
    """What was given, by the name of the caller's variable; one module alone needs no name."""
    variables = {id(value): name for name, value in reversed([*local_variables(caller), *local_items(caller)])}
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
        modules = {"": next(iter(modules.values()))}
    return modules, optimizers


def _free(name: str, taken: dict[str, Any]) -> str:
    count = 2
    free = name
    while free in taken:
        free, count = f"{name}_{count}", count + 1
    return free
