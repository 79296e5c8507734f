"""Every kind of event has its words."""

from __future__ import annotations

from typing import get_args

import pytest

from gradviz.recording import Backward, Event, ParameterUpdate, Source, events
from gradviz.recording.narration import tell_event

AT = Source("train.py", 3, "main")
RAN = Backward("backward", AT, False, False, ("n0", "n1"), (), (), (), None, 0)
WEIGHT = ParameterUpdate("w", 0.1, 2.0, 0.2, 4.0, False)
TOLD: list[tuple[Event, tuple[str, str]]] = [
    (events.ForwardCalled(AT, 0, "", "Net", True, False), ("forward", "forward of Net (training)")),
    (events.ForwardCalled(AT, 0, "d", "D", False, True), ("forward", "forward of d: D (evaluation), raised")),
    (events.BackwardRan(AT, 0, "backward", 0), ("backward", "backward 1: 2 nodes ran")),
    (events.BackwardRan(AT, 0, "grad", None), ("backward", "autograd.grad: there was no graph to run")),
    (
        events.BackwardRan(AT, 0, "grad", 1),
        (
            "backward",
            "autograd.grad 2: 1 node ran, inside another backward, keeps a graph of its gradients, loss scaled by 1024,"
            " raised RuntimeError: no",
        ),
    ),
    (
        events.GradientsZeroed(AT, 0, "sgd", ("w", "b"), True),
        ("zero_grad", "gradients of sgd set to None: 2 parameters (w, b)"),
    ),
    (events.GradientsZeroed(AT, 0, "", (), False), ("zero_grad", "gradients filled with zeros: 0 parameters")),
    (events.OptimizerStepped(AT, 0, "sgd", "SGD", ()), ("step", "step of sgd (SGD): 0 parameters")),
    (
        events.OptimizerStepped(AT, 0, "sgd", "SGD", (WEIGHT,)),
        ("step", "step of sgd (SGD): 1 parameter, lr 0.1, largest update 0.2 of 4 (w)"),
    ),
    (
        events.OptimizerStepped(
            AT,
            0,
            "sgd",
            "SGD",
            (
                WEIGHT,
                ParameterUpdate("nan", 0.1, 1.0, float("nan"), 1.0, True),
                ParameterUpdate("b", 0.2, None, 0.0, None, False),
                ParameterUpdate("c", None, None, None, None, False),
            ),
        ),
        (
            "step",
            "step of sgd (SGD): 4 parameters, lr 0.1, lr 0.2, largest update about nan of 1 (nan), smallest 0 (b),"
            " 2 without a gradient",
        ),
    ),
    (events.OptimizerMade(AT, 0, "o", "Adam", ("w",), False), ("optimizer", "Adam o made with 1 parameter (w)")),
    (events.OptimizerMade(AT, 0, "o", "Adam", ("w",), True), ("optimizer", "Adam o got a group of 1 parameter (w)")),
    (
        events.GradientsClipped(AT, 0, "norm", 1.0, 3.14159, ("a", "b", "c", "d")),
        ("clip", "gradients clipped: norm was 3.14, limit 1, 4 parameters (a, b, c and 1 more)"),
    ),
    (
        events.GradientsClipped(AT, 0, "norm", 1.0, 0.5, ("a",)),
        ("clip", "gradients clipped: norm was 0.5, limit 1, nothing to clip, 1 parameter (a)"),
    ),
    (events.GradientsClipped(AT, 0, "value", 0.5, None, ()), ("clip", "gradients clipped: limit 0.5, 0 parameters")),
    (events.ScalerCalled(AT, 0, "scale", 65536.0, False), ("scaler", "scaler.scale, scale 65536")),
    (events.ScalerCalled(AT, 0, "update", None, False), ("scaler", "scaler.update")),
    (
        events.ScalerCalled(AT, 0, "step", 65536.0, True),
        ("scaler", "scaler left the step out: gradients were not finite"),
    ),
    (events.DataReplaced(AT, 0, ("w",)), ("data", ".data set: 1 parameter (w)")),
    (events.RequiresGradChanged(AT, 0, "w", False), ("requires_grad", "requires_grad of w set to False")),
    (events.ParameterRegistered(AT, 0, "", "w", True), ("parameter", "parameter w of the model replaced")),
    (events.ParameterRegistered(AT, 0, "fc", "w", False), ("parameter", "parameter w of fc registered")),
    (events.StateLoaded(AT, 0, ""), ("load", "state of the model loaded")),
    (events.HookRegistered(AT, 0, "node_pre", "a", "f"), ("hook", "pre-hook f registered on a")),
    (
        events.ExceptionRaised(AT, 0, "ValueError", "no", (Source("a.py", 1, "f"), AT), True),
        ("exception", "ValueError: no, which ended the block (through a.py:1, train.py:3)"),
    ),
    (events.ExceptionRaised(AT, 0, "KeyboardInterrupt", "", (), False), ("exception", "KeyboardInterrupt")),
    (events.ObserversLeft(None, 3), ("left", "the observers left after 3 optimizer steps")),
]


@pytest.mark.parametrize(("event", "told"), TOLD, ids=lambda value: type(value).__name__)
def test_an_event_in_words(event: Event, told: tuple[str, str]) -> None:
    nested = RAN._replace(nested=True, create_graph=True, executed=("n0",), scale=1024.0, error="RuntimeError: no")
    assert tell_event(event, (RAN, nested)) == told


def test_no_kind_of_event_is_left_out() -> None:
    assert {type(event) for event, _ in TOLD} == set(get_args(Event))
