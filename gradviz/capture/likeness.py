"""Likeness: tells whether two live graphs would give equal Graphs, without reading what their nodes hold."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from gradviz.capture.origins import Origin
from gradviz.capture.walk import Walk


def likeness(walk: Walk, origins: list[Origin]) -> Hashable:
    """Equal for walks over graphs of equal structure: operations, edges, shapes, leaves, sources and hooks of leaves."""
    nodes = walk.nodes
    edges = tuple(
        tuple((-1 if child is None else walk.position[id(child)], slot) for child, slot in following)
        for following in walk.following
    )
    return (tuple(walk.roots), tuple(map(_face, nodes)), edges, tuple(origins))


def _face(node: Any) -> Hashable:
    kind = type(node)
    if kind.__name__ == "AccumulateGrad":
        variable = node.variable
        hooks = len(variable._backward_hooks or ()), len(variable._post_accumulate_grad_hooks or ())
        return id(variable), tuple(variable.shape), variable.dtype, hooks
    return kind, node.name(), tuple(map(_slot, node._input_metadata))


def _slot(metadata: Any) -> Hashable:
    try:
        return tuple(map(str, metadata.shape)) if metadata.is_nested_tensor else tuple(metadata.shape), metadata.dtype
    except RuntimeError:  # strided nested tensors have no single shape
        return metadata.dtype
