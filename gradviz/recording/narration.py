"""Every event in words, without its place: one word for what kind it is, and one sentence."""

from __future__ import annotations

from typing import NamedTuple

from gradviz.recording import events
from gradviz.recording.facts import Backward
from gradviz.recording.phrases import HOOK_WORDS
from gradviz.wording import count, exact, figure, several

_FEW = 6  # parameters that are named


class Told(NamedTuple):
    """An event in words. ``kind`` is one of a dozen fixed words."""

    kind: str
    words: str


def tell_event(event: events.Event, backwards: tuple[Backward, ...]) -> Told:
    """An event of a recording that has these backwards."""
    match event:
        case events.ForwardCalled():
            mode = "training" if event.training else "evaluation"
            called = f"{event.module}: {event.cls}" if event.module else event.cls
            return Told("forward", f"forward of {called} ({mode})" + (", raised" if event.raised else ""))
        case events.BackwardRan():
            return Told("backward", _backward(event, backwards))
        case events.GradientsZeroed():
            how = "set to None" if event.to_none else "filled with zeros"
            of = f" of {event.owner}" if event.owner else ""
            return Told("zero_grad", f"gradients{of} {how}: {_parameters(event.parameters)}")
        case events.OptimizerStepped():
            return Told("step", _step(event))
        case events.OptimizerMade():
            what = "got a group of" if event.added else "made with"
            words = f"{event.cls} {event.optimizer} {what} {_parameters(event.parameters)}"
            return Told("optimizer", words)
        case events.GradientsClipped():
            return Told("clip", _clipped(event))
        case events.ScalerCalled():
            return Told("scaler", _scaler(event))
        case events.DataReplaced():
            return Told("data", f".data set: {_parameters(event.parameters)}")
        case events.RequiresGradChanged():
            return Told("requires_grad", f"requires_grad of {event.name} set to {event.value}")
        case events.ParameterRegistered():
            what = "replaced" if event.replaced else "registered"
            return Told("parameter", f"parameter {event.name} of {event.module or 'the model'} {what}")
        case events.StateLoaded():
            return Told("load", f"state of {event.owner or 'the model'} loaded")
        case events.HookRegistered():
            words = HOOK_WORDS.get(event.kind, event.kind)
            return Told("hook", f"{words} {event.name} registered on {event.owner or 'the model'}")
        case events.ExceptionRaised():
            return Told("exception", _raised(event))
        case events.ObserversLeft():
            return Told("left", f"the observers left after {count(event.step, 'optimizer step')}")


def _backward(event: events.BackwardRan, backwards: tuple[Backward, ...]) -> str:
    verb = "backward" if event.kind == "backward" else "autograd.grad"
    if event.backward is None:
        return f"{verb}: there was no graph to run"
    ran = backwards[event.backward]
    said = [f"{verb} {event.backward + 1:,}: {count(len(ran.executed), 'node')} ran"]
    said += ["inside another backward"] if ran.nested else []
    said += ["keeps a graph of its gradients"] if ran.create_graph else []
    said += [f"loss scaled by {exact(ran.scale)}"] if ran.scale is not None else []
    said += [f"raised {ran.error}"] if ran.error is not None else []
    return ", ".join(said)


def _step(event: events.OptimizerStepped) -> str:
    head = f"step of {event.optimizer} ({event.cls}): {count(len(event.updates), 'parameter')}"
    rates = several((f"lr {exact(update.lr)}" for update in event.updates if update.lr is not None), 2)
    known = [(update.change, update) for update in event.updates if update.change is not None]
    said = [head, *filter(None, (rates,))]
    if known:
        largest = max(known, key=lambda one: (one[0] != one[0], one[0]))  # NaN comes first
        smallest = min(known, key=lambda one: (one[0] != one[0], one[0]))
        said.append(f"largest update {_update(largest[1])}")
        said += [f"smallest {_update(smallest[1])}"] if smallest[1] is not largest[1] else []
    without = sum(update.gradient is None for update in event.updates)
    said += [f"{without:,} without a gradient"] if without else []
    return ", ".join(said)


def _update(update: events.ParameterUpdate) -> str:
    about = "about " if update.sampled else ""
    of = "" if update.size is None else f" of {figure(update.size)}"
    assert update.change is not None
    return f"{about}{figure(update.change)}{of} ({update.name})"


def _clipped(event: events.GradientsClipped) -> str:
    before = "" if event.before is None else f"{event.kind} was {figure(event.before)}, "
    acted = event.kind == "norm" and event.before is not None and event.before <= event.limit
    outcome = ", nothing to clip" if acted else ""
    return f"gradients clipped: {before}limit {exact(event.limit)}{outcome}, {_parameters(event.parameters)}"


def _scaler(event: events.ScalerCalled) -> str:
    if event.skipped:
        return "scaler left the step out: gradients were not finite"
    scale = "" if event.scale is None else f", scale {exact(event.scale)}"
    return f"scaler.{event.call}{scale}"


def _raised(event: events.ExceptionRaised) -> str:
    frames = f" (through {', '.join(map(str, event.frames[-_FEW:]))})" if event.frames else ""
    end = ", which ended the block" if event.ended else ""
    return f"{event.type}{f': {event.message}' if event.message else ''}{end}{frames}"


def _parameters(names: tuple[str, ...]) -> str:
    listed = f" ({several(names, 3)})" if names else ""
    return f"{count(len(names), 'parameter')}{listed}"
