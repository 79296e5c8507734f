"""Sources: the user's line behind every node, from the calls that made it.

What a custom Function makes is told by the one function of torch's that its ``apply`` calls just before (torch 2.10 to
2.14), also where the user kept ``f = Fn.apply``. What the engine makes (``create_graph``) has the line that called it.
"""

from __future__ import annotations

from typing import Any

import torch._functorch.utils

from gradviz.capture.calls import next_number
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session

_MIXED = "A graph was built in several threads: lines and modules of its operations are not known exactly."


class Sources(Observer):
    """Tells the session's origins of lines."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._running: list[int] = []  # number of the first node of each run of the engine

    def enter(self) -> None:
        """Listen to calls that make nodes, and to custom Functions."""
        self.session.origins.begin()
        self.session.calls.made.append(self._made)
        self.session.taps.add(torch._functorch.utils, "unwrap_dead_wrappers", self._around_apply)

    def before(self, run: Run) -> None:  # noqa: ARG002
        """Nodes from here on are made by the engine."""
        self._running.append(next_number())

    def after(self, run: Run) -> None:
        """All that no call inside has told belongs to the call of the engine."""
        if self._running:
            self.session.origins.made(self._running.pop(), next_number(), run.where)

    def tell_run(self, run: Run) -> None:  # noqa: ARG002
        """Say where lines could not be told."""
        if self.session.origins.mixed:
            self.session.note(_MIXED)

    def _made(self, first: int, end: int) -> None:
        self.session.origins.made(first, end, self.session.where())

    def _around_apply(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        self.session.origins.applied(self.session.where())
        return call(*args, **kwargs)
