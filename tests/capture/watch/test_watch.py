"""watch: when it leaves, that nothing of it stays behind whichever way it is left, and that nothing is held."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import FunctionType
from typing import Any

import pytest
import torch
from torch import nn
from torch.amp.grad_scaler import GradScaler
from torch.nn.modules import module as module_hooks
from torch.nn.utils import clip_grad
from torch.optim import optimizer as optimizer_hooks
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

import gradviz
from gradviz.capture import taps
from gradviz.capture.observers import OBSERVERS
from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.errors import GradvizError
from gradviz.recording import ObserversLeft, OptimizerStepped, Watched

_OWNERS = (
    torch,
    torch.Tensor,
    torch.nn.Module,
    torch.optim.Optimizer,
    torch.autograd,
    torch.autograd.Function,
    torch.autograd.graph,
    torch.autograd.profiler.record_function,
    torch.utils.hooks.RemovableHandle,
    GradScaler,
    clip_grad,
    torch._functorch.utils,
    torch.overrides,
)


def _installed() -> dict[str, Any]:
    """Everything of torch's that a watch may touch."""
    found: dict[str, Any] = {"modes": list(_get_current_function_mode_stack()), "taps": dict(taps._taps)}
    for hooks in (module_hooks, optimizer_hooks):
        found |= {name: list(value) for name, value in vars(hooks).items() if name.startswith("_global_") and value}
    for owner in _OWNERS:
        for name, value in vars(owner).items():
            found[f"{owner.__name__}.{name}"] = None if isinstance(value, int) else id(value)  # handles are counted
            cells = value.__closure__ if isinstance(value, FunctionType) else None
            found[f"{owner.__name__}.{name} holds"] = [id(cell.cell_contents) for cell in cells or ()]
    return found


class _Program:
    """A model, an optimizer and steps."""

    def __init__(self) -> None:
        self.model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)

    def step(self) -> torch.Tensor:
        self.optimizer.zero_grad()
        loss = self.model(torch.ones(4, 2)).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def hooks(self) -> list[Any]:
        owners = [*self.model.modules(), *self.model.parameters(), self.optimizer]
        return [
            (name, list(value) if hasattr(value, "__len__") else value)
            for owner in owners
            for name, value in sorted(vars(owner).items())
            if "hook" in name
        ]


def _to_the_end(program: _Program) -> None:
    with gradviz.watch(program.model, program.optimizer):
        program.step()


def _by_steps(program: _Program) -> None:
    with gradviz.watch(program.model, program.optimizer, steps=1):
        program.step()
        assert _get_current_function_mode_stack() == []
        program.step()


def _by_exception(program: _Program) -> None:
    def fail() -> None:
        program.step()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), gradviz.watch(program.model):
        fail()


def _by_interrupt(program: _Program) -> None:
    def interrupt() -> None:
        program.model[0].register_forward_hook(_interrupt)
        program.step()

    with pytest.raises(KeyboardInterrupt), gradviz.watch(program.model):
        interrupt()
    program.model[0]._forward_hooks.clear()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _in_backward(program: _Program) -> None:
    handle = program.model[0].weight.register_hook(_interrupt)
    with pytest.raises(KeyboardInterrupt), gradviz.watch(program.model):
        program.step()
    handle.remove()


def _in_a_generator(program: _Program) -> Iterator[None]:
    with gradviz.watch(program.model, program.optimizer):
        while True:
            program.step()
            yield


def _by_closing(program: _Program) -> None:
    steps = _in_a_generator(program)
    next(steps)
    steps.close()


def _by_closing_elsewhere(program: _Program) -> None:
    steps = _in_a_generator(program)
    next(steps)
    thread = threading.Thread(target=steps.close)
    thread.start()
    thread.join()


def _by_dropping(program: _Program) -> None:
    steps = _in_a_generator(program)
    next(steps)
    del steps


def _nested(program: _Program) -> None:
    with gradviz.watch(program.model, steps=1), gradviz.watch(program.model, steps=None):
        program.step()
        with gradviz.watch():
            program.step()


def _crossed(program: _Program) -> None:
    first, second = ExitStack(), ExitStack()
    first.enter_context(gradviz.watch(program.model))
    second.enter_context(gradviz.watch(program.model))
    program.step()
    first.close()
    program.step()
    second.close()


class _Passing(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def _under_modes(program: _Program) -> None:
    inner = ExitStack()
    with _Passing(), torch.no_grad(), gradviz.watch(program.model), torch.enable_grad():
        inner.enter_context(_Passing())
        program.step()
    inner.close()


def _entering_fails(program: _Program) -> None:
    with pytest.raises(ZeroDivisionError), gradviz.watch(program.model):
        raise AssertionError("it is not entered")


def _leaving_fails(program: _Program) -> None:
    with pytest.raises(LookupError), gradviz.watch(program.model):
        program.step()


WAYS = (
    _to_the_end,
    _by_steps,
    _by_exception,
    _by_interrupt,
    _in_backward,
    _by_closing,
    _by_closing_elsewhere,
    _by_dropping,
    _nested,
    _crossed,
    _under_modes,
    _entering_fails,
    _leaving_fails,
)


class _FailsToEnter(Observer):
    def enter(self) -> None:
        raise ZeroDivisionError


class _FailsToLeave(Observer):
    def leave(self) -> None:
        raise LookupError


@pytest.mark.parametrize("way", WAYS)
def test_nothing_stays_behind(way: Callable[[_Program], None], monkeypatch: pytest.MonkeyPatch) -> None:
    further = {_entering_fails: [_FailsToEnter], _leaving_fails: [_FailsToLeave]}.get(way, [])
    monkeypatch.setattr("gradviz.capture.watch.OBSERVERS", (*OBSERVERS, *further))
    program = _Program()
    program.step()  # torch makes some things when they are used first
    before, hooks = _installed(), program.hooks()
    way(program)
    assert _installed() == before
    assert program.hooks() == hooks


@pytest.mark.parametrize("way", [_to_the_end, _by_steps, _by_exception, _by_closing, _nested])
def test_nothing_is_held(way: Callable[[_Program], None]) -> None:
    gc.collect()
    gc.disable()
    try:
        program = _Program()
        way(program)
        held = [
            weakref.ref(one)
            for one in (program.model, program.optimizer, *program.model.parameters(), *program.optimizer.state.keys())
        ]
        program.optimizer.zero_grad()
        del program
        assert [reference() for reference in held] == [None] * len(held)
    finally:
        gc.enable()


def test_nothing_is_kept_alive_while_it_lasts() -> None:
    model = nn.Linear(2, 2)
    gc.disable()
    try:
        with gradviz.watch(model):
            output = model(torch.ones(1, 2))
            loss = output.sum()
            loss.backward()
            held = [weakref.ref(output), weakref.ref(loss)]
            del output, loss
            assert [reference() for reference in held] == [None, None]
            assert model.weight.grad is not None
            gradient = weakref.ref(model.weight.grad)
            model.weight.grad = None
            assert gradient() is None
    finally:
        gc.enable()


def _left(watched: Watched) -> list[int]:
    assert watched.recording is not None
    return [event.step for event in watched.recording.events if isinstance(event, ObserversLeft)]


def _counted(watched: Watched) -> int:
    assert watched.recording is not None
    return watched.recording.steps


def test_it_leaves_after_three_steps() -> None:
    program = _Program()
    with gradviz.watch(program.model, program.optimizer) as watched:
        for _ in range(5):
            program.step()
    assert (_left(watched), _counted(watched), len(watched.graphs)) == ([3], 3, 3)


def test_it_stays_for_ever() -> None:
    program = _Program()
    with gradviz.watch(program.model, program.optimizer, steps=None) as watched:
        for _ in range(5):
            program.step()
    assert (_left(watched), _counted(watched), len(watched.graphs)) == ([], 5, 5)
    assert len({id(graph) for graph in watched.graphs}) == 1


@pytest.mark.parametrize("given", [True, False])
def test_every_optimizer_makes_its_steps(given: bool) -> None:
    with ExitStack() as stack:
        if not given:
            watched = stack.enter_context(gradviz.watch(steps=1))
        first, second = _Program(), _Program()
        if given:
            watched = stack.enter_context(gradviz.watch(first.optimizer, second.optimizer, steps=1))
        first.step()
        second.step()
        first.step()
    assert (_left(watched), _counted(watched)) == ([2], 2)


def test_an_optimizer_that_never_steps_does_not_keep_it_on() -> None:
    first, second = _Program(), _Program()
    with gradviz.watch(first.optimizer, second.optimizer, steps=2) as watched:
        for _ in range(5):
            first.step()
    assert (_left(watched), _counted(watched)) == ([4], 4)


def test_it_leaves_after_the_backward_in_which_optimizers_step() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    optimizers = {parameter: torch.optim.SGD([parameter], lr=0.1) for parameter in model.parameters()}

    def step(parameter: torch.Tensor) -> None:
        optimizers[parameter].step()  # type: ignore[index]
        parameter.grad = None

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(step)
    before = _installed()
    with gradviz.watch(model, *optimizers.values(), steps=1) as watched:
        for _ in range(2):
            model(torch.ones(1, 2)).sum().backward()
            assert _installed() == before
    assert (_left(watched), _counted(watched)) == ([4], 4)
    assert watched.recording is not None
    steps = [event for event in watched.recording.events if isinstance(event, OptimizerStepped)]
    assert [step.updates[0].name for step in steps] == ["1.bias", "1.weight", "0.bias", "0.weight"]
    assert len(watched.graphs) == 1


def test_a_whole_program() -> None:
    with gradviz.watch(steps=None) as watched:

        class Model(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.weight = nn.Parameter(torch.ones(2))

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return (self.weight * x).sum()

        def train() -> None:
            model = Model()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
            for _ in range(2):
                optimizer.zero_grad()
                model(torch.ones(2)).backward()
                optimizer.step()

        train()
    assert watched.recording is not None
    assert [type(event).__name__ for event in watched.recording.events] == [
        "ParameterRegistered",
        "OptimizerMade",
        *["GradientsZeroed", "ForwardCalled", "BackwardRan", "OptimizerStepped"] * 2,
    ]


# threads


def test_watches_in_several_threads_at_once() -> None:
    barrier = threading.Barrier(2)
    found: dict[int, Watched] = {}

    def work(number: int) -> None:
        program = _Program()
        with gradviz.watch(program.model, program.optimizer, steps=None) as watched:
            barrier.wait()
            for _ in range(number):
                program.step()
            barrier.wait()
        found[number] = watched

    before = _installed()
    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _installed() == before
    for number, watched in found.items():
        assert (_counted(watched), len(watched.graphs)) == (number, number)
        assert watched.recording is not None
        assert watched.recording.notes == ()
        assert len(watched.recording.events) == 4 * number


def test_a_backward_in_another_thread_is_said_not_to_be_recorded() -> None:
    program = _Program()
    with gradviz.watch(program.model, program.optimizer) as watched:
        thread = threading.Thread(target=program.step)
        thread.start()
        thread.join()
    assert watched.recording is not None
    assert watched.recording.events == ()
    assert [note.partition(",")[0] for note in watched.recording.notes] == [
        "A backward ran in a thread that was not watched"
    ]


def test_a_watch_that_is_entered_in_another_thread_watches_that_one() -> None:
    program = _Program()
    watch = gradviz.watch(program.model, program.optimizer)
    found = []

    def work() -> None:
        with watch as watched:
            program.step()
        found.append(watched)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert (_counted(found[0]), found[0].recording.notes) == (1, ())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes begin anew here")
def test_a_process_that_is_forked_off_is_not_watched() -> None:
    program = _Program()
    before = _installed()
    with gradviz.watch(program.model, program.optimizer) as watched:
        context = multiprocessing.get_context("fork")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: of forking with threads
            child = context.Process(target=_check_nothing_is_installed, args=(before,))
            child.start()
        child.join()
        program.step()
    assert child.exitcode == 0
    assert _counted(watched) == 1


def _check_nothing_is_installed(before: dict[str, Any]) -> None:
    assert _installed() == before


def test_the_fast_path_for_inference_is_taken_as_ever() -> None:
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True).eval()
    attention = nn.MultiheadAttention(64, 4, batch_first=True).eval()
    x = torch.randn(2, 5, 64)
    with torch.no_grad():
        expected = layer(x), attention(x, x, x)[0]
        with gradviz.watch(), gradviz.watch():
            found = layer(x), attention(x, x, x)[0]
    assert all(map(torch.equal, found, expected))


# what it gives, and what it refuses


def test_watched_is_plain_data() -> None:
    program = _Program()
    with gradviz.watch(program.model, program.optimizer) as watched:
        program.step()
        with pytest.raises(RuntimeError):
            torch.ones(2) @ torch.ones(3)
    assert pickle.loads(pickle.dumps(watched)) == watched
    assert copy.deepcopy(watched) == watched
    assert hash(watched.recording) == hash(pickle.loads(pickle.dumps(watched.recording)))


def test_the_callers_variables_are_not_held() -> None:
    model, tensor = nn.Linear(2, 2), torch.ones(2)
    with gradviz.watch(model):
        model(tensor)
    held = weakref.ref(tensor)
    del tensor
    assert held() is None


def test_there_is_no_graph_before_the_end() -> None:
    program = _Program()
    with gradviz.watch(program.model) as watched:
        program.step()
        with pytest.raises(GradvizError, match="no graph yet"):
            _ = watched.graph
        assert watched.recording is None
    assert watched.graph is watched.graphs[-1]


def test_there_is_no_graph_without_a_backward() -> None:
    with gradviz.watch() as watched:
        pass
    with pytest.raises(GradvizError, match="no graph"):
        _ = watched.graph


def test_it_is_entered_once() -> None:
    watch = gradviz.watch()
    with watch, pytest.raises(GradvizError, match="entered once"):
        watch.__enter__()
    with pytest.raises(GradvizError, match="entered once"):
        watch.__enter__()
    assert _get_current_function_mode_stack() == []


@pytest.mark.parametrize("steps", [0, -1, 1.0, True, "3"])
def test_odd_numbers_of_steps_are_refused(steps: Any) -> None:
    with pytest.raises(GradvizError, match="not possible"):
        gradviz.watch(steps=steps)


@pytest.mark.parametrize("thing", [nn.Parameter(torch.ones(1)), "model", nn.Linear])
def test_what_can_not_be_watched_is_refused(thing: Any) -> None:
    with pytest.raises(GradvizError, match="Cannot watch"):
        gradviz.watch(thing)


def test_session_counts_only_while_it_is_watched() -> None:
    counted: list[tuple[object, int]] = []
    session = Session.__new__(Session)
    session.step = 0
    session.count = lambda optimizer, steps: counted.append((optimizer, steps))
    session.stepped("one")
    session.stepped("one", skipped=True)
    assert (session.step, counted) == (1, [("one", 1), ("one", 1)])
