"""Outputs in every kind of container, with other things among them."""

from __future__ import annotations

import enum
from collections import OrderedDict, UserDict, deque
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge

from tests.capture.zoo.sample import Builder, Sample, leaf


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Result:
    loss: Any
    parts: list[Any] = field(default_factory=list)
    missing: Any = None


class ModelOutput(OrderedDict[str, Any]):
    """A dataclass that is an ordered dictionary of its fields, as transformers has it."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            if getattr(self, one.name) is not None:
                self[one.name] = getattr(self, one.name)


@dataclass
class CausalOutput(ModelOutput):
    loss: Any = None
    logits: Any = None
    cache: Any = None


class Level(enum.Enum):
    LOW = "low"


def _two() -> tuple[torch.Tensor, torch.Tensor]:
    w = leaf(3)
    return w.exp().sum(), w * 2


def list_of_lists() -> Sample:
    a, b = _two()
    return Sample([[a, None], (b, "text", 3), []], (a, b))


def dict_with_odd_keys() -> Sample:
    a, b = _two()
    c = a * b
    outputs = {"it's": a, 'say "x"\n': {3: b, None: c}, ("a", 1): {Level.LOW: a.exp()}}
    return Sample(outputs, (a, b, c, outputs["a", 1][Level.LOW]))


def dataclass_with_list() -> Sample:
    a, b = _two()
    return Sample(Result(a, [b, {"x": a}]), (a, b, a))


def named_tuple() -> Sample:
    a, b = _two()
    return Sample(Pair(a, Pair(1, b)), (a, b))


def model_output() -> Sample:
    a, b = _two()
    return Sample(CausalOutput(loss=a, logits=b), (a, b))


def one_in_a_set() -> Sample:
    a, _ = _two()
    return Sample({"losses": frozenset({a})}, (a,))


def other_containers() -> Sample:
    a, b = _two()
    largest = b.max(0)  # a tuple of torch's own kind, whose indices are passed by
    return Sample(UserDict({"queue": deque([a, b]), "largest": largest}), (a, b, largest.values))


def mixed_with_edges() -> Sample:
    a, b = _two()
    edge = get_gradient_edge(b)
    return Sample({"edge": edge, "loss": [a]}, (edge, a))


def some_not_differentiable() -> Sample:
    a, b = _two()
    return Sample({"loss": a, "accuracy": torch.tensor(0.5), "model": nn.ReLU(), "kept": b.detach()}, (a,))


BUILDERS: tuple[Builder, ...] = (
    list_of_lists,
    dict_with_odd_keys,
    dataclass_with_list,
    named_tuple,
    model_output,
    one_in_a_set,
    other_containers,
    mixed_with_edges,
    some_not_differentiable,
)
