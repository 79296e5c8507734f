"""Likeness: tells whether two live graphs would give equal Graphs, without reading what their nodes hold."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import Any

from gradviz.capture.living import Facts
from gradviz.capture.origins import Origin
from gradviz.capture.walk import ACCUMULATE_GRAD, Walk

_counter = itertools.count()
_numbers: Facts[int] = Facts()  # of leaves


def likeness(walk: Walk, origins: list[Origin]) -> Hashable:
    """Equal for walks over graphs of equal structure: operations, edges, shapes, leaves, origins, hooks of leaves."""
    nodes = walk.nodes
    edges = tuple(
        tuple((-1 if child is None else walk.position[id(child)], slot) for child, slot in following)
        for following in walk.following
    )
    return (tuple(walk.roots), tuple(map(_face, nodes)), edges, tuple(origins))


def _face(node: Any) -> Hashable:
    kind = type(node)
    if kind is ACCUMULATE_GRAD:
        variable = node.variable
        hooks = len(variable._backward_hooks or ()), len(variable._post_accumulate_grad_hooks or ())
        return _number(variable), tuple(variable.shape), variable.dtype, hooks
    return kind, node.name(), tuple(map(_slot, node._input_metadata))


def _number(variable: Any) -> int:
    """A number that no other tensor gets, also when this one is gone and its id is used again."""
    number = _numbers.get(variable)
    if number is None:
        number = next(_counter)
        _numbers.put(variable, number)
    return number


def _slot(metadata: Any) -> Hashable:
    dtype: Hashable = metadata.dtype
    try:
        return tuple(map(str, metadata.shape)) if metadata.is_nested_tensor else tuple(metadata.shape), dtype
    except RuntimeError:  # strided nested tensors have no single shape
        return dtype
