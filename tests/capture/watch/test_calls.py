"""Calls: what the function mode sees, in which order it tells, and how it leaves the stack of modes."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

from gradviz.capture.calls import Calls, next_number
from gradviz.capture.taps import Taps


@pytest.fixture
def calls() -> Any:
    calls, taps = Calls(), Taps(threading.get_ident())
    taps.add(torch.autograd, "_engine_run_backward", calls.around_engine)
    yield calls
    taps.leave()
    calls.leave()
    assert _get_current_function_mode_stack() == []


def _nothing() -> None:
    """Python's main thread does what waits for it when a function begins."""


class _Passing(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def test_who_is_told_in_which_order(calls: Calls) -> None:
    told: list[tuple[Any, ...]] = []
    calls.before[torch.add] = [lambda args, kwargs: told.append(("before", len(args), dict(kwargs)))]
    calls.made.append(lambda first, end: told.append(("made", end - first)))
    calls.returned.append(lambda *call: told.append(("returned", call[-1])))
    calls.particular[torch.add] = [lambda *call: told.append(("particular", call[-1]))]
    calls.enter()
    torch.add(torch.zeros(()), torch.zeros(()), alpha=2)
    leaf = torch.zeros((), requires_grad=True)
    torch.add(leaf, 1)
    calls.leave()
    torch.add(leaf, 1)
    assert [entry for entry in told if entry[0] != "returned"] == [
        ("before", 2, {"alpha": 2}),
        ("particular", False),
        ("before", 2, {}),
        ("made", 1),
        ("particular", True),
    ]


def test_numbers_are_those_of_the_nodes_that_a_call_made(calls: Calls) -> None:
    told = []
    leaf = torch.ones(2, requires_grad=True)
    calls.made.append(lambda first, end: told.append((first, end)))
    calls.enter()
    loss = torch.nn.functional.cross_entropy(leaf, torch.tensor(0))
    calls.leave()
    node = loss.grad_fn
    assert node is not None
    first, end = told[0]
    assert len(told) == 1
    assert first <= node._sequence_nr() < end == next_number()


def test_an_exception_is_told_and_goes_on(calls: Calls) -> None:
    told = []
    calls.raised.append(lambda function, error: told.append((function, type(error))))
    calls.enter()
    with pytest.raises(RuntimeError):
        torch.dot(torch.ones(2), torch.ones(3))
    calls.leave()
    assert told == [(torch.dot, RuntimeError)]


def test_listeners_are_not_seen_themselves(calls: Calls) -> None:
    told = []

    def listen(function: Any, *_: Any) -> None:
        told.append(function)
        torch.zeros(1)

    calls.returned.append(listen)
    calls.enter()
    torch.ones(1)
    calls.leave()
    assert told == [torch.ones]


@pytest.mark.parametrize(
    "run", [torch.Tensor.backward, torch.autograd.backward, lambda loss: torch.autograd.grad(loss, [loss])]
)
def test_what_runs_inside_the_engine_is_seen(calls: Calls, run: Any) -> None:
    told = []
    loss = torch.ones(1, requires_grad=True).mul(2)
    loss.register_hook(lambda gradient: torch.negative(gradient))  # noqa: PLW0108  # seen as it is called in Python
    calls.returned.append(lambda function, *_: told.append(function))
    calls.enter()
    run(loss)
    torch.ones(1)
    calls.leave()
    assert told.count(torch.negative) == 1
    assert told[-1] is torch.ones


def test_it_leaves_from_below_other_modes(calls: Calls) -> None:
    below, above = _Passing(), _Passing()
    with below:
        calls.enter()
        with above:
            calls.leave()
            assert _get_current_function_mode_stack() == [below, above]
        assert _get_current_function_mode_stack() == [below]


def test_two_may_leave_in_any_order(calls: Calls) -> None:
    inner = Calls()
    calls.enter()
    inner.enter()
    calls.leave()
    assert _get_current_function_mode_stack() == [inner]
    inner.leave()


def test_a_pause(calls: Calls) -> None:
    told = []
    calls.returned.append(lambda function, *_: told.append(function))
    assert not calls.pause()  # it has not begun
    calls.enter()
    assert calls.pause()
    torch.ones(1)
    calls.resume()
    torch.zeros(1)
    with _Passing():
        assert not calls.pause()  # it could not return to its place
        torch.full((1,), 1.0)
    assert calls.pause()
    calls.leave()
    calls.resume()
    assert told == [torch.zeros, torch.full]


def test_another_thread_takes_it_off(calls: Calls) -> None:
    told = []
    calls.returned.append(lambda function, *_: told.append(function))
    calls.enter()
    thread = threading.Thread(target=calls.leave)
    thread.start()
    thread.join()
    torch.ones(1)
    assert told == []
    assert _get_current_function_mode_stack() == []


def test_another_thread_takes_it_off_while_a_call_runs(calls: Calls) -> None:
    leaf = torch.ones(1, requires_grad=True)

    def hook(_: torch.Tensor) -> None:
        thread = threading.Thread(target=calls.leave)
        thread.start()
        thread.join()

    leaf.register_hook(hook)
    calls.enter()
    leaf.mul(2).backward()
    _nothing()
    assert _get_current_function_mode_stack() == []
