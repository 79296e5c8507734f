"""Exceptions: the one that ends the block, those that are caught inside, and that none of them is held."""

from __future__ import annotations

import gc
import inspect
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import gradviz
from gradviz.recording import ExceptionRaised, Watched


def _raised(watched: Watched) -> list[ExceptionRaised]:
    assert watched.recording is not None
    return [event for event in watched.recording.events if isinstance(event, ExceptionRaised)]


def _mismatch() -> None:
    torch.ones(2) @ torch.ones(3)


def _first_line(function: Callable[..., Any]) -> int:
    return inspect.getsourcelines(function)[1] + 1


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_the_one_that_ends_the_block_is_the_last_event(kind: type[BaseException]) -> None:
    def fail() -> None:
        raise kind("enough")

    with pytest.raises(kind), gradviz.watch() as watched:
        fail()
    assert watched.recording is not None
    last = watched.recording.events[-1]
    assert isinstance(last, ExceptionRaised)
    assert (last.type, last.message, last.ended) == (kind.__name__, "enough", True)
    assert last.where == last.frames[-1]
    assert [frame.function.rpartition(".")[2] for frame in last.frames] == [
        "test_the_one_that_ends_the_block_is_the_last_event",
        "fail",
    ]
    assert last.frames[-1].line == _first_line(fail)


def test_one_caught_inside_is_an_event_where_a_call_raised_it() -> None:
    with gradviz.watch() as watched:
        for _ in range(2):
            with pytest.raises(RuntimeError):
                _mismatch()
    first, second = _raised(watched)
    assert first == second  # but for the line, which is the same, nothing tells them apart: each is an event
    assert not first.ended
    assert first.frames[-1].line == _first_line(_mismatch)


def test_one_that_passes_several_calls_is_one_event() -> None:
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(_: Any, x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @staticmethod
        def backward(_: Any, gradient: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
            _mismatch()
            return gradient

    with gradviz.watch() as watched:
        loss = Fails.apply(torch.ones(2, requires_grad=True)).sum()
        with pytest.raises(RuntimeError):
            loss.backward()
    (only,) = _raised(watched)
    assert only.frames[-1].function == "_mismatch"
    assert watched.recording is not None
    assert watched.recording.backwards[0].error is not None


def test_one_that_an_observed_call_raised_and_that_ends_the_block_is_one_event() -> None:
    parameter = nn.Parameter(torch.ones(1))
    parameter.grad = torch.ones(1)

    def fail() -> None:
        try:
            _mismatch()
        finally:
            parameter.grad = None
            (parameter * 2).backward()

    with pytest.raises(RuntimeError), gradviz.watch() as watched:
        fail()
    assert watched.recording is not None
    events = watched.recording.events
    assert [type(event).__name__ for event in events] == ["GradientsZeroed", "BackwardRan", "ExceptionRaised"]
    assert events[-1].ended  # type: ignore[union-attr]
    assert watched.recording.backwards[0].event == 1


def test_an_engine_error_is_an_event_whichever_way_it_is_called() -> None:
    leaf = torch.ones(1, requires_grad=True)
    loss = leaf.square()
    torch.autograd.backward(loss)
    with gradviz.watch() as watched:
        for call in (loss.backward, lambda: torch.autograd.backward(loss), lambda: torch.autograd.grad(loss, [leaf])):
            with pytest.raises(RuntimeError, match="second time"):
                call()
    assert [event.type for event in _raised(watched)] == ["RuntimeError"] * 3


class _Fails(nn.Module):
    def forward(self, _: torch.Tensor) -> torch.Tensor:
        raise LookupError("in forward")


def test_one_that_leaves_a_module_is_an_event() -> None:
    model = _Fails()
    with gradviz.watch(model) as watched, pytest.raises(LookupError):
        model(torch.ones(1))
    (only,) = _raised(watched)
    assert (only.type, only.message, only.frames[-1].function) == ("LookupError", "in forward", "_Fails.forward")


def test_torchs_own_signals_are_none() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
    with gradviz.watch(model) as watched:
        checkpoint(model, torch.ones(1, 2), use_reentrant=False).sum().backward()
    assert _raised(watched) == []


def test_one_whose_text_fails() -> None:
    class Odd(Exception):  # noqa: N818
        def __str__(self) -> str:
            raise ValueError("no text")

    with pytest.raises(Odd), gradviz.watch() as watched:
        raise Odd
    assert (_raised(watched)[0].type, _raised(watched)[0].message) == ("Odd", "")


def test_nothing_holds_an_exception_or_its_frames() -> None:
    class Marked(Exception):  # noqa: N818
        pass

    def fail(_: torch.Tensor) -> torch.Tensor:
        raise Marked

    def run() -> tuple[Watched, list[weakref.ref[Any]]]:
        found = []
        leaf = torch.ones(1, requires_grad=True)
        loss = leaf * 2
        loss.register_hook(fail)
        with gradviz.watch() as watched:
            try:
                loss.backward()
            except Marked as error:
                found.append(weakref.ref(error))
            assert found[0]() is None  # at once, while the watch goes on
        found += [weakref.ref(leaf), weakref.ref(loss)]
        return watched, found

    gc.disable()
    try:
        watched, found = run()
        assert [reference() for reference in found] == [None, None, None]
    finally:
        gc.enable()
    assert [event.type for event in _raised(watched)] == ["Marked"]


def test_a_generator_that_is_closed_ends_its_watch() -> None:
    watches = []

    def steps() -> Iterator[None]:
        with gradviz.watch() as watched:
            watches.append(watched)
            yield

    running = steps()
    next(running)
    running.close()
    assert [(event.type, event.ended) for event in _raised(watches[0])] == [("GeneratorExit", True)]
