"""Optimizers: their construction, their parameter groups, and what each step did to each parameter.

torch runs every step of an ``Optimizer`` inside a ``record_function`` of its own, whose exit is seen here: it comes
after all hooks, and also when the step raises (torch 2.10 to 2.14). A class that overrides ``step`` and calls its
parent's is one step. What is no ``torch.optim.Optimizer`` is not seen.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import torch
from torch.optim.optimizer import Optimizer, _global_optimizer_post_hooks, register_optimizer_step_pre_hook

from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.capture.unseen import unseen
from gradviz.capture.updates import Update
from gradviz.recording import OptimizerMade, OptimizerStepped, Source


class _Step(NamedTuple):
    """A step that is running; ``update`` is None where it runs inside another one of the same optimizer."""

    optimizer: Optimizer
    where: Source | None
    update: Update | None
    paused: bool  # the function mode


class Optimizers(Observer):
    """Events OptimizerMade and OptimizerStepped; counts steps."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._steps: list[_Step] = []
        self._finished: list[Optimizer] = []  # steps that ended inside another one
        self._making: list[int] = []
        self._called: dict[int, list[str]] = {}  # what optimizers are called; known only after they are made
        self._latest: Update | None = None
        self._handle: Any = None

    def enter(self) -> None:
        """Hook into all steps, constructors and ``add_param_group``."""
        taps = self.session.taps
        self._handle = register_optimizer_step_pre_hook(self._begin)
        taps.add(torch.autograd.profiler.record_function, "__exit__", self._around_exit)
        taps.add(Optimizer, "__init__", self._around_init)
        taps.add(Optimizer, "add_param_group", self._around_group)

    def leave(self) -> None:
        """Take the hook away; a step that is still running is not recorded."""
        if self._handle is not None:
            self._handle.remove()
        self._steps, self._finished = [], []

    def _begin(self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        session = self.session
        if threading.get_ident() != session.thread:
            return
        with unseen():
            update = None
            if not any(step.optimizer is optimizer for step in self._steps):
                caller = session.frame()
                self._meet(optimizer)
                update = Update(optimizer, lambda parameter: session.known.name(parameter, caller))
        paused = not kwargs and args[1:] in ((), (None,)) and _is_torchs_own(optimizer) and session.calls.pause()
        self._steps.append(_Step(optimizer, session.where(), update, paused))

    def _around_exit(self, call: Any, record: Any, *error: Any) -> Any:
        result = call(record, *error)
        if self._steps and record.name == f"Optimizer.step#{type(self._steps[-1].optimizer).__name__}.step":
            self._end(self._steps.pop(), raised=error[0] is not None)
        return result

    def _end(self, step: _Step, *, raised: bool) -> None:
        session, update = self.session, step.update
        if step.paused:
            session.calls.resume()
        if update is not None and not raised:
            with unseen():
                update.end()
                if self._latest is not None:  # of the step before: it is over, and read without waiting
                    self._latest.read()
                self._latest = update
            called, cls, number = self._meet(step.optimizer), type(step.optimizer).__name__, session.step
            session.add(lambda: OptimizerStepped(step_where, number, called[0], cls, update.read()))
            step_where = step.where
            self._finished.append(step.optimizer)
        if not self._steps:  # a hook that is being called is not taken away: a watch leaves after the outermost step
            finished, self._finished = self._finished, []
            for optimizer in finished:
                session.stepped(optimizer)

    def _around_init(self, call: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self._making.append(id(optimizer))
        try:
            result = call(optimizer, *args, **kwargs)
        finally:
            self._making.pop()
        self._called.pop(id(optimizer), None)
        self._tell_made(optimizer, optimizer.param_groups, added=False)
        self.session.count(optimizer, 0)
        return result

    def _around_group(self, call: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        result = call(optimizer, *args, **kwargs)
        if id(optimizer) not in self._making:
            self._tell_made(optimizer, optimizer.param_groups[-1:], added=True)
        return result

    def _tell_made(self, optimizer: Optimizer, groups: list[dict[str, Any]], *, added: bool) -> None:
        session = self.session
        caller = session.frame()
        names = tuple(session.known.name(parameter, caller) for group in groups for parameter in group["params"])
        called, cls = self._meet(optimizer), type(optimizer).__name__
        where, number = session.where(), session.step
        session.add(lambda: OptimizerMade(where, number, called[0], cls, names, added))

    def _meet(self, optimizer: Optimizer) -> list[str]:
        """What it is called, in a list: a better name may turn up later."""
        known, caller = self.session.known, self.session.frame()
        known.meet(optimizer, caller)
        called = self._called.setdefault(id(optimizer), [""])
        called[0] = known.optimizer(optimizer, caller)
        return called


def _is_torchs_own(optimizer: Optimizer) -> bool:
    """Whether nothing of the user's runs inside its step."""
    hooks = optimizer._optimizer_step_pre_hooks, optimizer._optimizer_step_post_hooks, _global_optimizer_post_hooks
    return type(optimizer).__module__.startswith("torch.optim.") and not any(hooks)
