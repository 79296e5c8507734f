"""Every case that runs in a process of its own, by name."""

from __future__ import annotations

from collections.abc import Callable

from tests.capture.deep.exits import EXITS
from tests.capture.deep.interruptions import INTERRUPTIONS
from tests.capture.deep.orders import orders
from tests.capture.deep.places import PLACES

CASES: dict[str, Callable[[], None]] = orders() | PLACES | EXITS | INTERRUPTIONS
