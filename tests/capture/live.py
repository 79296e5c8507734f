"""What the tests know of live graphs by themselves, without any code of gradviz: the truth to compare with."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, NamedTuple

import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

from gradviz.capture.trace import trace
from gradviz.graph import Graph

LiveNode = Any


class RawWalk(NamedTuple):
    """Every node, edge and dead end, found by the simplest loop; ``nodes`` keeps them alive, so ids are valid."""

    nodes: dict[int, LiveNode]
    edges: Counter[tuple[int, int, int, int]]  # id of the source, its slot, id of the target, its slot
    dead_ends: Counter[tuple[int, int]]


def root_node(root: torch.Tensor | GradientEdge) -> LiveNode:
    if isinstance(root, GradientEdge):
        return root.node
    return root.grad_fn if root.grad_fn is not None else get_gradient_edge(root).node


def raw_walk(roots: tuple[Any, ...]) -> RawWalk:
    walk = RawWalk({}, Counter(), Counter())
    waiting = [root_node(root) for root in roots]
    while waiting:
        node = waiting.pop()
        if id(node) in walk.nodes:
            continue
        walk.nodes[id(node)] = node
        for slot, (child, child_slot) in enumerate(node.next_functions):
            if child is None:
                walk.dead_ends[id(node), slot] += 1
            else:
                walk.edges[id(node), slot, id(child), child_slot] += 1
                waiting.append(child)
    return walk


def evaluate(expression: str, name: str, outputs: Any) -> LiveNode:
    """Run what ``Graph.expression`` gave, with ``name`` bound to what was traced."""
    scope = {name: outputs, "torch": torch}
    if expression.startswith("node = "):
        exec(expression, scope)
        return scope["node"]
    return eval(expression, scope)


def live_nodes(graph: Graph, outputs: Any) -> dict[str, LiveNode]:
    """The live node of each node of the graph, by id, reached by its expression."""
    return {node.id: evaluate(graph.expression(node.id, root="traced"), "traced", outputs) for node in graph.nodes}


def backward(roots: tuple[Any, ...]) -> None:
    """Run backward over all roots, with ones for what arrives at them."""
    gradients = [torch.ones_like(root) if isinstance(root, torch.Tensor) else _ones_at(root) for root in roots]
    torch.autograd.backward(list(roots), gradients)


def _ones_at(edge: GradientEdge) -> torch.Tensor:
    metadata = edge.node._input_metadata[edge.output_nr]
    return torch.ones(metadata.shape, dtype=metadata.dtype, device=metadata.device)


def tensors_of(walk: RawWalk, roots: tuple[Any, ...] = (), model: torch.nn.Module | None = None) -> list[torch.Tensor]:
    """The tensors that belong to a live graph: roots, leaves, what nodes saved, and the model's."""
    found = [root for root in roots if isinstance(root, torch.Tensor)]
    for node in walk.nodes.values():
        if type(node).__name__ == "AccumulateGrad":
            found.append(node.variable)
        found += [value for value in _saved_values(node) if isinstance(value, torch.Tensor)]
    if model is not None:
        found += [*model.parameters(), *model.buffers()]
    return list({id(tensor): tensor for tensor in found}.values())


def _saved_values(node: LiveNode) -> list[Any]:
    values: list[Any] = []
    for name in dir(type(node)):
        if name.startswith("_raw_saved_"):
            try:
                raw = getattr(node, name)
            except RuntimeError:  # freed
                continue
            for entry in raw if isinstance(raw, tuple) else [raw]:
                packed = None if entry is None else entry.data
                values += packed if isinstance(packed, tuple) else [packed]
    if isinstance(node, torch._C._FunctionBase):
        for value in vars(node).values():
            values += value if isinstance(value, list | tuple) else [value]
    return values


def trace_here(outputs: Any, **given: Any) -> Graph:
    """Trace as the public verb does: with the variables of whoever calls."""
    return trace(outputs, caller=sys._getframe(1), **given)
