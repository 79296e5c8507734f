"""Turns: where, on its way from the loss, the gradient first becomes zero or non-finite, explodes or vanishes.

A turn is a fact, not an alarm: a zero-initialised partner (LoRA) gives exact zeros. Each way is told of once, at the
edge where it turns, and not again below. *The way to a node* is the one through the edge by which the largest gradient
comes; along it the largest and the smallest size so far are known. Rules:

- *zero*: exactly zero arrives although a gradient that is not zero set out on an edge to this slot.
- *nonfinite*: an infinite or NaN size arrives although every size that set out to this slot was finite.
- *vanished*: what arrives is below 1e-6 / sqrt(n) of the largest size on the way; n is the largest number of elements
  on the way, since the mean over n elements divides the norm by sqrt(n).
- *exploded*: what arrives is above 1e4 * sqrt(n) of the smallest size on the way, by the norm and by the root mean
  square alike: the sum over n elements may grow by sqrt(n), and spreading one value over n elements does not count.
- Where values that cancel out are summed (a reduction, a softmax, a normalisation, several edges into one slot), what
  is left at rounding level is no vanishing: the bias of attention keys, a bias before BatchNorm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from gradviz.graph import Graph, TensorMeta
from gradviz.recording import Gradient, Turn
from gradviz.recording.facts import TurnKind

_VANISHED, _EXPLODED = 1e-6, 1e4
_EPSILON = {"float64": 2.2e-16, "complex128": 2.2e-16, "float16": 9.8e-4, "bfloat16": 7.8e-3}
_SINGLE_EPSILON = 1.2e-7
_ROUNDING = 100  # so many times the dtype's epsilon is what sums that cancel out were seen to leave
_CANCELLING = ("Softmax", "Norm", "Mm", "Bmm", "Mv", "Dot", "Linear", "Convolution", "Attention", "Rnn", "Cum")


class _Slot(NamedTuple):
    """A slot of a node: which nodes lead to it, each with the share of its size that may be rounding."""

    sources: tuple[tuple[str, float], ...]
    root: float  # of the number of its elements


class _Way(NamedTuple):
    """What is known at a node of the way to it. ``state`` is what it has turned into."""

    size: float
    largest: float
    smallest: float
    smallest_rms: float
    root: float  # of the largest number of elements on the way
    state: TurnKind | None


class Turns:
    """Finds the turns of backwards over one graph."""

    def __init__(self, graph: Graph) -> None:
        cancelling = {node.id for node in graph.nodes if any(part in node.op for part in _CANCELLING)}
        elements = {node.id: sum(map(_elements, node.slots)) for node in graph.nodes}
        sources: dict[tuple[str, int], list[str]] = {}
        for edge in graph.edges:
            sources.setdefault((edge.target, edge.target_slot), []).append(edge.source)
        self._slots: dict[tuple[str, int], _Slot] = {}
        for node in graph.nodes:
            for slot, meta in enumerate(node.slots):
                key, size = (node.id, slot), _elements(meta)
                leading, rounding = sources.get(key, []), _ROUNDING * _EPSILON.get(meta.dtype, _SINGLE_EPSILON)
                sums = {one for one in leading if len(leading) > 1 or size < elements[one] or one in cancelling}
                pairs = tuple((one, rounding if one in sums else 0.0) for one in leading)
                self._slots[key] = _Slot(pairs, math.sqrt(max(size, 1)))

    def find(self, gradients: Iterable[Gradient]) -> tuple[Turn, ...]:
        """The turns, in the order in which they happened, of what arrived, sources before targets."""
        ways: dict[str, _Way] = {}
        turns: list[Turn] = []
        for gradient in gradients:
            if gradient.size is None:
                continue
            node, place, size = gradient.node, gradient.slot, gradient.size.norm
            slot = self._slots[node, place]
            source, before, rounding = None, None, 0.0
            for one, share in slot.sources:
                way = ways.get(one)
                if way is not None and (before is None or _larger(way.size, before.size)):
                    source, before, rounding = one, way, share
            if before is None or source is None:
                way = _begun(size, slot.root)
            else:
                way = _continued(before, size, slot.root, rounding)
                if way.state is not None and way.state != before.state:
                    turns.append(Turn(way.state, source, node, place, before.size, size))
            earlier = ways.get(node)
            ways[node] = way if earlier is None else _joined(earlier, way)
        return tuple(turns)


def _begun(size: float, root: float) -> _Way:
    return _Way(size, size, size, size / root, root, _plain(size))


def _continued(before: _Way, size: float, root: float, rounding: float) -> _Way:
    """The way goes on along one edge, to a slot whose number of elements has this root."""
    _, largest, smallest, smallest_rms, most, state = before
    plain = _plain(size)
    if plain is not None:
        return before._replace(size=size, state=plain)
    most, rms = max(most, root), size / root
    if state == "zero" or state == "nonfinite":
        return _begun(size, root)
    if size < largest * _VANISHED / most:
        if state != "vanished" and size <= before.size * rounding:
            return _begun(size, root)
        state = "vanished"
    elif size > smallest * _EXPLODED * most and rms > smallest_rms * _EXPLODED * most:
        state = "exploded"
    else:
        state = None
    return _Way(size, max(largest, size), min(smallest, size), min(smallest_rms, rms), most, state)


def _joined(one: _Way, other: _Way) -> _Way:
    """A node with several slots: their sizes together; the rest is that of the larger one."""
    larger = other if _larger(other.size, one.size) else one
    return larger._replace(size=math.hypot(one.size, other.size))


def _plain(size: float) -> TurnKind | None:
    """What a size is by itself."""
    if 0 < size < math.inf:
        return None
    return "zero" if size == 0 else "nonfinite"


def _larger(one: float, other: float) -> bool:
    """NaN is the largest."""
    return one > other or (one != one and other == other)


def _elements(meta: TensorMeta) -> int:
    """How many elements a slot has, as far as its shape is known."""
    return math.prod(size for size in meta.shape or () if isinstance(size, int))
