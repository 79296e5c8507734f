"""What is alive when the interpreter exits: the process must end as if nothing had been traced.

Unprotected these are not fatal on torch 2.13, which leaves graphs alive at exit.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator

import __main__
from tests.capture.deep.places import traced


def at_exit_in_globals() -> None:
    __main__.deep = traced()


def at_exit_in_globals_after_backward() -> None:
    deep = traced("skips")
    deep["loss"].backward()
    __main__.deep = deep


def at_exit_partly_dropped() -> None:
    deep = traced("comb")
    deep.drop("loss")
    __main__.deep = deep


def at_exit_in_a_frame() -> None:
    def generator() -> Iterator[None]:
        deep = traced()
        yield
        deep.check()

    __main__.deep = generator()
    next(__main__.deep)


def at_exit_in_the_frame_of_a_daemon() -> None:
    ready = threading.Event()

    def work() -> None:
        deep = traced()
        ready.set()
        threading.Event().wait()
        deep.check()

    threading.Thread(target=work, daemon=True).start()
    assert ready.wait(60)


def at_exit_in_a_cycle() -> None:
    gc.disable()
    deep = traced("skips")
    deep.own("itself", 0, deep)


def at_exit_by_a_finalizer() -> None:
    """The last object to die at exit lets go of a graph when the modules are already being torn down."""

    class Holder:
        def __init__(self) -> None:
            self.deep = traced()

        def __del__(self) -> None:
            self.deep.owned.clear()

    sys.holder = Holder()  # type: ignore[attr-defined]


EXITS: dict[str, Callable[[], None]] = {
    work.__name__.replace("_", " "): work
    for work in (
        at_exit_in_globals,
        at_exit_in_globals_after_backward,
        at_exit_partly_dropped,
        at_exit_in_a_frame,
        at_exit_in_the_frame_of_a_daemon,
        at_exit_in_a_cycle,
        at_exit_by_a_finalizer,
    )
}
