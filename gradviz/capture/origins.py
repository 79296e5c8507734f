"""Origins: which of the user's lines, and which module, made a node, by its sequence number."""

from __future__ import annotations

from typing import NamedTuple

from gradviz.capture.code import UserCode
from gradviz.capture.walk import Walk
from gradviz.recording import Source


class Origin(NamedTuple):
    """Where a node comes from; None for what was not seen."""

    source: Source | None
    module: str | None


class Origins:
    """Intervals of sequence numbers. (Being written.)"""

    def __init__(self, code: UserCode) -> None:
        self._code = code

    def of(self, walk: Walk) -> list[Origin]:
        """Where each node of a walk comes from."""
        return [Origin(None, None)] * len(walk.nodes)
