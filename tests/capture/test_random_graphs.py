"""Random graphs of views, in-place writes, lists and shared tensors: traced as autograd holds them and runs them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.live import backward, live_nodes, raw_walk
from tests.capture.zoo.sample import leaf

OPERATIONS: tuple[Callable[[torch.Tensor, torch.Tensor], torch.Tensor], ...] = (
    lambda a, b: a @ b,
    lambda a, b: a * b,
    lambda a, b: a + b,
    lambda a, _: a.t(),
    lambda a, b: torch.cat([a, b])[1:4],
    lambda a, b: torch.stack([a, b, a, b.detach(), b]).sum(0),
    lambda a, b: a.clone().mul_(b),
    lambda a, b: (a * 1).index_put_((torch.tensor([1]),), b[0]),
    lambda a, b: torch.zeros(3, 3).copy_(a) + b,
    lambda a, _: a.unbind()[1].expand(3, 3),
    lambda a, _: a.split([1, 2])[1].repeat(2, 1)[:3],
    lambda a, _: a.detach(),
    lambda a, b: torch.where(b > 0, a, 0.0),
)


@st.composite
def outputs(draw: st.DrawFn) -> list[torch.Tensor]:
    torch.manual_seed(0)
    pool = [torch.ones(3, 3), *(leaf(3, 3) for _ in range(draw(st.integers(1, 6))))]
    for _ in range(draw(st.integers(1, 20))):
        operation = OPERATIONS[draw(st.integers(0, len(OPERATIONS) - 1))]
        a, b = (pool[draw(st.integers(0, len(pool) - 1))] for _ in range(2))
        pool.append(operation(a, b))
    differentiable = [tensor for tensor in pool if tensor.requires_grad]
    chosen = draw(st.lists(st.integers(0, len(differentiable) - 1), min_size=1, max_size=4, unique=True))
    return [differentiable[index] for index in chosen]


@settings(max_examples=100, deadline=None)
@given(outputs())
def test_nodes_edges_and_dead_ends(outputs: list[torch.Tensor]) -> None:
    graph, walk = trace(outputs), raw_walk(tuple(outputs))
    ids = {name: id(node) for name, node in live_nodes(graph, outputs).items()}
    assert set(ids.values()) == set(walk.nodes)
    assert len(ids) == len(walk.nodes)
    edges = Counter((ids[e.source], e.source_slot, ids[e.target], e.target_slot) for e in graph.edges)
    assert edges == walk.edges
    assert Counter((ids[end.source], end.source_slot) for end in graph.dead_ends) == walk.dead_ends
    assert Graph.from_dict(json.loads(json.dumps(graph.to_dict()))) == graph


@settings(max_examples=300, deadline=None)
@given(outputs())
def test_the_order_is_that_of_the_engine(outputs: list[torch.Tensor]) -> None:
    graph = trace(outputs)
    ran: list[str] = []
    live = live_nodes(graph, outputs)  # keeps the AccumulateGrad node of a leaf that is an output itself
    for name, node in live.items():
        node.register_prehook(lambda _, name=name: ran.append(name))
    backward(tuple(outputs))
    assert ran == [node.id for node in sorted(graph.nodes, key=lambda node: node.order)]
