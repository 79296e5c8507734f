"""Inside the transforms of torch.func, and regions that torch.compile made into one node."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

from gradviz.capture.trace import trace
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from tests.capture.live import live_nodes, raw_walk
from tests.capture.zoo.sample import leaf, linear


def checked(loss: torch.Tensor, **given: Any) -> Graph:
    """Trace, and see that each expression reaches its own node."""
    graph = trace(loss, **given)
    live = live_nodes(graph, loss)
    assert {id(node) for node in live.values()} == set(raw_walk((loss,)).nodes)
    assert [node.op for node in graph.nodes] == [live[node.id].name().rpartition("::")[2] for node in graph.nodes]
    return graph


def tracing(graphs: list[Graph], **given: Any) -> Callable[[torch.Tensor], torch.Tensor]:
    def function(x: torch.Tensor) -> torch.Tensor:
        loss = (x * x).exp().sum()
        graphs.append(checked(loss, **given))
        return loss

    return function


@pytest.mark.parametrize("hooks", ["found", "all"])
@pytest.mark.parametrize(
    "transform",
    [
        torch.func.grad,
        lambda function: torch.func.grad(lambda x: torch.func.grad(function)(x).sum()),
        lambda function: torch.func.vmap(torch.func.grad(function)),
    ],
    ids=["grad", "grad of grad", "vmap of grad"],
)
def test_inside_a_gradient(transform: Callable[..., Any], hooks: Any) -> None:
    graphs: list[Graph] = []
    transform(tracing(graphs, hooks=hooks))(torch.ones(2, 3))
    (graph,) = graphs
    assert [node.op for node in graph.nodes] == ["SumBackward0", "ExpBackward0", "MulBackward0", "AccumulateGrad"]
    assert [one.state for node in graph.nodes for one in node.saved] == ["held"] * 3
    assert graph.leaves[0].requires_grad


def test_a_leaf_alone_inside_a_gradient() -> None:
    graphs: list[Graph] = []

    def function(x: torch.Tensor) -> torch.Tensor:
        graphs.append(trace(x))
        return x.sum()

    torch.func.grad(function)(torch.ones(3))
    assert [node.op for node in graphs[0].nodes] == ["AccumulateGrad"]


def test_inside_vmap_the_reason_is_said() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        with pytest.raises(GradvizError, match=r"a transform of torch\.func"):
            trace(x.exp())
        return x

    torch.func.vmap(function)(leaf(2, 3))


def test_tensors_that_outlived_their_transform() -> None:
    kept: list[torch.Tensor] = []

    def function(x: torch.Tensor) -> torch.Tensor:
        kept.extend([x, x * x])
        return kept[1].sum()

    torch.func.grad(function)(torch.ones(3))
    kept[1].retain_grad()
    assert [node.op for node in trace(kept[1]).nodes] == ["MulBackward0", "AccumulateGrad"]
    with pytest.raises(GradvizError, match="a leaf of a kind that torch cannot view"):
        trace(kept[0])
    assert len(trace(leaf(3).exp(), hooks="all").nodes) == 2


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_regions(backend: str) -> None:
    model = torch.nn.Sequential(linear(4, 4), torch.nn.ReLU(), linear(4, 2))
    compiled = torch.compile(model, backend=backend)
    x = leaf(3, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the compiler looks at attributes that warn, and expects no error of that
        loss = compiled(x * 2).sum()
    graph = checked(loss, model=compiled, names={"x": x})
    named = {found.name for found in graph.leaves}
    assert named == {"0.weight", "0.bias", "2.weight", "2.bias", "x"}
    assert graph.modules[0] == ("", "Sequential")
    if backend == "eager":
        assert {node.kind for node in graph.nodes} == {"op", "view", "leaf"}
        return
    assert [(node.op, node.kind) for node in graph.nodes[:2]] == [
        ("SumBackward0", "op"),
        ("CompiledFunctionBackward", "compiled"),
    ]
    assert len(graph.nodes) == 2 + 1 + 5  # the multiplication in front, and the leaves
    assert {one.state for one in graph.nodes[1].saved} == {"held"}
    assert graph.saved_bytes > 0
