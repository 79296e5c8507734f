"""Session: what the observers of one watch share: its thread, its names, the user's code, the order of events."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from gradviz.capture.calls import Calls
from gradviz.capture.code import UserCode
from gradviz.capture.known import Known
from gradviz.capture.origins import Origins
from gradviz.capture.taps import Taps
from gradviz.recording import Event, Source

Draft: TypeAlias = Callable[[], Event]  # an event whose figures are still on their device


class Session:
    """One watch while it lasts.

    Attributes:
        thread: identity of the watched thread.
        calls: the function mode; listeners are appended to its lists.
        taps: replaced attributes of torch.
        known: modules, optimizers and names.
        origins: which line and which module made which nodes.
        observe: patterns of what is to be measured in full.
        step: optimizer steps that are finished.
        running: runs of the engine that have begun and not ended, the innermost last.
    """

    def __init__(self, code: UserCode, known: Known, observe: Collection[str]) -> None:
        self.thread = threading.get_ident()
        self.code, self.known, self.observe = code, known, tuple(observe)
        self.calls, self.taps, self.origins = Calls(), Taps(self.thread), Origins(code)
        self.step = 0
        self.running = 0
        self.notes: dict[str, None] = {}
        self._events: list[Event | Draft] = []
        self.stepped: Callable[[object], None] = lambda optimizer: None  # set by the watch, which counts steps

    def where(self) -> Source | None:
        """The user's line that is running."""
        return self.code.source(self.code.frame(sys._getframe(1)))

    def add(self, event: Event | Draft) -> int:
        """Append an event, or a function that makes it when the watch ends. Returns its position."""
        self._events.append(event)
        return len(self._events) - 1

    def withdraw(self, position: int) -> None:
        """Take an event out again that was the last one."""
        del self._events[position:]

    def note(self, sentence: str) -> None:
        """Say what the watch could not see; the same sentence counts once."""
        self.notes[sentence] = None

    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        return tuple(event() if callable(event) else event for event in self._events)

    @contextmanager
    def inside_run(self) -> Iterator[bool]:
        """While the engine runs; tells whether it already did."""
        self.running += 1
        try:
            yield self.running > 1
        finally:
            self.running -= 1
