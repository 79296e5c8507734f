"""Gathering: one event for all the names that one line tells of in a row, such as a loop over parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from gradviz.recording import Event, Source

if TYPE_CHECKING:
    from gradviz.capture.session import Session

Made: TypeAlias = Callable[[Source | None, int, tuple[str, ...]], Event]  # of the line, the step and the names


class Gathering:
    """Events of one kind.

    Args:
        session: of the watch.
        made: makes the event, when the watch ends.
    """

    def __init__(self, session: Session, made: Made) -> None:
        self._session, self._made = session, made
        self._last: tuple[int, Source | None] = (-1, None)  # position and line of the latest one
        self._names: list[str] = []  # of that one

    def add(self, where: Source | None, name: str) -> None:
        """Another name: it joins the latest event of the watch if that is of this kind and line."""
        session, made = self._session, self._made
        if self._last != (session.latest, where):
            names, step = list[str](), session.step
            self._last = session.add(lambda: made(where, step, tuple(names))), where
            self._names = names
        self._names.append(name)
