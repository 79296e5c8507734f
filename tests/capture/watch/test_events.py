"""Events of a training loop: which, in which order, from which line, with figures computed by hand."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_

import gradviz
from gradviz.recording import (
    DataReplaced,
    Event,
    ForwardCalled,
    GradientsClipped,
    GradientsZeroed,
    ParameterRegistered,
    RequiresGradChanged,
    StateLoaded,
    Watched,
)


def _events(watched: Watched, kind: type[Any] | None = None) -> list[Any]:
    assert watched.recording is not None
    events: tuple[Event, ...] = watched.recording.events
    return [event for event in events if kind is None or isinstance(event, kind)]


def _line() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def _model() -> nn.Module:
    """Its output is 3x: the gradient of the weight is x."""
    model = nn.Linear(2, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(3.0)
    return model


def test_a_step_in_order() -> None:
    model = _model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with gradviz.watch(model, optimizer) as watched:
        first = _line()
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    kinds = [type(event).__name__ for event in _events(watched)]
    assert kinds == ["GradientsZeroed", "ForwardCalled", "BackwardRan", "OptimizerStepped"]
    places = [event.where for event in _events(watched)]
    assert [place.line - first for place in places] == [1, 2, 2, 3]
    assert {place.function for place in places} == {"test_a_step_in_order"}
    assert {place.file.rpartition("/")[2] for place in places} == {"test_events.py"}
    assert [event.step for event in _events(watched)] == [0, 0, 0, 0]
    assert watched.recording is not None
    assert watched.recording.steps == 1


def test_steps_are_counted_in_events() -> None:
    model = _model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with gradviz.watch(model, optimizer) as watched:
        for _ in range(2):
            optimizer.zero_grad()
            optimizer.step()
    assert [(type(event).__name__, event.step) for event in _events(watched)] == [
        ("GradientsZeroed", 0),
        ("OptimizerStepped", 0),
        ("GradientsZeroed", 1),
        ("OptimizerStepped", 1),
    ]


# forward


class _Twice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(self.inner(x))


def test_only_the_outermost_module_is_an_event() -> None:
    model = _Twice().eval()
    with gradviz.watch(model) as watched:
        model(torch.ones(2))
        model.inner(torch.ones(2))
        nn.ReLU()(torch.ones(2))
    told = [(event.module, event.cls, event.training, event.raised) for event in _events(watched, ForwardCalled)]
    assert told == [
        ("", "_Twice", False, False),
        ("inner", "Linear", False, False),
        ("test_only_the_outermost_module_is_an_event()", "ReLU", True, False),
    ]


def test_a_forward_that_raises() -> None:
    model = _Twice()
    with gradviz.watch(model) as watched:
        with pytest.raises(RuntimeError):
            model(torch.ones(3))
        model(torch.ones(2))
    assert [event.raised for event in _events(watched, ForwardCalled)] == [True, False]


def test_a_forward_in_an_except_block_has_not_raised() -> None:
    model = _Twice()
    with gradviz.watch(model) as watched:
        try:
            int("no number")
        except ValueError:
            model(torch.ones(2))
    assert [event.raised for event in _events(watched, ForwardCalled)] == [False]


class _Interrupted(nn.Module):
    def forward(self, error: BaseException | None) -> torch.Tensor:
        if error is not None:
            raise error
        return torch.ones(1, requires_grad=True) * 2


def test_a_forward_after_an_interrupted_one_is_an_event() -> None:
    model = _Interrupted()
    with gradviz.watch(model) as watched:
        with pytest.raises(KeyboardInterrupt):
            model(KeyboardInterrupt())  # torch tells no hook of it
        model(None).backward()
        model(None)
    assert len(_events(watched, ForwardCalled)) == 3


# zero_grad


def test_zero_grad_names_those_that_had_a_gradient() -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model.weight.grad = torch.ones(1, 2)
    with gradviz.watch(model, optimizer) as watched:
        optimizer.zero_grad(set_to_none=False)
        optimizer.zero_grad()
        model.zero_grad()
        model.zero_grad(False)
    told = [(event.owner, event.parameters, event.to_none) for event in _events(watched)]
    assert told == [
        ("optimizer", ("weight",), False),
        ("optimizer", ("weight",), True),
        ("Linear", (), True),
        ("Linear", (), False),
    ]


def test_grad_set_to_none_by_hand_is_one_event_per_line() -> None:
    model = nn.Linear(2, 1)
    model.weight.grad, model.bias.grad = torch.ones(1, 2), torch.ones(1)
    with gradviz.watch(model) as watched:
        for parameter in model.parameters():
            parameter.grad = None
        for parameter in model.parameters():
            parameter.grad = None  # there is none any more
        model.weight.grad = torch.ones(1, 2)
        del model.weight.grad
    assert [(event.owner, event.parameters) for event in _events(watched)] == [
        ("", ("weight", "bias")),
        ("", ("weight",)),
    ]


class _OwnZeroGrad(torch.optim.SGD):
    def zero_grad(self, set_to_none: bool = True) -> None:
        super().zero_grad(set_to_none)


def test_zero_grad_that_calls_its_parents_is_one_event() -> None:
    model = _model()
    model.weight.grad = torch.ones(1, 2)
    optimizer = _OwnZeroGrad(model.parameters(), lr=0.5)
    with gradviz.watch(model, optimizer) as watched:
        optimizer.zero_grad()
    assert _events(watched) == [GradientsZeroed(_events(watched)[0].where, 0, "optimizer", ("weight",), True)]


# clipping


@pytest.mark.parametrize("generator", [False, True])
@pytest.mark.parametrize("foreach", [False, True])
def test_clipping(generator: bool, foreach: bool) -> None:
    model = nn.Linear(2, 1)
    model.weight.grad = torch.tensor([[3.0, 4.0]])

    def parameters() -> Any:
        return model.parameters() if generator else list(model.parameters())

    with gradviz.watch(model) as watched:  # the names were imported before the watch began
        norm = clip_grad_norm_(parameters(), 2.5, foreach=foreach)
        clip_grad_value_(parameters(), 1.75, foreach=foreach)
        clip_grads_with_norm_(parameters(), 1.0, torch.tensor(2.0), foreach=foreach)
    assert [event[2:] for event in _events(watched, GradientsClipped)] == [
        ("norm", 2.5, 5.0, ("weight",)),
        ("value", 1.75, None, ("weight",)),
        ("norm", 1.0, 2.0, ("weight",)),
    ]
    assert norm == 5.0
    torch.testing.assert_close(model.weight.grad, torch.tensor([[0.75, 0.875]]))


# parameters


def test_requires_grad_changes() -> None:
    model = nn.Linear(2, 1)
    with gradviz.watch(model) as watched:
        model.weight.requires_grad_(False)
        model.weight.requires_grad_(requires_grad=False)  # no change
        model.weight.requires_grad = True
        model.requires_grad_(False)
        torch.ones(2).requires_grad_()  # no parameter, and no name
    assert [(event.name, event.value) for event in _events(watched, RequiresGradChanged)] == [
        ("weight", False),
        ("weight", True),
        ("weight", False),
        ("bias", False),
    ]


def test_parameters_registered_and_replaced() -> None:
    model = nn.Linear(2, 1)
    with gradviz.watch(model) as watched:
        model.weight = nn.Parameter(torch.ones(1, 2))
        model.weight = model.weight
        model.register_parameter("scale", nn.Parameter(torch.ones(1)))
    assert [event[2:] for event in _events(watched, ParameterRegistered)] == [
        ("Linear", "weight", True),
        ("Linear", "scale", False),
    ]


def test_data_that_is_replaced() -> None:
    model = nn.Linear(2, 1)
    with gradviz.watch(model) as watched:
        for parameter in model.parameters():
            parameter.data = torch.zeros_like(parameter)
        model.bias.data = torch.ones(1)
    assert [event.parameters for event in _events(watched, DataReplaced)] == [("weight", "bias"), ("bias",)]


def test_states_that_are_loaded() -> None:
    model = _model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with gradviz.watch(model, optimizer) as watched:
        model.load_state_dict(model.state_dict())
        optimizer.load_state_dict(optimizer.state_dict())
        with pytest.raises(RuntimeError):
            model.load_state_dict({})
    assert [event.owner for event in _events(watched, StateLoaded)] == ["Linear", "optimizer"]
    last = _events(watched)[-1]
    assert (last.type, last.ended) == ("RuntimeError", False)
