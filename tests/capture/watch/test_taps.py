"""Taps: an attribute is replaced once, put back when the last watch leaves, and calls go to their own thread only."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from gradviz.capture.taps import Taps


class _Parent:
    def double(self, x: int) -> int:
        return 2 * x


class _Child(_Parent):
    """Inherits."""


def _plus(added: int) -> Any:
    def around(call: Any, *args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs) + added

    return around


def _here() -> Taps:
    return Taps(threading.get_ident())


def test_a_call_goes_through_all_watches_the_innermost_first() -> None:
    module = SimpleNamespace(double=lambda x: 2 * x)
    original = module.double
    order = []

    def noting(name: str) -> Any:
        def around(call: Any, *args: Any) -> Any:
            order.append(name)
            return call(*args)

        return around

    outer, inner = _here(), _here()
    outer.add(module, "double", noting("outer"))
    once = module.double
    inner.add(module, "double", noting("inner"))
    assert module.double is once
    assert module.double(3) == 6
    assert order == ["inner", "outer"]
    outer.leave()
    assert module.double(3) == 6
    assert order == ["inner", "outer", "inner"]
    inner.leave()
    assert module.double is original


def test_an_inherited_method_is_inherited_again() -> None:
    taps = _here()
    taps.add(_Child, "double", _plus(1))
    assert (_Child().double(3), _Parent().double(3)) == (7, 6)
    taps.leave()
    assert "double" not in vars(_Child)
    assert _Child().double(3) == 6


def test_what_a_closure_holds() -> None:
    def double(x: int) -> int:
        return 2 * x

    def call(x: int) -> int:
        return double(x)

    (cell,) = call.__closure__ or ()
    taps = _here()
    taps.add(cell, "cell_contents", _plus(1))
    assert call(3) == 7
    taps.leave()
    assert call(3) == 6
    assert cell.cell_contents is double


def test_other_threads_go_straight_through_and_are_told() -> None:
    module = SimpleNamespace(double=lambda x: 2 * x)
    results: list[int] = []
    told: list[str] = []
    taps = _here()
    taps.add(module, "double", _plus(1), lambda: told.append("elsewhere"))
    thread = threading.Thread(target=lambda: results.append(module.double(3)))
    thread.start()
    thread.join()
    assert (results, told) == ([6], ["elsewhere"])
    assert module.double(3) == 7
    assert told == ["elsewhere"]
    taps.leave()


def test_a_thread_with_a_watch_of_its_own_is_not_told_of() -> None:
    module = SimpleNamespace(double=lambda x: 2 * x)
    results: list[int] = []
    told: list[str] = []
    taps = _here()
    taps.add(module, "double", _plus(1), lambda: told.append("elsewhere"))

    def own() -> None:
        mine = _here()
        mine.add(module, "double", _plus(10), lambda: told.append("of the thread"))
        results.append(module.double(3))
        mine.leave()

    thread = threading.Thread(target=own)
    thread.start()
    thread.join()
    taps.leave()
    assert (results, told) == ([16], [])


def test_a_replacement_by_somebody_else_stays() -> None:
    def double(x: int) -> int:
        return 2 * x

    module = SimpleNamespace(double=double)
    taps = _here()
    taps.add(module, "double", _plus(1))
    ours = module.double

    def theirs(x: int) -> int:
        return 100 * ours(x)

    module.double = theirs
    taps.leave()
    assert module.double is theirs
    assert theirs(3) == 600


def test_leaving_during_a_call_lets_it_end() -> None:
    module = SimpleNamespace(double=lambda x: 2 * x)
    original = module.double
    taps = _here()

    def around(call: Any, x: int) -> int:
        taps.leave()
        return call(x) + 1

    taps.add(module, "double", around)
    assert module.double(3) == 7
    assert module.double is original


def test_an_attribute_that_is_not_there_is_passed_over() -> None:
    module = SimpleNamespace()
    taps = _here()
    taps.add(module, "double", _plus(1))
    taps.leave()
    assert vars(module) == {}
