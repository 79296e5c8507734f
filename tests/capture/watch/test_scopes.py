"""Scopes: the module of every node made while a watch lasts, exact and not inferred."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import gradviz
from gradviz.graph import Graph


def _modules(graph: Graph) -> dict[str, str | None]:
    """Operation -> module; operations are different in these graphs."""
    assert not any(node.module_inferred for node in graph.nodes)
    return {node.op: node.module for node in graph.nodes if node.kind != "leaf"}


def test_the_loss_is_in_no_module() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    with gradviz.watch(model) as watched:
        model(torch.ones(1, 2)).exp().sum().backward()
    assert _modules(watched.graph) == {
        "SumBackward0": None,
        "ExpBackward0": None,
        "TanhBackward0": "1",
        "AddmmBackward0": "0",
        "TBackward0": "0",
    }
    assert watched.graph.modules == (("", "Sequential"), ("0", "Linear"), ("1", "Tanh"))


def test_what_lies_between_two_models_is_in_neither() -> None:
    first, second = nn.Tanh(), nn.Sigmoid()
    x = torch.ones(2, requires_grad=True)
    with gradviz.watch(first, second) as watched:
        second(first(x).exp()).sum().backward()
    assert _modules(watched.graph) == {
        "SumBackward0": None,
        "SigmoidBackward0": "second",
        "ExpBackward0": None,
        "TanhBackward0": "first",
    }


class _Makes(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        act = nn.Tanh()
        return act(x).exp()


def test_modules_made_in_forward() -> None:
    model = _Makes()
    x = torch.ones(2, requires_grad=True)
    with gradviz.watch(model) as watched:
        model(x).sum().backward()
    assert _modules(watched.graph) == {"SumBackward0": None, "ExpBackward0": "", "TanhBackward0": "forward().act"}
    assert ("forward().act", "Tanh") in watched.graph.modules


class _Raises(nn.Module):
    def __init__(self, error: type[BaseException]) -> None:
        super().__init__()
        self.error = error

    def forward(self, x: Tensor) -> Tensor:  # noqa: ARG002
        raise self.error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_the_stack_survives_exceptions(error: type[BaseException]) -> None:
    raises, act = _Raises(error), nn.Tanh()
    x = torch.ones(2, requires_grad=True)
    with gradviz.watch(nn.Sequential(raises), act) as watched:
        with pytest.raises(error):
            nn.Sequential(raises)(x)
        x.sin().sum().backward()
        act(x).exp().sum().backward()
    assert _modules(watched.graph) == {"SumBackward0": None, "ExpBackward0": None, "TanhBackward0": "act"}


def test_models_are_discovered() -> None:
    model = nn.Sequential(nn.Linear(2, 1))
    with gradviz.watch() as watched:
        model(torch.ones(1, 2)).sum().backward()
    assert _modules(watched.graph)["AddmmBackward0"] == "0"
    assert {leaf.name for leaf in watched.graph.leaves} == {"0.weight", "0.bias"}
