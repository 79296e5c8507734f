"""Modules of operations, inferred from the parameters around them, against the truth that forward hooks recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch
from torch import nn
from torch.nn.modules import module as torch_module

from gradviz.capture.modules import common_module, infer_modules
from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.live import live_nodes, trace_here
from tests.capture.zoo.networks import GPT, Recurrent, ResNet, tokens
from tests.capture.zoo.sample import leaf, linear

next_sequence_number = torch._C._autograd._get_sequence_nr


class Span(NamedTuple):
    first: int
    end: int
    depth: int
    path: str


def recorded(model: nn.Module, run: Callable[[], torch.Tensor]) -> tuple[torch.Tensor, list[Span]]:
    """The result of a forward, and during which sequence numbers each module ran."""
    paths = {id(module): path for path, module in model.named_modules()}
    running: list[int] = []
    spans: list[Span] = []

    def leave(module: nn.Module, *_: Any) -> None:
        first = running.pop()
        spans.append(Span(first, next_sequence_number(), len(running), paths[id(module)]))

    handles = [
        torch_module.register_module_forward_pre_hook(lambda *_: running.append(next_sequence_number())),
        torch_module.register_module_forward_hook(leave),
    ]
    result = run()
    for handle in handles:
        handle.remove()
    return result, spans


def true_modules(graph: Graph, result: torch.Tensor, spans: list[Span]) -> dict[str, str]:
    """The innermost module that ran when each node was made; nodes that were made outside of all are left out."""
    found = {}
    for name, node in live_nodes(graph, result).items():
        around = [span for span in spans if span.first <= node._sequence_nr() < span.end]
        if around:
            found[name] = max(around, key=lambda span: span.depth).path
    return found


def related(one: str | None, other: str) -> bool:
    """Whether they are the same module, or one lies in the other."""
    if one is None:
        return False
    return (
        one == other or f".{other}".startswith(f".{one}.") or f".{one}".startswith(f".{other}.") or "" in (one, other)
    )


MODELS: dict[str, Callable[[], tuple[nn.Module, Callable[[nn.Module], torch.Tensor]]]] = {
    "gpt": lambda: (GPT(), lambda model: model(tokens()).mean()),
    "resnet": lambda: (ResNet(), lambda model: model(torch.randn(2, 3, 32, 32)).mean()),
    "transformer": lambda: (
        nn.Transformer(16, 4, 2, 2, 32, batch_first=True),
        lambda model: model(torch.randn(2, 5, 16), torch.randn(2, 5, 16)).mean(),
    ),
    "lstm cell": lambda: (Recurrent(), lambda model: model(tokens()).mean()),
    "sequential": lambda: (
        nn.Sequential(linear(4, 8), nn.ReLU(), nn.LayerNorm(8), nn.Sequential(linear(8, 8), nn.Tanh()), linear(8, 2)),
        lambda model: model(torch.randn(2, 4)).mean(),
    ),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_modules_are_inferred_as_they_ran(make: Callable[[], Any]) -> None:
    model, run = make()
    result, spans = recorded(model, lambda: run(model))
    graph = trace(result, model=model)
    truth = true_modules(graph, result, spans)
    right = [related(graph[node].module, path) for node, path in truth.items()]
    exact = [graph[node].module == path for node, path in truth.items()]
    assert len(right) == len([node for node in graph.nodes if node.kind != "leaf"]) - 1  # mean is called outside
    assert sum(right) >= 0.95 * len(right)
    assert sum(exact) >= 0.7 * len(exact)


def modules_of(graph: Graph) -> dict[str, str | None]:
    return {node.id: node.module for node in graph.nodes}


def test_leaves_have_the_module_that_owns_them_and_it_is_certain() -> None:
    model = nn.Sequential(linear(4, 4), linear(4, 2))
    graph = trace(model(leaf(1, 4)), model=model)
    for found in graph.leaves:
        assert found.node is not None
        node = graph[found.node]
        assert node.module == (None if found.name is None else found.name[0])
        assert node.module_inferred is False


def test_an_input_belongs_to_no_module() -> None:
    model = nn.Sequential(linear(4, 4), linear(4, 4))
    x, y = leaf(1, 4), leaf(1, 4)
    graph = trace(model[1](model[0](x) * y), model=model, names={"x": x, "y": y})
    for name in ("x", "y"):
        node = graph.leaf(name).node
        assert node is not None
        assert graph[node].module is None


def test_what_is_inferred_is_marked() -> None:
    model = linear(4, 2)
    graph = trace(model(leaf(1, 4)).exp(), model=model)
    assert [(node.op, node.module, node.module_inferred) for node in graph.nodes if node.kind != "leaf"] == [
        ("ExpBackward0", None, False),
        ("AddmmBackward0", "", True),
        ("TBackward0", "", True),
    ]
    assert "Modules of operations are inferred from the parameters around them." in graph.notes


def test_without_a_model_nothing_is_inferred() -> None:
    graph = trace(linear(4, 2)(leaf(1, 4)))
    assert set(modules_of(graph).values()) == {None}
    assert graph.modules == ()
    assert "Modules of operations are inferred from the parameters around them." not in graph.notes


def test_modules_among_the_variables_serve_too_but_only_those_in_use_are_listed() -> None:
    used, unused = linear(4, 2), linear(4, 2)
    graph = trace_here(used(leaf(1, 4)))
    assert graph.modules == (("used", "Linear"),)
    assert graph.nodes[0].module == "used"
    assert unused.weight.grad is None


def test_all_modules_of_the_model_are_listed() -> None:
    model = nn.Sequential(linear(4, 4), nn.ReLU(), nn.Sequential(linear(4, 2)))
    graph = trace(leaf(3), model=model)
    assert graph.modules == (("", "Sequential"), ("0", "Linear"), ("1", "ReLU"), ("2", "Sequential"), ("2.0", "Linear"))


@pytest.mark.parametrize("depth", [0, 1], ids=["the model itself", "a layer"])
def test_a_parametrized_weight_belongs_to_the_module_that_uses_it(depth: int) -> None:
    layer = nn.utils.parametrizations.weight_norm(linear(4, 2))
    model = nn.ModuleDict({"layer": layer}) if depth else layer
    graph = trace(layer(leaf(1, 4)), model=model)
    expected = "layer" if depth else ""
    assert {node.module for node in graph.nodes if node.kind != "leaf"} == {expected}
    name = "layer.parametrizations.weight.original0" if depth else "parametrizations.weight.original0"
    owner = graph.leaf(name).node
    assert owner is not None
    assert graph[owner].module == expected


def test_uses_of_a_shared_parameter_go_to_its_owners_in_order() -> None:
    model = nn.ModuleDict({"first": linear(4, 4), "second": linear(4, 4)})
    model["second"].weight = model["first"].weight
    graph = trace(model["second"](model["first"](leaf(1, 4))), model=model)
    assert [node.module for node in graph.nodes if node.op == "AddmmBackward0"] == ["second", "first"]


@pytest.mark.parametrize(
    ("one", "other", "common"),
    [
        ("a.b", "a.b", "a.b"),
        ("a.b", "a.c", "a"),
        ("a.b", "a", "a"),
        ("ab", "ac", ""),
        ("a.1", "a.10", "a"),
        ("", "a", ""),
    ],
)
def test_the_module_around_two(one: str, other: str, common: str) -> None:
    assert common_module(one, other) == common_module(other, one) == common


def test_a_gap_belongs_to_what_is_around_it() -> None:
    # Forward: leaf 0 (of a.x), op 1 reads it, op 2, leaf 3 (of a.y), op 4 reads it, op 5.
    found = infer_modules(
        forward=[0, 1, 2, 3, 4, 5],
        inputs=[[], [0], [1], [], [2, 3], [4]],
        ops=["AccumulateGrad", "One", "Two", "AccumulateGrad", "Four", "Five"],
        carriers=[False] * 6,
        numbers=[False] * 6,
        homes={0: ("a.x",), 3: ("a.y",)},
        classes={"": "Model", "a": "Attention", "a.x": "Linear", "a.y": "Linear"},
    )
    assert found == ["a.x", "a.x", "a", "a.y", "a.y", None]


def test_what_makes_up_the_loss_is_in_no_module() -> None:
    critic = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    real, fake = critic(torch.ones(2, 4)), critic(torch.zeros(2, 4))
    loss = real.square().mean() - fake.square().mean() + 0.1 * critic[0].weight.square().sum()
    graph = trace(loss, model={"critic": critic})
    numbers = [node for node in graph if node.kind != "leaf" and node.slots[0].shape == ()]
    assert [node.op for node in numbers].count("MeanBackward0") == 2
    assert {node.module for node in numbers} == {None}


def test_a_number_on_the_way_to_something_larger_stays_in_its_module() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, data: torch.Tensor) -> torch.Tensor:
            hidden = self.first(data)
            return self.second(hidden / hidden.abs().mean())

    model = nn.ModuleDict({"block": Scaled(), "head": nn.Linear(3, 3)})
    graph = trace(model["head"](model["block"](torch.ones(2, 3))).sum(), model=model)
    assert [node.module for node in graph if node.op in ("MeanBackward0", "DivBackward0")] == ["block", "block"]


def test_what_runs_between_two_calls_of_one_layer_is_outside_of_it() -> None:
    model = nn.ModuleDict({"block": nn.ModuleDict({"layer": nn.Linear(3, 3)})})
    layer = model["block"]["layer"]
    graph = trace(layer(layer(torch.ones(2, 3)).relu()).sum(), model=model)
    assert [node.module for node in graph if node.op == "ReluBackward0"] == ["block"]
