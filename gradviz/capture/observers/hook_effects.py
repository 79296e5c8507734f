"""Hook effects: what every Python hook did in every call of the engine.

While a run lasts, probes stand in for the user's functions in torch's own dictionaries of hooks.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import torch

from gradviz.capture.calls import next_number
from gradviz.capture.dry_run import hooks_by_dry_run
from gradviz.capture.hook_calls import HookCalls
from gradviz.capture.hooked import Hooked
from gradviz.capture.hooks import Found, find
from gradviz.capture.listening import Listening
from gradviz.capture.probes import Call, Probes, behind
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import DEAD_HOOKS
from gradviz.graph import Hook, HookKind

_DEAD = (
    "A part of the graph is older than the watch: hooks on tensors of it that are gone cannot be seen. "
    f"observe={DEAD_HOOKS!r} finds them, in some seconds per backward; or enter the watch before the forward."
)
_DEAD_FOUND = "Hooks on tensors that were gone before the watch began were found, but what they did was not recorded."
# Hooks that are given what other nodes may have been given too.
_SHARED: tuple[HookKind, ...] = ("tensor", "multi_grad", "node_pre", "module_backward_pre")


class _Observed:
    """One run while it lasts."""

    def __init__(self, calls: HookCalls, observer: HookEffects) -> None:
        self.calls, self.probes = calls, Probes()
        self.listening = Listening(calls, partial(observer.is_running, self))


class HookEffects(Observer):
    """Fills ``Backward.effects``."""

    def enter(self) -> None:
        """Nodes from here on are made during the watch."""
        self._first = next_number()
        self._running: dict[Run, _Observed] = {}
        self._ended: dict[Run, HookCalls] = {}

    def before(self, run: Run) -> None:
        """Let probes stand in for the hooks that this run may call."""
        session = self.session
        observed = self._running[run] = _Observed(HookCalls(run, session.registered), self)
        if run.walk is None or run.graph is None:
            return
        hooked = Hooked(run, session.known, session.registered, self._first)
        places: set[int] = set()
        probed: set[tuple[int, Any]] = set()
        hooks = list(hooked)
        for place, found in hooks:
            spot = id(found.spot.container), found.spot.key
            if spot in probed:  # a multi-grad hook stands on each of its tensors
                continue
            probed.add(spot)
            if found.entry is not None:
                session.registered.found(found.entry.key, found.hook)
            observed.probes.put(found.spot, partial(self._began, observed, found))
            if found.hook.kind in _SHARED:
                places.add(place)
        observed.listening.listen_above(run.walk, places)
        for place, tensor, handle in hooked.retained:
            hook = Hook("retain_grad", run.graph.nodes[place].id, "retain_grad", None)
            session.registered.found(handle, hook)
            observed.listening.wait_for(tensor, hook, handle, place, run.walk.nodes[place])
        if not hooked.complete:
            if session.dead_hooks:
                self._run_dry(run, hooks)
            else:
                session.note(_DEAD)

    def after(self, run: Run) -> None:
        """Put every function back."""
        observed = self._running.pop(run)
        observed.listening.end()
        del observed.listening  # it refers to what it hangs on: in a circle nothing would die at once
        observed.probes.remove()
        self._ended[run] = observed.calls

    def tell_run(self, run: Run) -> None:
        """Write the effects."""
        calls = self._ended.pop(run, None)
        if calls is not None and run.graph is not None:
            run.effects = calls.told()

    def is_running(self, observed: _Observed) -> bool:
        """Whether it is this run that calls: other threads, and runs inside it, may meet the same hooks."""
        task = torch._C._current_graph_task_id()
        if observed.calls.task is None and [observed] == list(self._running.values())[-1:] and self._is_ours():
            observed.calls.task = task
        return observed.calls.task == task

    def _began(self, observed: _Observed, found: Found, arguments: tuple[Any, ...]) -> Call | None:
        return observed.calls.begin(found, arguments) if self.is_running(observed) else None

    def _is_ours(self) -> bool:
        """Whether this is the watched thread, or one of torch's own, in which its devices work."""
        here = threading.get_ident()
        if here == self.session.thread:
            return True
        return all(one.ident != here or isinstance(one, threading._DummyThread) for one in threading.enumerate())

    def _run_dry(self, run: Run, known: list[tuple[int, Found]]) -> None:
        """Find the hooks that are left: those on tensors that are gone."""
        assert run.walk is not None
        assert run.graph is not None
        registered = self.session.registered
        functions = {id(behind(found.spot.read())) for _, found in known}
        try:
            for place, kind, function in hooks_by_dry_run(run.walk, run.outputs):
                for found in find(kind, run.graph.nodes[place].id, {0: function}, self.session.known.path):
                    if id(behind(found.spot.read())) not in functions:
                        registered.found(found.hook, found.hook)
                        registered.fired(found.hook)
                        self.session.note(_DEAD_FOUND)
        except Exception as error:  # noqa: BLE001  # the user's backward is to run, whatever the tracer makes of it
            self.session.note(f"{DEAD_HOOKS!r} could not be looked for: {type(error).__name__}: {error}")
