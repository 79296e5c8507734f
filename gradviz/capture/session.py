"""Session: what the observers of one watch share: its thread, its names, the user's code, the order of events."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

from gradviz.capture.calls import Calls
from gradviz.capture.code import UserCode
from gradviz.capture.failures import Failures
from gradviz.capture.known import Known
from gradviz.capture.module_calls import ModuleCalls
from gradviz.capture.origins import Origins
from gradviz.capture.registered import Registered
from gradviz.capture.taps import Taps
from gradviz.recording import Event, Source

DEAD_HOOKS = "dead hooks"  # in ``observe``
Draft: TypeAlias = Callable[[], Event]  # an event whose figures are still on their device


class Session:
    """One watch while it lasts.

    Attributes:
        thread: identity of the watched thread.
        calls: the function mode; listeners are appended to its lists.
        module_calls: the calls of modules; listeners are appended to its lists.
        taps: replaced attributes of torch.
        known: modules, optimizers and names.
        origins: which line and which module made which nodes.
        registered: hooks that were seen or found.
        observe: patterns of what is to be measured in full.
        dead_hooks: whether hooks of tensors that are gone are to be looked for.
        step: optimizer steps that are finished.
        running: how many runs of the engine have begun and not ended, each inside the one before.
    """

    def __init__(self, code: UserCode, known: Known, observe: Collection[str]) -> None:
        self.thread = threading.get_ident()
        self.code, self.known = code, known
        self.observe = tuple(pattern for pattern in observe if pattern != DEAD_HOOKS)
        self.dead_hooks = DEAD_HOOKS in observe
        self.calls, self.taps, self.origins = Calls(), Taps(self.thread), Origins(code)
        self.module_calls = ModuleCalls()
        self.registered = Registered()
        self.step = 0
        self.running = 0
        self.notes: dict[str, None] = {}
        self._events: list[Event | Draft] = []
        self.count: Callable[[object, int], None] = _nobody_counts
        self._withdrawn: set[int] = set()
        self._failures = Failures(code)
        self._waiting: Callable[[], None] | None = None

    def begin(self, count: Callable[[object, int], None]) -> None:
        """The watch is entered, in this thread. ``count`` is told of each optimizer, and of steps that it has made."""
        self.thread, self.count = threading.get_ident(), count
        self.taps = Taps(self.thread)

    def frame(self) -> FrameType | None:
        """The user's innermost frame."""
        return self.code.frame(sys._getframe(1))

    def where(self) -> Source | None:
        """The user's line that is running."""
        return self.code.source(self.frame())

    def add(self, event: Event | Draft) -> int:
        """Append an event, or a function that makes it when the watch ends. Returns its position."""
        self._events.append(event)
        return len(self._events) - 1

    @property
    def latest(self) -> int:
        """The position of the event that was added last; -1 where there is none."""
        return len(self._events) - 1

    def withdraw(self, position: int) -> None:
        """Take an event out again."""
        self._withdrawn.add(position)

    def raised(self, error: BaseException, *, ended: bool = False) -> None:
        """An observed call raised: an event, unless the same exception has one. It is not held.

        ``ended`` tells that it leaves the block: then its event is the last one.
        """
        told, earlier = self._failures.tell(error, self.step, ended=ended)
        if told is None or (earlier is not None and not ended):
            return
        if earlier is not None:
            self.withdraw(earlier)
        self._failures.keep(told, self.add(told))

    def stepped(self, optimizer: object, *, skipped: bool = False) -> None:
        """An optimizer has stepped, or a GradScaler has left its step out."""
        if not skipped:
            self.step += 1
        self.count(optimizer, 1)

    def when_idle(self, leave: Callable[[], None]) -> None:
        """Call ``leave`` now, or as soon as no backward is running."""
        if self.running:
            self._waiting = leave
        else:
            leave()

    def note(self, sentence: str) -> None:
        """Say what the watch could not see; the same sentence counts once."""
        self.notes[sentence] = None

    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        kept = (event for place, event in enumerate(self._events) if place not in self._withdrawn)
        return tuple(event() if callable(event) else event for event in kept)

    def place(self, position: int) -> int:
        """Where the event that ``add`` gave a position stands in ``events()``."""
        return position - sum(gone < position for gone in self._withdrawn)

    def forget(self) -> None:
        """The watch has told everything: let go of the user's modules, also where an observer lives on in a cycle."""
        self.known, self._events, self.count = Known({}, {}, None), [], _nobody_counts

    @contextmanager
    def inside_run(self) -> Iterator[None]:
        """While the engine runs."""
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            if not self.running and self._waiting is not None:
                waiting, self._waiting = self._waiting, None
                waiting()


def _nobody_counts(optimizer: object, steps: int) -> None:
    """Before the watch is entered."""
