"""Watches made by hand, between them all that a recording can say; sizes are those that torch would give."""

from __future__ import annotations

import math
from typing import Any

from gradviz.graph import Graph, Hook
from gradviz.recording import (
    Backward,
    BackwardRan,
    Contribution,
    Cut,
    Event,
    ExceptionRaised,
    ForwardCalled,
    Gradient,
    GradientsClipped,
    GradientsZeroed,
    HookEffect,
    HookRecord,
    Magnitude,
    ObserversLeft,
    OptimizerStepped,
    ParameterUpdate,
    Recording,
    ScalerCalled,
    Source,
    Turn,
    Watched,
)
from tests.view.builders import Builder, blocks, linear, meta

NAN, INF = math.nan, math.inf


def at(line: int, function: str = "step") -> Source:
    return Source("train.py", line, function)


def effect(
    kind: Any, before: float | None, after: float | None, node: str | None = "n2", line: int = 12, **facts: Any
) -> HookEffect:
    """A call of a lambda; it replaced the gradient if that changed."""
    changed = before != after
    known: dict[str, Any] = {"started": 3, "returned_none": not changed, "replaced": changed, "in_place": False}
    known |= {"removed": False, "registered": at(line)} | facts
    sizes = (None if size is None else Magnitude(size) for size in (before, after))
    first, last = ((size,) for size in sizes)
    hook = Hook(kind, "a", "<lambda>", f"train.py:{line}")
    return HookEffect(hook=hook, node=node, before=first, after=last, **known)


def gradient(node: int, norm: float | None, slot: int = 0, **facts: Any) -> Gradient:
    return Gradient(f"n{node}", slot, None if norm is None else Magnitude(norm), **facts)


def backward(graph: Graph, *gradients: Gradient, **facts: Any) -> Backward:
    """One that ran every node, in the order of the graph."""
    order = tuple(node.id for node in sorted(graph, key=lambda node: node.order))
    known: dict[str, Any] = {"kind": "backward", "where": at(31), "nested": False, "create_graph": False}
    known |= {"executed": order, "effects": (), "turns": (), "scale": None, "event": 0} | facts
    return Backward(gradients=gradients, **known)


def cut(*severed: str, **facts: Any) -> Cut:
    known: dict[str, Any] = {"kind": "detach", "operation": "x.detach()", "where": at(42), "opened": None}
    known |= {"backward": 0, "suspected": (), "entered": None, "severed_from": ()}
    return Cut(severed=severed, **known | {"times": 1} | facts)


def watched(graph: Graph, *backwards: Backward, **facts: Any) -> Watched:
    """A watch of these backwards, all of this graph."""
    return Watched((graph,) * len(backwards), Recording(backwards=backwards, **facts))


def classic() -> Watched:
    """``b = a * 2; b.sum().backward()`` for ``a`` of two ones, with hooks of every kind on ``a``; the first is x3."""
    builder = Builder()
    root = builder.op("SumBackward0", slots=(meta(),), where="train.py:18", function="main")
    times = builder.op("MulBackward0", root, slots=(meta(2),), where="train.py:17", function="main")
    builder.leaf("a", times, shape=(2,), parameter=False)
    graph = builder.graph()
    two, six = math.sqrt(8), 3 * math.sqrt(8)
    effects = (
        effect("tensor", two, six, line=12, started=2),
        effect("node_pre", six, six, line=13),
        effect("post_accumulate", six, six / 2, line=14, replaced=False, in_place=True),
        effect("node_post", six, six, line=15),
    )
    hooks = tuple(HookRecord(one.hook, one.registered, 1) for one in effects)
    ran = backward(
        graph, gradient(0, 1.0), gradient(1, math.sqrt(2)), gradient(2, six), effects=effects, where=at(19, "main")
    )
    return watched(graph, ran, events=(BackwardRan(at(19, "main"), 0, "backward", 0),), hooks=hooks)


def troubled() -> Watched:
    """Two layers and a head that a detach severs: a zero, a NaN, nothing, contributions, turns, AMP, an exception."""
    builder = Builder()
    builder.classes |= {"": "Net", "head": "Linear"}
    loss = builder.op("MeanBackward0", slots=(meta(),), where="train.py:30", function="step")
    add = builder.op("AddBackward0", loss, slots=(meta(2, 3), meta(2)), where="train.py:29", function="Net.forward")
    relu = builder.op("ReluBackward0", add, module="body", where="net.py:9", function="Net.forward")
    log = builder.op("LogBackward0", add, slots=(meta(2, 3),), where="net.py:10", function="Net.forward")
    fc = linear(builder, "body.fc", relu)  # n4 addmm, n5 bias, n6 t, n7 weight
    builder.op("SplitBackward0", fc, log, slots=(meta(1), meta(1)))  # n8
    builder.leaf("x", 8, parameter=False)  # n9
    builder.op("ExpBackward0", 8)  # n10, which does not run
    builder.leaf("head.weight")
    builder.leaf("head.bias")
    graph = builder.graph()
    added = (Contribution("n4", 2, Magnitude(3.0)), Contribution("n3", 0, Magnitude(4.0)))
    gradients = (
        gradient(0, 1.0),
        gradient(1, 0.408, contributions=()),
        gradient(1, None, 1),
        gradient(2, 0.408),
        Gradient("n3", 0, Magnitude(NAN, INF, 0.25, 2)),
        gradient(4, 0.0),
        gradient(5, 0.0),
        gradient(6, 1.2e-5),
        gradient(7, 1234.5),
        gradient(8, 5.0, contributions=added),
        gradient(8, None, 1),
        gradient(9, None),
    )
    executed = tuple(f"n{number}" for number in (0, 1, 3, 2, 4, 5, 6, 7, 8, 9))
    turns = (Turn("nonfinite", "n1", "n3", 0, 0.408, NAN), Turn("zero", "n2", "n4", 0, 0.408, 0.0))
    effects = (
        effect("tensor", 1234.0, None, "n7", line=7, started=7, error="ValueError: no\x1b way", replaced=False),
        effect("module_backward", 0.5, 0.5, None, line=8, started=9, reached=("n4",), in_place=True),
    )
    cuts = (
        cut("head.weight", "head.bias", severed_from=("n1",), times=3),
        cut(operation="no_grad", opened=at(40), where=at(41), entered=at(44), suspected=("head.bias",)),
    )
    ran = backward(
        graph,
        *gradients,
        executed=executed,
        turns=turns,
        effects=effects,
        scale=65536.0,
        event=2,
        error="RuntimeError: bad",
    )
    updates = (
        ParameterUpdate("body.fc.weight", 0.1, 1234.5, 123.45, 2.0, sampled=True),
        ParameterUpdate("body.fc.bias", 0.1, 0.0, 0.0, 0.5, sampled=False),
        ParameterUpdate("head.weight", 0.01, None, None, None, sampled=False),
    )
    events: tuple[Event, ...] = (
        GradientsZeroed(at(27), 0, "optimizer", ("body.fc.weight", "body.fc.bias"), to_none=True),
        ForwardCalled(at(28), 0, "", "Net", training=True, raised=False),
        BackwardRan(at(31), 0, "backward", 0),
        ScalerCalled(at(32), 0, "unscale_", 65536.0, skipped=False),
        GradientsClipped(at(33), 0, "norm", 1.0, 1234.5, ("body.fc.weight", "body.fc.bias")),
        OptimizerStepped(at(34), 0, "optimizer", "SGD", updates),
        ScalerCalled(at(35), 1, "step", 65536.0, skipped=True),
        ExceptionRaised(at(36), 1, "RuntimeError", "bad\x1b[31m", (at(50, "main"), at(36)), ended=True),
        ObserversLeft(None, 1),
    )
    hooks = (HookRecord(effects[0].hook, at(7), 1), HookRecord(Hook("unknown", "", "C++", None), None, 0))
    return watched(graph, ran, events=events, cuts=cuts, hooks=hooks, steps=1, notes=("Threads were not seen.",))


def deep() -> Watched:
    """Twelve equal blocks, folded, with gradients that get smaller from block to block, and one of zero."""
    graph = blocks(12).graph()
    gradients = [gradient(at_, 0.0 if at_ == 40 else 0.9**at_) for at_ in range(len(graph))]
    return watched(graph, backward(graph, *gradients), steps=1)
