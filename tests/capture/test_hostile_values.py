"""Values of the user's that look like something else: on a ctx, among the outputs, in modules and variables."""

from __future__ import annotations

import functools
from collections import UserString
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import nn

from gradviz.capture.trace import trace


class Keeps(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, data: torch.Tensor) -> torch.Tensor:
        ctx.name, ctx._sequence_nr, ctx.register_hook, ctx.register_prehook = "mine", 5, None, None
        return data * 2

    @staticmethod
    def backward(_: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 2


@pytest.mark.parametrize("hooks", ["found", "all"])
def test_what_lies_on_a_ctx_does_not_hide_the_node(hooks: Any) -> None:
    graph = trace(Keeps.apply(torch.ones(2, requires_grad=True)).sum(), hooks=hooks)
    assert [(node.op, node.order) for node in graph] == [
        ("SumBackward0", 0),
        ("KeepsBackward", 1),
        ("AccumulateGrad", 2),
    ]


class Endless(Sequence):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return None


@pytest.mark.parametrize("value", [UserString("ab"), Endless()])
def test_sequences_without_an_end_are_passed_by(value: Any) -> None:
    loss = torch.ones(2, requires_grad=True).sum()
    assert [root.access for root in trace({"name": value, "loss": loss}).roots] == [("", "['loss']")]


def test_modules_that_are_shared_at_every_level_are_entered_a_bounded_number_of_times() -> None:
    leaf = nn.Linear(2, 2)
    model: nn.Module = leaf
    for _ in range(30):  # 2 ** 30 paths
        model = nn.ModuleDict({"a": model, "b": model})
    (weight,) = (x for x in trace(leaf(torch.ones(2)).sum(), model=model).leaves if x.meta.shape == (2, 2))
    assert weight.name == ".".join("a" * 30) + ".weight"
    assert len(weight.aliases) == 99


@pytest.mark.parametrize("wrapped", [len, 5, functools.partial(len)])
def test_a_forward_that_claims_to_wrap_what_is_no_function(wrapped: Any) -> None:
    def forward(_: Any, data: torch.Tensor) -> torch.Tensor:
        return data * 2

    forward.__wrapped__ = wrapped  # type: ignore[attr-defined]
    Odd = type("Odd", (Keeps,), {"forward": staticmethod(forward)})  # noqa: N806
    assert [edge.name for edge in trace(Odd.apply(torch.ones(2, requires_grad=True))).edges] == [None]


def test_variables_with_names_that_are_no_text() -> None:
    space: dict[Any, Any] = {"trace": trace, "torch": torch, 1: torch.ones(2), "gone": None}
    exec("w = torch.ones(2, requires_grad=True)\nimport sys\ngraph = trace(w.sum(), caller=sys._getframe())", space)
    assert [leaf.name for leaf in space["graph"].leaves] == ["w"]
