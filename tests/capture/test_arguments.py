"""Names and formulas of arguments: built-in ones, and those of custom Functions by their signature."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import torch

from gradviz.capture.trace import trace
from gradviz.graph import Argument, Graph
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf, linear


def edge_names(graph: Graph, node: str) -> list[tuple[int, str | None]]:
    named = [(edge.source_slot, edge.name) for edge in graph.edges if edge.source == node]
    return sorted(named + [(end.source_slot, end.name) for end in graph.dead_ends if end.source == node])


def test_a_linear_layer() -> None:
    model = linear()
    graph = trace(model(torch.randn(2, 4)), model=model)
    assert graph.nodes[0].arguments == (
        Argument("self", "maybe_multiply(grad, beta.conj())"),
        Argument("mat1", "mm_mat1_backward(grad, mat2, mat1.sym_sizes(), mat1.sym_strides(), mat1.layout(), alpha)"),
        Argument("mat2", "mm_mat2_backward(grad, mat1, mat2.sym_sizes(), mat2.sym_strides(), mat2.layout(), alpha)"),
    )
    assert edge_names(graph, "n0") == [(0, "self"), (1, "mat1"), (2, "mat2")]
    assert graph.path_to("weight")[1].arguments == (Argument("self", "grad.t()"),)


def test_lists_and_multi_slot_operations() -> None:
    graph = trace(built(KINDS["cat_of_leaves"]).outputs)
    assert edge_names(graph, "n2") == [(index, f"tensors[{index}]") for index in range(8)]
    graph = trace(built(KINDS["unbind_uses_two_slots"]).outputs)
    assert {(edge.source_slot, edge.target, edge.target_slot, edge.name) for edge in graph.edges[1:3]} == {
        (0, "n2", 0, "self"),
        (1, "n2", 2, "other"),
    }


def test_parallel_edges_have_their_own_names() -> None:
    w = leaf(3)
    graph = trace(w * w)
    assert [(e.source, e.source_slot, e.target, e.target_slot, e.name) for e in graph.edges] == [
        ("n0", 0, "n1", 0, "self"),
        ("n0", 1, "n1", 0, "other"),
    ]


def test_foreach_operations() -> None:
    graph = trace(torch._foreach_exp([leaf(2), leaf(3)])[1])
    assert graph.roots[0].slot == 1
    assert graph.nodes[0].arguments == (Argument("self", "grads[i] * result[i].conj()"),)
    assert edge_names(graph, "n0") == [(0, "self[0]"), (1, "self[1]")]


class Base(torch.autograd.Function):
    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise NotImplementedError


class Three(Base):
    @staticmethod
    def forward(_: Any, first: Any, second: Any, third: Any) -> Any:
        return sum(value for value in (first, second, third) if isinstance(value, torch.Tensor))


class Setup(Base):
    @staticmethod
    def forward(first: Any, second: Any) -> Any:
        return first + second

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass


class Starred(Base):
    @staticmethod
    def forward(_: Any, scale: Any, *rest: Any) -> Any:
        return sum(rest) * scale


class Late(Base):
    @staticmethod
    def forward(_: Any, first: Any, second: Any = 1) -> Any:
        return first * second


class Hidden(Base):
    @staticmethod
    def forward(*arguments: Any) -> Any:
        return arguments[1] * 1


class Decorated(Base):
    @staticmethod
    @functools.wraps(Three.forward)
    def forward(*arguments: Any) -> Any:
        return Three.forward(*arguments)


@pytest.mark.parametrize(
    ("function", "arguments", "names"),
    [
        (Three, (leaf(2), leaf(2), leaf(2)), ["first", "second", "third"]),
        (Three, (leaf(2), torch.ones(2), leaf(2)), ["first", "second", "third"]),
        (Three, (torch.ones(2), leaf(2), 3), ["first", "second"]),
        (Three, (leaf(2), 3, leaf(2)), ["first", "third"]),
        (Three, (leaf(2), 3, 4), ["first"]),
        (Three, (leaf(2), torch.ones(2), 4), ["first", None]),  # second or third
        (Three, (3, leaf(2), torch.ones(2)), ["second", "third"]),
        (Setup, (leaf(2), leaf(2)), ["first", "second"]),
        (Setup, (torch.ones(2), leaf(2)), ["first", "second"]),
        (Starred, (2.0, leaf(2), torch.ones(2), leaf(2)), ["rest[0]", "rest[1]", "rest[2]"]),
        (Starred, (leaf(), leaf(2)), ["scale", "rest[0]"]),
        (Late, (leaf(2),), ["first"]),
        (Late, (leaf(2), leaf(2)), ["first", "second"]),
        (Hidden, (leaf(2),), ["arguments[1]"]),  # arguments[0] is ctx
        (Decorated, (leaf(2), 3, leaf(2)), ["first", "third"]),
    ],
)
def test_custom_functions(function: Any, arguments: tuple[Any, ...], names: list[str | None]) -> None:
    graph = trace(function.apply(*arguments))
    assert [name for _, name in edge_names(graph, "n0")] == names
    assert graph.nodes[0].arguments == ()
