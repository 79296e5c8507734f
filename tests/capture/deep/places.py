"""Where a deep graph can die: in threads, in the collector, after a fork, with a traceback, within another."""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import torch

from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.deep.graphs import SHAPES, TOP, Deep, Double, check_nothing_left, grow
from tests.capture.deep.orders import LENGTH

graphs: list[Graph] = []  # they hold nothing


def traced(shape: str = "built-in") -> Deep:
    deep = SHAPES[shape](LENGTH, False)
    graphs.append(trace(deep["loss"]))
    return deep


def _in_thread(work: Callable[[], None]) -> None:
    """Run to its end; the main thread is blocked meanwhile."""
    failed = threading.Event()

    def guarded() -> None:
        failed.set()
        work()
        failed.clear()

    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    assert not failed.is_set()


def _drop(deep: Deep) -> None:
    deep.drop("leaf", "loss", "middle")
    check_nothing_left()


def in_a_thread() -> None:
    _in_thread(lambda: _drop(traced()))
    check_nothing_left()


def made_in_a_thread_that_has_ended() -> None:
    made: list[Deep] = []
    _in_thread(lambda: made.append(traced()))
    _drop(made.pop())


def dropped_in_a_thread() -> None:
    made = [traced()]
    _in_thread(lambda: _drop(made.pop()))
    check_nothing_left()


def in_its_own_backward() -> None:
    """A hook drops the loss in the middle."""
    deep = traced()
    deep.drop("middle")
    deep["loss"].register_hook(lambda _: deep.owned.clear())
    deep["loss"].backward()
    del deep.leaf
    deep.check()
    check_nothing_left()


def in_a_cycle() -> None:
    deep = traced()
    sensors = deep.sensors
    deep.own("itself", 0, deep)
    del deep
    gc.collect()
    assert [place for place, sensor in sensors if sensor() is not None] == []
    check_nothing_left()


def in_a_cycle_through_a_node() -> None:
    """An intermediate tensor that its own node holds: torch lets the collector find this one."""
    deep = Deep()
    middle = Double.apply(grow(deep, deep.leaf, range(1, LENGTH // 2), lambda tensor, _: tensor.sin()))
    middle.grad_fn.itself = middle
    top = grow(deep, middle, range(LENGTH // 2, LENGTH), lambda tensor, _: tensor.sin())
    deep.own("loss", TOP, deep.sense(top, TOP))
    del top
    deep.own("middle", LENGTH // 2 - 1, None)
    trace(deep["loss"])
    del middle
    deep.drop("loss")
    del deep.leaf, deep.owned["middle"]
    gc.collect()
    deep.check()
    check_nothing_left()


def in_a_forked_child() -> None:
    deep = traced()
    child = os.fork()
    if not child:
        _drop(deep)
        _drop(traced())
        _in_thread(lambda: _drop(traced()))
        return  # and through the shutdown
    _, status = os.waitpid(child, 0)
    assert status == 0
    _drop(deep)


def in_a_traceback() -> None:
    sensors: list[Any] = []

    def fail() -> None:
        deep = traced()
        sensors.extend(deep.sensors)
        raise ValueError

    try:
        fail()
    except ValueError as error:
        caught: ValueError | None = error
    assert caught is not None
    assert all(sensor() is not None for _, sensor in sensors)
    caught = None
    assert all(sensor() is None for _, sensor in sensors)
    check_nothing_left()


def within_each_other() -> None:
    """Each of 1,000 graphs holds the root of the next in its middle: they die while another is being let go of."""
    roots: list[Any] = []
    sensors: list[Any] = []
    for _ in range(1000):
        middle = torch.ones(2, 2, requires_grad=True).sin()
        if roots:
            middle.grad_fn.metadata["holds"] = roots[-1]
        roots.append(middle.sin())
        sensors.append(weakref.ref(roots[-1]))
    deep = SHAPES["built-in"](LENGTH, False)
    deep["middle"].grad_fn.metadata["holds"] = roots[-1]
    trace([deep["loss"], *roots])
    del middle, roots[:]
    deep.drop("leaf", "middle")
    assert all(sensor() is not None for sensor in sensors)
    deep.drop("loss")
    assert all(sensor() is None for sensor in sensors)
    check_nothing_left()


def traced_while_another_dies() -> None:
    """A finalizer of the user's traces and drops another deep graph."""
    deep = traced()
    sensors: list[Any] = []

    def trace_another() -> None:
        sensors.extend(traced("skips").sensors)

    weakref.finalize(deep.sensors[5][1](), trace_another)
    _drop(deep)
    assert len(sensors) == 22
    assert all(sensor() is None for _, sensor in sensors)


def under_a_debugger() -> None:
    """A tracer that reads the variables of every frame holds copies of them (before Python 3.13)."""

    def tracer(frame: Any, *_: Any) -> Any:
        return (frame.f_locals, tracer)[1]

    deep = traced()
    deep.drop("leaf", "middle")
    sys.settrace(tracer)
    del deep.owned["loss"]
    sys.settrace(None)
    deep.check()
    check_nothing_left()


def at_the_recursion_limit() -> None:
    """The callback has no room to run; what has to be let go of is remembered until there is."""
    deep = traced()
    deep.drop("leaf", "middle")
    sys.unraisablehook = id

    def fall(owned: dict[str, Any]) -> None:
        try:
            fall(owned)
        except RecursionError:
            owned.clear()

    fall(deep.owned)
    taken = [torch.ones(2, requires_grad=True).sum() for _ in range(100)]
    nodes = [tensor.grad_fn for tensor in taken]  # one at the address of the dead root: it is not found out by that
    _drop(traced("skips"))
    del nodes
    deep.check()
    check_nothing_left()


def threads_on_one_trunk() -> None:
    """Three threads build on one trunk, trace and drop, again and again, as does the main thread."""
    trunk = traced()

    def work() -> None:
        for turn in range(2):
            above = trunk["middle"]
            for _ in range(700):
                above = above.sin()
            middle_above = above
            for _ in range(700):
                above = above.cos()
            graph = trace([above.sum(), middle_above] if turn % 2 else above.sum())
            assert len(graph.nodes) > LENGTH // 2 + 1400
            del above, middle_above

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    _drop(trunk)


PLACES: dict[str, Callable[[], None]] = {
    work.__name__.replace("_", " "): work
    for work in (
        in_a_thread,
        made_in_a_thread_that_has_ended,
        dropped_in_a_thread,
        in_its_own_backward,
        in_a_cycle,
        in_a_cycle_through_a_node,
        in_a_forked_child,
        in_a_traceback,
        within_each_other,
        traced_while_another_dies,
        under_a_debugger,
        at_the_recursion_limit,
        threads_on_one_trunk,
    )
}
