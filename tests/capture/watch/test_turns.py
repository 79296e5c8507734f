"""Where a gradient turns: on chains and fans built by hand, at the thresholds, and where nothing is to be said."""

from __future__ import annotations

import math

import pytest

from gradviz.capture.turns import Turns
from gradviz.graph import Edge, Graph, Node, TensorMeta
from gradviz.recording import Gradient, Magnitude, Turn


def node(index: int, op: str = "MulBackward0", *shapes: tuple[int, ...], dtype: str = "float32") -> Node:
    slots = tuple(TensorMeta(shape, dtype, "cpu") for shape in shapes or ((4,),))
    return Node(f"n{index}", op, "op", None, False, None, None, (), slots, (), (), index)


def graph(nodes: list[Node], edges: list[tuple[int, int]] | None = None) -> Graph:
    pairs = edges if edges is not None else [(index, index + 1) for index in range(len(nodes) - 1)]
    return Graph(
        roots=(),
        nodes=tuple(nodes),
        edges=tuple(Edge(f"n{source}", 0, f"n{target}", 0, None) for source, target in pairs),
        dead_ends=(),
        leaves=(),
        modules=(),
        hooks=(),
        notes=(),
    )


def turns(found: Graph, *norms: float | None) -> tuple[Turn, ...]:
    sizes = [None if norm is None else Magnitude(norm) for norm in norms]
    return Turns(found).find([Gradient(one.id, 0, size) for one, size in zip(found.nodes, sizes, strict=True)])


def chain(*norms: float | None) -> tuple[Turn, ...]:
    return turns(graph([node(index) for index in range(len(norms))]), *norms)


def test_a_gradient_that_flows_does_not_turn() -> None:
    assert chain(1.0, 0.5, 2.0, 0.01) == ()


def test_zero_is_told_once_where_it_begins() -> None:
    assert chain(1.0, 0.5, 0.0, 0.0) == (Turn("zero", "n1", "n2", 0, 0.5, 0.0),)


def test_a_loss_without_gradient_does_not_turn() -> None:
    assert chain(0.0, 0.0) == ()
    assert chain(math.nan, math.nan) == ()


@pytest.mark.parametrize("size", [math.inf, math.nan])
def test_nonfinite_is_told_once_where_it_begins(size: float) -> None:
    (turn,) = chain(1.0, 2.0, size, math.nan)
    assert turn[:5] == ("nonfinite", "n1", "n2", 0, 2.0)


def test_what_was_not_recorded_is_no_zero() -> None:
    assert chain(1.0, None, None) == ()


def test_vanishing_is_told_at_the_edge_that_crosses_the_threshold() -> None:
    """Four elements: below 1e-6 / 2 of the largest on the way."""
    assert chain(1.0, 1e-2, 1e-4, 6e-7, 4e-7, 1e-9) == (Turn("vanished", "n3", "n4", 0, 6e-7, 4e-7),)


def test_exploding_is_told_at_the_edge_that_crosses_the_threshold() -> None:
    """Four elements: above 1e4 * 2 of the smallest on the way."""
    assert chain(1.0, 0.5, 1e2, 9e3, 2e4, 1e6) == (Turn("exploded", "n3", "n4", 0, 9e3, 2e4),)


def test_a_mean_over_many_elements_is_no_vanishing() -> None:
    million = [node(0, "MeanBackward0", ()), node(1, "MulBackward0", (1_000_000,)), node(2, "X", (1_000_000,))]
    assert turns(graph(million), 1.0, 1e-3, 1e-8) == ()  # the threshold is 1e-9
    assert turns(graph(million), 1.0, 1e-3, 9e-10) == (Turn("vanished", "n1", "n2", 0, 1e-3, 9e-10),)


def test_spreading_one_value_over_many_elements_is_no_explosion() -> None:
    spread = [node(0, "SumBackward0", ()), node(1, "ExpandBackward0", (10**10,))]
    assert turns(graph(spread), 1.0, 1e5) == ()
    assert turns(graph(spread), 1.0, 1e10) == ()  # by the root mean square 1e5, which is below 1e4 * 1e5


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounding_noise_of_sums_that_cancel_out_is_no_vanishing(dtype: str) -> None:
    """The bias of attention keys: a sum over positions that is zero, but for rounding."""
    reduced = [node(0, "AddBackward0", (64, 8), dtype=dtype), node(1, "AccumulateGrad", (8,), dtype=dtype)]
    noise = {"float32": 1e-8, "float64": 1e-17}[dtype]
    assert turns(graph(reduced), 1.0, noise) == ()
    pointwise = [node(0, "SigmoidBackward0", (8,), dtype=dtype), node(1, "AccumulateGrad", (8,), dtype=dtype)]
    assert turns(graph(pointwise), 1.0, noise) == (Turn("vanished", "n0", "n1", 0, 1.0, noise),)
    softmax = [node(0, "SoftmaxBackward0", (8,), dtype=dtype), node(1, "AccumulateGrad", (8,), dtype=dtype)]
    assert turns(graph(softmax), 1.0, noise) == ()


def test_below_rounding_noise_nothing_more_is_told() -> None:
    noisy = [node(0, "AddBackward0", (64, 8)), node(1, "ViewBackward0", (8,)), node(2, "AccumulateGrad", (8,))]
    assert turns(graph(noisy), 1.0, 1e-9, 1e-9) == ()


def test_several_edges_into_one_slot_are_judged_by_the_largest() -> None:
    fan = graph([node(index) for index in range(4)], [(0, 1), (0, 2), (1, 3), (2, 3)])
    assert turns(fan, 1.0, 0.0, 0.5, 0.5) == (Turn("zero", "n0", "n1", 0, 1.0, 0.0),)
    assert turns(fan, 1.0, 0.25, 0.5, 0.0) == (Turn("zero", "n2", "n3", 0, 0.5, 0.0),)
    assert [turn[:4] for turn in turns(fan, 1.0, math.nan, 0.5, math.nan)] == [("nonfinite", "n0", "n1", 0)]


def test_each_way_is_told_of() -> None:
    fork = graph([node(index) for index in range(3)], [(0, 1), (0, 2)])
    assert turns(fork, 1.0, 0.0, 0.0) == (
        Turn("zero", "n0", "n1", 0, 1.0, 0.0),
        Turn("zero", "n0", "n2", 0, 1.0, 0.0),
    )


def test_the_slots_of_a_node_are_one_size() -> None:
    """One of two outputs gets nothing but zeros; what goes on from there is not zero."""
    nodes = [node(0), node(1, "SplitBackward0", (2,), (2,)), node(2)]
    edges = (Edge("n0", 0, "n1", 0, None), Edge("n0", 1, "n1", 1, None), Edge("n1", 0, "n2", 0, None))
    found = Graph((), tuple(nodes), edges, (), (), (), (), ())
    arrived = [("n0", 0, 1.0), ("n1", 0, 0.0), ("n1", 1, 0.5), ("n2", 0, 0.0)]
    gradients = [Gradient(name, slot, Magnitude(norm)) for name, slot, norm in arrived]
    assert Turns(found).find(gradients) == (
        Turn("zero", "n0", "n1", 0, 1.0, 0.0),
        Turn("zero", "n1", "n2", 0, 0.5, 0.0),
    )
