"""Exceptions that come in while a deep graph is walked, described, made safe or let go of."""

from __future__ import annotations

import ctypes
import functools
import gc
import itertools
import signal
import sys
import weakref
from collections.abc import Callable
from typing import Any

from gradviz.capture import lifetime, pins, walk
from gradviz.capture.measure import Measure
from gradviz.capture.trace import trace
from tests.capture.deep.graphs import SHAPES, TOP, Deep, check_nothing_left, grow
from tests.capture.deep.interruption import Interruption
from tests.capture.deep.orders import LENGTH


def _small() -> Deep:
    """A graph with skips and two branches, deep by the measure that is set for these tests."""
    gc.disable()
    lifetime._safe_depth = lambda: 3
    deep = Deep()
    middle = grow(deep, deep.leaf, range(1, 4), lambda tensor, _: tensor.sin())
    deep.own("middle", 3, middle)
    above = grow(deep, middle, range(4, 6), lambda tensor, _: tensor + tensor.cos())
    deep.own("loss", TOP, deep.sense((above + middle).sum(), TOP))
    return deep


def anywhere_in_a_trace() -> None:
    """Unsafe is left only what is interrupted at the first moment of ``secure``, or when nothing was walked yet."""
    unsafe = set()
    for count in itertools.count(1):
        deep = _small()
        try:
            with Interruption(count, walk, lifetime, pins) as interruption:
                trace(deep["loss"])
        except KeyboardInterrupt as error:
            if not pins.is_covered(deep["loss"].grad_fn) and _looked_at(error):
                unsafe.add((interruption.where, count))
        if interruption.where is None:
            break
        assert lifetime._unfinished == []
        deep.drop("leaf", "loss", "middle")
        check_nothing_left()
    assert count > 500
    assert [where for where, _ in sorted(unsafe)] == ["secure"]


def _looked_at(error: BaseException) -> int:
    """The number of nodes that the interrupted walk had looked at."""
    traceback = error.__traceback__ and error.__traceback__.tb_next  # not the test: reading its variables keeps them
    while traceback is not None and not isinstance(traceback.tb_frame.f_locals.get("walk"), walk.Walk):
        traceback = traceback.tb_next
    return len(traceback.tb_frame.f_locals["walk"].targets) if traceback else 0


def anywhere_in_a_trace_then_traced_again() -> None:
    for count in itertools.count(1, 3):
        deep = _small()
        try:
            with Interruption(count, walk, lifetime, pins) as interruption:
                trace(deep["loss"])
        except KeyboardInterrupt:
            pass
        trace(deep["middle"])
        trace(deep["loss"])
        assert pins.is_covered(deep["loss"].grad_fn)
        deep.drop("loss", "leaf", "middle")
        check_nothing_left()
        if interruption.where is None:
            break


def anywhere_in_a_drop() -> None:
    """The Ctrl-C reaches the user's code; or, where a callback had not begun, what is left goes with the next trace."""
    reported: list[Any] = []
    sys.unraisablehook = lambda report: reported.append(report.exc_type)
    delivered = 0
    for count in itertools.count(1):
        deep = _small()
        trace(deep["loss"])
        deep.drop("leaf")
        del deep.owned["middle"]
        reported.clear()
        interrupted = False
        try:
            with Interruption(count, pins) as interruption:
                del deep.owned["loss"]
        except KeyboardInterrupt:
            interrupted = True
        if interruption.where is None:
            break
        assert interrupted + len(reported) == 1, (count, interruption.where)
        delivered += interrupted
        if reported:
            assert interruption.where in ("_died", "_count_down") or sys.version_info < (3, 11)
            trace(_small()["loss"])
        deep.check()
        check_nothing_left()
    assert delivered > 80 or sys.version_info < (3, 11)


def twice_while_made_safe() -> None:
    """The nodes are held from then on, until the next trace finishes the work."""
    deep = SHAPES["skips"](LENGTH, False)
    run = lifetime._Covering.run
    lifetime._Covering.run = _interrupt
    try:
        trace(deep["loss"])
    except KeyboardInterrupt:
        lifetime._Covering.run = run
    del deep.leaf
    deep.owned.clear()
    assert all(sensor() is not None for _, sensor in deep.sensors)
    trace(SHAPES["skips"](LENGTH, False)["loss"])
    deep.check()
    check_nothing_left()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def in_a_deep_walk() -> None:
    deep = SHAPES["built-in"](LENGTH, False)
    _interrupt_walk(deep)
    deep.drop("leaf", "loss", "middle")
    check_nothing_left()


def in_walks_one_upon_the_other() -> None:
    """Each alone ends before it is too deep; together they would be."""
    deep = Deep()
    tensor = deep.leaf
    for start in range(1, LENGTH, 1000):
        tensor = grow(deep, tensor, range(start, start + 1000), lambda tensor, _: tensor.sin())
        deep.own("loss", TOP, tensor)
        _interrupt_walk(deep, 9000)  # about 900 nodes
    del tensor
    trace(deep["loss"].sum())
    deep.drop("leaf", "loss")
    check_nothing_left()


def in_a_deep_walk_then_traced_again() -> None:
    deep = SHAPES["comb"](LENGTH, False)
    _interrupt_walk(deep)
    trace([deep["middle"], deep["loss"]])
    deep.drop("leaf", "loss", "middle")
    check_nothing_left()


def _interrupt_walk(deep: Deep, count: int = 4 * LENGTH) -> None:
    try:
        with Interruption(count, walk) as interruption:
            trace(deep["loss"])
    except KeyboardInterrupt:
        assert interruption.where == "advance"
    else:
        raise AssertionError


def in_the_description() -> None:
    """The memory does not suffice for what is known of half of the nodes."""
    deep = SHAPES["built-in"](LENGTH, False)
    described = itertools.count()
    slots = Measure.slots

    def fail(measure: Measure, node: Any) -> Any:
        if next(described) == LENGTH // 2:
            raise MemoryError
        return slots(measure, node)

    Measure.slots = fail  # type: ignore[method-assign]
    try:
        trace(deep["loss"])
    except MemoryError:
        assert next(described) == LENGTH // 2 + 1
    deep.drop("leaf", "loss", "middle")
    check_nothing_left()


def by_ctrl_c_in_a_drop() -> None:
    """It comes when half of the graph is gone. The rest goes too, and then the user is told."""
    deep = SHAPES["skips"](LENGTH, False)
    trace(deep["loss"])
    deep.drop("leaf", "middle")
    kept = _signal_at_death(deep.sensors[5][1](), signal.SIGINT)
    sys.unraisablehook = id
    try:
        del deep.owned["loss"]
        deep.check()
        assert kept() is None
    except KeyboardInterrupt:
        pass
    else:
        assert sys.version_info < (3, 11)
    check_nothing_left()


def by_another_signal_in_a_drop() -> None:
    """What its handler raises is reported, as from any callback; the rest of the graph goes all the same."""

    class TimeIsUpError(Exception):
        pass

    def fail(*_: Any) -> None:
        raise TimeIsUpError

    deep = SHAPES["skips"](LENGTH, False)
    trace(deep["loss"])
    deep.drop("leaf", "middle")
    signal.signal(signal.SIGUSR1, fail)
    kept = _signal_at_death(deep.sensors[5][1](), signal.SIGUSR1)
    reported: list[Any] = []
    sys.unraisablehook = lambda report: reported.append(report.exc_type)
    del deep.owned["loss"]
    deep.check()
    assert (kept(), reported) == (None, [TimeIsUpError])
    check_nothing_left()


def _signal_at_death(thing: Any, number: int) -> Any:
    """A weak reference that has the signal arrive when the thing dies, without running any Python then."""
    arrive = ctypes.pythonapi.PyErr_SetInterruptEx
    arrive.argtypes = [ctypes.c_int, ctypes.py_object]
    return weakref.ref(thing, functools.partial(arrive, number))


INTERRUPTIONS: dict[str, Callable[[], None]] = {
    f"interrupted {work.__name__.replace('_', ' ')}": work
    for work in (
        anywhere_in_a_trace,
        anywhere_in_a_trace_then_traced_again,
        anywhere_in_a_drop,
        twice_while_made_safe,
        in_a_deep_walk,
        in_a_deep_walk_then_traced_again,
        in_walks_one_upon_the_other,
        in_the_description,
        by_ctrl_c_in_a_drop,
        by_another_signal_in_a_drop,
    )
}
