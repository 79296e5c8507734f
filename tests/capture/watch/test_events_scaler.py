"""GradScaler: its calls, the scale in force in each backward, and steps that it leaves out. On a CPU, scale 8."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.amp.grad_scaler import GradScaler

import gradviz
from gradviz.recording import OptimizerStepped, ScalerCalled, Watched


class _Loop:
    """The loss is p, its gradient 1."""

    def __init__(self, **kwargs: Any) -> None:
        self.parameter = nn.Parameter(torch.tensor([3.0]))
        self.optimizer = torch.optim.SGD([self.parameter], lr=0.5, **kwargs)
        self.scaler = GradScaler("cpu", init_scale=8.0, growth_interval=1)

    def loss(self, value: float = 1.0) -> torch.Tensor:
        return (self.parameter * value).sum()

    def watch(self, **kwargs: Any) -> Any:
        return gradviz.watch(self.optimizer, names={"p": self.parameter}, **kwargs)


def _calls(watched: Watched) -> list[tuple[str, float | None, bool]]:
    assert watched.recording is not None
    return [
        (event.call, event.scale, event.skipped)
        for event in watched.recording.events
        if isinstance(event, ScalerCalled)
    ]


def _scales(watched: Watched) -> list[float | None]:
    assert watched.recording is not None
    return [backward.scale for backward in watched.recording.backwards]


@pytest.mark.parametrize("fused", [False, True])
def test_a_step_and_a_skipped_step(fused: bool) -> None:
    loop = _Loop(fused=fused)
    with loop.watch() as watched:
        for value in (1.0, float("inf")):
            loop.optimizer.zero_grad()
            loop.scaler.scale(loop.loss(value)).backward()
            loop.scaler.step(loop.optimizer)
            loop.scaler.update()
    assert _calls(watched) == [
        ("scale", 8.0, False),
        ("step", 8.0, False),
        ("update", 16.0, False),
        ("scale", 16.0, False),
        ("step", 16.0, True),
        ("update", 8.0, False),
    ]
    assert _scales(watched) == [8.0, 16.0]
    assert watched.recording is not None
    steps = [event for event in watched.recording.events if isinstance(event, OptimizerStepped)]
    assert steps[0].updates[0][2:] == (1.0, 0.5, 3.0, False)  # unscaled, also where the optimizer does that itself
    assert len(steps) == (2 if fused else 1)  # a fused optimizer is called, and does nothing
    assert loop.parameter.item() == 2.5


def test_unscale_by_the_user_is_told_and_by_step_is_not() -> None:
    loop = _Loop()
    with loop.watch() as watched:
        loop.scaler.scale(loop.loss()).backward()
        loop.scaler.unscale_(loop.optimizer)
        loop.scaler.step(loop.optimizer)
    assert [call for call, _, _ in _calls(watched)] == ["scale", "unscale_", "step"]


def test_skipped_steps_end_a_watch_too() -> None:
    loop = _Loop()
    with loop.watch(steps=2) as watched:
        for _ in range(3):
            loop.scaler.scale(loop.loss(float("nan"))).backward()
            loop.scaler.step(loop.optimizer)
            loop.scaler.update()
    assert watched.recording is not None
    assert watched.recording.steps == 0
    kinds = [type(event).__name__ for event in watched.recording.events]
    assert kinds == [
        *["ScalerCalled", "BackwardRan", "ScalerCalled", "ScalerCalled"],
        *["ScalerCalled", "BackwardRan", "ScalerCalled", "ObserversLeft"],
    ]
    assert [skipped for _, _, skipped in _calls(watched)] == [False, True, False, False, True]


def test_the_scale_of_a_loss_that_is_changed_afterwards() -> None:
    loop = _Loop()
    with loop.watch() as watched:
        (loop.scaler.scale(loop.loss()) / 4).backward()
        (loop.scaler.scale(loop.loss()) + loop.scaler.scale(loop.loss())).backward()
        torch.autograd.backward(loop.scaler.scale([loop.loss(), loop.loss()]))
        torch.autograd.grad(loop.scaler.scale(loop.loss()), [loop.parameter])
        loop.loss().backward()
    assert _scales(watched) == [8.0, 8.0, 8.0, 8.0, None]


def test_a_loss_that_is_scaled_in_part_only() -> None:
    loop = _Loop()
    with loop.watch() as watched:
        (loop.scaler.scale(loop.loss()) + loop.loss()).backward()
    assert _scales(watched) == [None]
    assert watched.recording is not None
    assert any("only some" in note for note in watched.recording.notes)


def test_a_backward_inside_a_scaled_one_has_its_scale() -> None:
    loop = _Loop()

    def inner(_: torch.Tensor) -> None:
        with torch.enable_grad():
            torch.autograd.grad(loop.loss(), [loop.parameter])

    with loop.watch() as watched:
        loss = loop.loss()
        loss.register_hook(inner)
        loop.scaler.scale(loss).backward()
    assert _scales(watched) == [8.0, 8.0]


def test_a_new_scale_is_told_by_the_update() -> None:
    loop = _Loop()
    with loop.watch() as watched:
        loop.scaler.scale(loop.loss()).backward()
        loop.scaler.step(loop.optimizer)
        loop.scaler.update(2.0)
        loop.scaler.scale(loop.loss()).backward()
    assert _calls(watched)[2:] == [("update", 2.0, False), ("scale", 2.0, False)]
    assert _scales(watched) == [8.0, 2.0]


def test_a_disabled_scaler_is_not_told() -> None:
    loop = _Loop()
    loop.scaler = GradScaler("cpu", enabled=False)
    with loop.watch() as watched:
        loop.scaler.scale(loop.loss()).backward()
        loop.scaler.step(loop.optimizer)
        loop.scaler.update()
    assert _calls(watched) == []
    assert watched.recording is not None
    assert watched.recording.steps == 1


def test_a_step_that_raises() -> None:
    loop = _Loop()
    with loop.watch() as watched:
        with pytest.raises(AssertionError):
            loop.scaler.step(loop.optimizer)
        loop.scaler.scale(loop.loss()).backward()
        loop.scaler.step(loop.optimizer)
        with pytest.raises(RuntimeError):
            loop.scaler.step(loop.optimizer)
    assert [call for call, _, _ in _calls(watched)] == ["scale", "step"]
    assert watched.recording is not None
    names = [type(event).__name__ for event in watched.recording.events]
    assert (names[0], names[-1]) == ("ExceptionRaised", "ExceptionRaised")
    assert watched.recording.events[watched.recording.backwards[0].event].where == watched.recording.backwards[0].where
