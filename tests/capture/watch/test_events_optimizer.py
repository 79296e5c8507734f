"""Optimizers: what each step did to each parameter, against figures computed by hand; every kind of optimizer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

import gradviz
from gradviz.capture.updates import Update
from gradviz.recording import OptimizerMade, OptimizerStepped, ParameterUpdate, Watched


def _steps(watched: Watched) -> list[OptimizerStepped]:
    assert watched.recording is not None
    return [event for event in watched.recording.events if isinstance(event, OptimizerStepped)]


def _parameter(*values: float, grad: tuple[float, ...] | None = None) -> nn.Parameter:
    parameter = nn.Parameter(torch.tensor(values))
    if grad is not None:
        parameter.grad = torch.tensor(grad)
    return parameter


def test_the_update_of_each_parameter() -> None:
    a, b, c = _parameter(3.0, 4.0, grad=(0.0, 5.0)), _parameter(2.0, grad=(1.0,)), _parameter(1.0)
    optimizer = torch.optim.SGD([{"params": [a]}, {"params": [b, c], "lr": 0.25}], lr=0.5)
    with gradviz.watch(optimizer, names={"a": a, "b": b, "c": c}) as watched:
        optimizer.step()
    (step,) = _steps(watched)
    assert (step.optimizer, step.cls, step.step) == ("optimizer", "SGD", 0)
    assert step.updates == (
        ParameterUpdate("a", 0.5, 5.0, 2.5, 5.0, False),
        ParameterUpdate("b", 0.25, 1.0, 0.25, 2.0, False),
        ParameterUpdate("c", 0.25, None, 0.0, 1.0, False),
    )


def test_a_large_parameter_is_sampled() -> None:
    large = nn.Parameter(torch.full((200, 100), 2.0))
    large.grad = torch.ones(200, 100)
    optimizer = torch.optim.SGD([large], lr=0.5)
    with gradviz.watch(optimizer, names={"large": large}) as watched:
        optimizer.step()
    (update,) = _steps(watched)[0].updates
    assert update.sampled
    assert update.gradient == pytest.approx(math.sqrt(20_000))  # never sampled
    assert update.change == pytest.approx(0.5 * math.sqrt(20_000))
    assert update.size == pytest.approx(2.0 * math.sqrt(20_000))


@pytest.mark.parametrize("layout", ["contiguous", "channels_last", "gaps"])
def test_samples_are_evenly_spread_whatever_the_layout(layout: str) -> None:
    values = torch.randn(64, 32, 3, 4)  # 24,576 elements
    if layout == "channels_last":
        values = values.contiguous(memory_format=torch.channels_last)
    if layout == "gaps":
        values = torch.randn(64, 32, 3, 8)[..., ::2]
    large = nn.Parameter(values)
    large.grad = torch.randn_like(values)
    optimizer = torch.optim.SGD([large], lr=0.5)
    true_size, true_gradient = large.norm().item(), large.grad.norm().item()
    with gradviz.watch(optimizer, names={"large": large}) as watched:
        optimizer.step()
    (update,) = _steps(watched)[0].updates
    assert update.sampled
    assert update.gradient == pytest.approx(true_gradient, rel=1e-5)
    assert update.change == pytest.approx(0.5 * true_gradient, rel=0.05)
    assert update.size == pytest.approx(true_size, rel=0.05)


def test_no_copy_of_a_large_parameter_is_made() -> None:
    large = nn.Parameter(torch.ones(1000, 1000))
    optimizer = torch.optim.SGD([large], lr=0.5)
    update = Update(optimizer, lambda _: "large")
    (before,) = update._before
    assert before.old is not None
    assert before.old.numel() < 5_000
    assert before.old.untyped_storage().nbytes() == 4 * before.old.numel()


def _closure_step(optimizer: torch.optim.Optimizer, parameter: nn.Parameter) -> None:
    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (parameter - 1).square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)


def test_a_closure() -> None:
    parameter = _parameter(3.0)
    optimizer = torch.optim.LBFGS([parameter], lr=0.5, max_iter=1)
    with gradviz.watch(optimizer, names={"parameter": parameter}, steps=1) as watched:
        _closure_step(optimizer, parameter)
    assert watched.recording is not None
    kinds = [type(event).__name__ for event in watched.recording.events]
    assert kinds == ["GradientsZeroed", "BackwardRan", "OptimizerStepped", "ObserversLeft"]
    (update,) = _steps(watched)[0].updates
    assert update.gradient is None  # there was none when the step began
    # the first step of LBFGS: lr * min(1, 1 / |gradient|_1) * gradient, of a gradient of 4
    assert (update.change, update.size) == (0.5, 3.0)
    assert parameter.item() == 2.5


@pytest.mark.parametrize(
    "build",
    [
        lambda parameters: torch.optim.SGD(parameters, lr=0.5, foreach=False),
        lambda parameters: torch.optim.SGD(parameters, lr=0.5, foreach=True),
        lambda parameters: torch.optim.SGD(parameters, lr=0.5, fused=True),
        lambda parameters: torch.optim.SGD(parameters, lr=torch.tensor(0.5)),
        lambda parameters: torch.optim.SGD(parameters, lr=0.5, differentiable=True),
    ],
)
def test_kinds_of_implementation(build: Callable[[Any], torch.optim.Optimizer]) -> None:
    parameter = _parameter(3.0, 4.0, grad=(0.0, 1.0))
    parameter.requires_grad_(False)  # a differentiable optimizer changes it in place
    optimizer = build([parameter])
    with gradviz.watch(optimizer, names={"p": parameter}) as watched:
        optimizer.step()
    assert _steps(watched)[0].updates == (ParameterUpdate("p", 0.5, 1.0, 0.5, 5.0, False),)


def test_a_sparse_gradient() -> None:
    table = nn.Embedding(4, 2, sparse=True)
    with torch.no_grad():
        table.weight.fill_(1.0)
    optimizer = torch.optim.SGD(table.parameters(), lr=0.5)
    with gradviz.watch(table, optimizer) as watched:
        table(torch.tensor([1, 1, 3])).sum().backward()  # 2 at row 1, 1 at row 3
        optimizer.step()
    (update,) = _steps(watched)[0].updates
    assert update.gradient == pytest.approx(math.sqrt(10))
    assert update.change == pytest.approx(0.5 * math.sqrt(10))


def test_what_has_no_values_is_not_measured() -> None:
    parameter = nn.Parameter(torch.ones(2, device="meta"))
    optimizer = torch.optim.SGD([parameter], lr=0.5)
    with gradviz.watch(optimizer, names={"p": parameter}) as watched:
        optimizer.step()
    assert _steps(watched)[0].updates == (ParameterUpdate("p", 0.5, None, None, None, False),)


class _Halving(torch.optim.SGD):
    """Steps as its parent does, twice as far."""

    def step(self, closure: Any = None) -> Any:  # type: ignore[override]
        super().step(closure)
        return super().step(closure)


def test_a_step_that_calls_its_parents_is_one_step() -> None:
    plain = _parameter(1.0)
    torch.optim.SGD([plain], lr=1.0)  # now its own step has hooks, too
    parameter = _parameter(3.0, grad=(1.0,))
    optimizer = _Halving([parameter], lr=0.5)
    with gradviz.watch(optimizer, names={"p": parameter}, steps=2) as watched:
        optimizer.step()
    assert watched.recording is not None
    assert watched.recording.steps == 1
    assert _steps(watched)[0].updates == (ParameterUpdate("p", 0.5, 1.0, 1.0, 3.0, False),)


class _Raising(torch.optim.Optimizer):
    def __init__(self, parameters: Any) -> None:
        super().__init__(parameters, {"lr": 1.0})
        self.raises = True

    def step(self, _: Any = None) -> None:  # type: ignore[override]
        if self.raises:
            raise ValueError("no step")


def test_a_step_that_raises_is_no_step() -> None:
    parameter = _parameter(3.0)
    optimizer = _Raising([parameter])
    with gradviz.watch(optimizer, names={"p": parameter}, steps=2) as watched:
        with pytest.raises(ValueError, match="no step"):
            optimizer.step()
        optimizer.raises = False
        optimizer.step()
    assert watched.recording is not None
    assert watched.recording.steps == 1
    kinds = [(type(event).__name__, event.step) for event in watched.recording.events]
    assert kinds == [("ExceptionRaised", 0), ("OptimizerStepped", 0)]
    assert _steps(watched)[0].updates == (ParameterUpdate("p", 1.0, None, 0.0, 3.0, False),)


class _Outer(torch.optim.Optimizer):
    """An optimizer that lets another one step, from a hook of its own."""

    def __init__(self, inner: torch.optim.Optimizer) -> None:
        super().__init__(inner.param_groups, {})
        self.inner = inner
        self.register_step_post_hook(lambda *_: inner.step())

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """The hook does it."""


def test_an_optimizer_inside_another() -> None:
    parameter = _parameter(3.0, grad=(1.0,))
    inner = torch.optim.SGD([parameter], lr=0.5)
    outer = _Outer(inner)
    with gradviz.watch(inner, outer, names={"p": parameter}, steps=1) as watched:
        outer.step()  # the watch leaves when both have stepped
        outer.step()
    assert watched.recording is not None
    assert [type(event).__name__ for event in watched.recording.events] == [
        "OptimizerStepped",
        "OptimizerStepped",
        "ObserversLeft",
    ]
    assert [(step.optimizer, step.updates[0].change) for step in _steps(watched)] == [("inner", 0.5), ("outer", 0.5)]
    assert parameter.item() == 2.0


class _Foreign:
    """No torch.optim.Optimizer."""

    def __init__(self, parameter: nn.Parameter) -> None:
        self.parameter = parameter

    def step(self) -> None:
        with torch.no_grad():
            self.parameter -= 0.5

    def zero_grad(self) -> None:
        self.parameter.grad = None


def test_an_optimizer_of_another_kind_is_let_be() -> None:
    parameter = _parameter(3.0, grad=(1.0,))
    optimizer = _Foreign(parameter)
    with gradviz.watch(names={"p": parameter}) as watched:
        optimizer.zero_grad()
        optimizer.step()
    assert watched.recording is not None
    assert [(type(event).__name__, event.parameters) for event in watched.recording.events] == [
        ("GradientsZeroed", ("p",))
    ]
    assert parameter.item() == 2.5


def test_a_scheduler_made_inside_or_outside_keeps_nothing() -> None:
    parameter = _parameter(3.0, grad=(1.0,))
    optimizer = torch.optim.SGD([parameter], lr=0.5)
    before = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    with gradviz.watch(optimizer, names={"p": parameter}) as watched:
        after = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        optimizer.step()
        before.step()
        after.step()
        optimizer.step()
    assert [step.updates[0].lr for step in _steps(watched)] == [0.5, 0.125]
    optimizer.step()


def test_construction_and_further_groups() -> None:
    a, b = _parameter(1.0), _parameter(2.0)
    with gradviz.watch(names={"a": a, "b": b}) as watched:
        optimizer = torch.optim.SGD((one for one in [a]), lr=0.5)
        optimizer.add_param_group({"params": [b]})
        with pytest.raises(ValueError, match="empty"):
            torch.optim.SGD([], lr=0.5)
    assert watched.recording is not None
    events = [event for event in watched.recording.events if isinstance(event, OptimizerMade)]
    assert [(event.cls, event.parameters, event.added) for event in events] == [
        ("SGD", ("a",), False),
        ("SGD", ("b",), True),
    ]


def test_what_is_measured_is_unseen_by_the_users_modes() -> None:
    def operations(watched: bool) -> list[str]:
        found: list[str] = []

        class Listing(TorchDispatchMode):
            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                found.append(str(func))
                return func(*args, **(kwargs or {}))

        parameter = _parameter(3.0, 4.0, grad=(3.0, 4.0))
        optimizer = torch.optim.SGD([parameter], lr=0.5, foreach=False)

        def step() -> None:
            with Listing():
                nn.utils.clip_grad_norm_([parameter], 1.0, foreach=False)
                optimizer.step()
                optimizer.zero_grad(set_to_none=False)

        if watched:
            with gradviz.watch(optimizer, names={"p": parameter}):
                step()
        else:
            step()
        return found

    assert operations(watched=True) == operations(watched=False)
