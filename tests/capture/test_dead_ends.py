"""Dead ends: which argument gets no gradient, which tensor was given there and why, where it is known."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (as everybody calls it)

from gradviz.capture.trace import trace
from gradviz.graph import DeadEnd, Graph
from tests.capture.live import trace_here
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf, linear

TENSOR = "a tensor with requires_grad=False"
PARAMETER = "a parameter with requires_grad=False"
NUMBER = "a number or a 0-d constant"


def ends(graph: Graph, op: str) -> list[tuple[Any, ...]]:
    ids = {node.id for node in graph.nodes if node.op == op}
    return [(end.source_slot, end.name, end.tensor, end.why) for end in graph.dead_ends if end.source in ids]


def test_a_tensor_without_gradient_is_named() -> None:
    data = torch.randn(3)
    graph = trace_here((leaf(3) * data).sum())
    assert graph.dead_ends == (DeadEnd("n1", 1, "other", "data", TENSOR),)


def test_a_frozen_parameter_is_named_also_behind_a_view() -> None:
    model = nn.Sequential(linear(4, 4), linear(4, 2))
    model[1].requires_grad_(False)
    graph = trace(model(torch.randn(1, 4)).sum(), model=model)
    # addmm was given the transposed weight; the bias is not saved, and nothing of the module is trained that would tell
    assert ends(graph, "AddmmBackward0") == [
        (0, "self", None, None),
        (2, "mat2", "1.weight", PARAMETER),
        (1, "mat1", None, TENSOR),
    ]


def test_a_frozen_convolution_is_named() -> None:
    model = nn.Conv2d(2, 3, 3)
    model.weight.requires_grad_(False)
    graph = trace(model(leaf(1, 2, 5, 5)).sum(), model=model)
    assert ends(graph, "ConvolutionBackward0") == [(1, "weight", "weight", PARAMETER)]


def test_an_absent_bias_is_told_from_a_frozen_one() -> None:
    image, weight = torch.randn(1, 2, 5, 5), leaf(3, 2, 3, 3)
    absent = trace(F.conv2d(image, weight).sum())
    assert ends(absent, "ConvolutionBackward0") == [(0, "input", None, TENSOR), (2, "bias", None, "not given")]
    frozen = trace(F.conv2d(image, weight, torch.zeros(3)).sum())  # is not saved, so what it was is not known
    assert ends(frozen, "ConvolutionBackward0") == [(0, "input", None, TENSOR), (2, "bias", None, None)]


def test_a_number() -> None:
    graph = trace((leaf(3) * 2).sum())
    assert graph.dead_ends == (DeadEnd("n1", 1, "other", None, NUMBER),)


def test_a_named_tensor_without_dimensions_is_no_number() -> None:
    scale = torch.tensor(2.0)
    graph = trace((leaf(3) * scale).sum(), names={"scale": scale})
    assert graph.dead_ends == (DeadEnd("n1", 1, "other", "scale", TENSOR),)


def test_entries_of_a_list() -> None:
    graph = trace(built(KINDS["stack_with_dead_ends"]).outputs)
    assert ends(graph, "StackBackward0") == [(1, "tensors[1]", None, None), (3, "tensors[3]", None, None)]


def test_a_detached_tensor() -> None:
    w = leaf(3)
    kept = w.exp().detach()
    graph = trace((w * kept).sum(), names={"kept": kept})
    assert graph.dead_ends == (DeadEnd("n1", 1, "other", "kept", TENSOR),)


def test_a_tensor_that_needs_a_gradient_since_has_no_reason() -> None:
    data = torch.randn(3)
    loss = (leaf(3) * data).sum()
    data.requires_grad_()
    assert trace(loss).dead_ends == (DeadEnd("n1", 1, "other", None, None),)


def test_a_buffer_is_named() -> None:
    model = nn.BatchNorm1d(3).eval()
    graph = trace(model(leaf(2, 3)).sum() * model.running_mean.sum(), model=model)
    assert ends(graph, "NativeBatchNormBackward0") == []
    mean = trace((leaf(3) * model.running_mean).sum(), model=model)
    assert mean.dead_ends == (DeadEnd("n1", 1, "other", "running_mean", TENSOR),)


def test_packed_and_freed_tensors_give_no_reason() -> None:
    data = torch.randn(3)
    with torch.autograd.graph.save_on_cpu():
        packed = (leaf(3) * data).sum()
    assert trace(packed).dead_ends == (DeadEnd("n1", 1, "other", None, None),)
    loss = (leaf(3) * data).sum()
    loss.backward()
    assert trace(loss).dead_ends == (DeadEnd("n1", 1, "other", None, None),)


def test_the_base_of_a_write_into_a_buffer() -> None:
    graph = trace(built(KINDS["slice_of_a_buffer"]).outputs)
    assert graph.dead_ends == (DeadEnd("n1", 0, "base", None, None),)
    assert [(edge.source_slot, edge.name) for edge in graph.edges if edge.source == "n1"] == [(1, None)]


def test_a_frozen_bias_is_named_by_the_module_of_its_weight() -> None:
    model = nn.Sequential(linear(4, 4), nn.LayerNorm(4), nn.Conv1d(1, 1, 1))
    for module in model:
        module.bias.requires_grad_(False)
    norm = model[1](model[0](torch.randn(2, 4)))
    graph = trace(model[2](norm.unsqueeze(1)).sum(), model=model)
    told = {(end.tensor, end.why) for end in graph.dead_ends if end.tensor is not None}
    assert told == {("0.bias", PARAMETER), ("1.bias", PARAMETER), ("2.bias", PARAMETER)}


def test_a_bias_that_a_module_does_not_have_is_not_given() -> None:
    model = nn.LayerNorm(4, bias=False)
    graph = trace(model(leaf(2, 4)).sum(), model=model)
    assert ends(graph, "NativeLayerNormBackward0") == [(2, "bias", None, "not given")]


def test_modules_of_the_users_own_are_not_asked() -> None:
    class Own(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))
            self.other = nn.Parameter(torch.ones(3), requires_grad=False)

        def forward(self, data: torch.Tensor) -> torch.Tensor:
            return self.weight + data  # add calls its second argument "other"

    graph = trace(Own()(torch.ones(3)).sum(), model=Own())
    assert [(end.tensor, end.why) for end in graph.dead_ends] == [(None, None)]
