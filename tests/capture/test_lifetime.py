"""Which graphs are made safe to drop, what is left in them, and that nothing is held. ``deep/`` drops the deep ones."""

from __future__ import annotations

import gc
import resource
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.torch_version import TorchVersion

from gradviz.capture import lifetime, pins
from gradviz.capture.trace import trace
from gradviz.capture.walk import Walk, advance, start
from tests.capture.deep.graphs import SHAPES, check_nothing_left

keeps_wrappers = pytest.mark.skipif(
    torch.__version__ < "2.13.dev0", reason="before torch 2.13 nothing is needed, and nothing is done"
)


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is longer than ten nodes is too deep. The collector does not help."""
    monkeypatch.setattr(lifetime, "_safe_depth", lambda: 10)
    gc.disable()
    yield
    gc.enable()
    check_nothing_left()


def chain(length: int) -> Any:
    """So many nodes in a row, the AccumulateGrad included."""
    tensor = torch.ones(2, requires_grad=True)
    for _ in range(length - 1):
        tensor = tensor.sin()
    return tensor


def nodes_of(tensor: Any) -> list[Any]:
    walk = start([tensor.grad_fn])
    advance(walk)
    return walk.nodes


@pytest.mark.parametrize("shape", SHAPES)
def test_a_graph_that_is_not_deep_is_left_as_it_is(shape: str) -> None:
    deep = SHAPES[shape](300, False)
    trace([deep["loss"], deep["middle"]])
    assert not pins._kept
    assert not pins._pinned
    assert [node.metadata for node in nodes_of(deep["loss"]) if node.metadata] == []


@keeps_wrappers
@pytest.mark.usefixtures("low")
@pytest.mark.parametrize(("length", "covered"), [(10, False), (11, True)])
def test_covered_is_what_is_too_deep(length: int, covered: bool) -> None:
    tensor = chain(length)
    trace(tensor)
    nodes = nodes_of(tensor)
    assert [pins.is_covered(node) for node in nodes] == [covered] * length
    assert [list(node.metadata) for node in nodes] == [["gradviz_keeper"] * covered] + [[]] * (length - 1)


@pytest.mark.usefixtures("low")
@pytest.mark.parametrize(
    ("version", "covered"),
    [("2.12.1", False), ("2.13.0a0+git1234567", True), ("2.13.0.dev20260401", True), ("2.14.1", True)],
)
@keeps_wrappers
def test_covered_from_2_13_on(monkeypatch: pytest.MonkeyPatch, version: str, covered: bool) -> None:
    monkeypatch.setattr(torch, "__version__", TorchVersion(version))
    tensor = chain(20)
    trace(tensor)
    assert pins.is_covered(tensor.grad_fn) == covered


@pytest.mark.parametrize(
    ("limit", "stack", "depth"),
    [
        (8 * 2**20, 0, 20_971),
        (64 * 2**20, 0, 20_971),
        (resource.RLIM_INFINITY, 0, 5_242),
        (2**20, 0, 2_621),
        (8 * 2**20, 256 * 2**10, 655),
        (2**20, 64 * 2**20, 2_621),
    ],
)
def test_the_smallest_stack_decides(monkeypatch: pytest.MonkeyPatch, limit: int, stack: int, depth: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    monkeypatch.setattr(threading, "stack_size", lambda: stack)
    assert lifetime._safe_depth() == depth


@keeps_wrappers
@pytest.mark.usefixtures("low")
class TestMetadata:
    """It belongs to the user, who may do with it as he pleases."""

    def test_cleared_then_dropped(self) -> None:
        tensor = chain(20)
        leaf = weakref.ref(nodes_of(tensor)[-1].variable)
        trace(tensor)
        tensor.grad_fn.metadata.clear()
        assert not pins.is_covered(tensor.grad_fn)
        assert pins.is_covered(tensor.grad_fn.next_functions[0][0])
        del tensor
        assert leaf() is None

    def test_cleared_then_traced_again(self) -> None:
        tensor = chain(20)
        trace(tensor)
        tensor.grad_fn.metadata.clear()
        trace(tensor)
        assert all(pins.is_covered(node) for node in nodes_of(tensor))
        assert list(tensor.grad_fn.next_functions[0][0].metadata) == []

    def test_held_longer_than_the_node(self) -> None:
        """The nodes live as long, and another node at the same address is not taken for the dead one."""
        tensor = chain(20)
        trace(tensor)
        metadata = tensor.grad_fn.metadata
        leaf = weakref.ref(nodes_of(tensor)[-1].variable)
        address = id(tensor.grad_fn)
        del tensor
        assert leaf() is not None
        others = []
        for _ in range(1000):
            others.append(chain(20))
            if id(others[-1].grad_fn) == address:
                break
        assert id(others[-1].grad_fn) == address
        assert not pins.is_covered(others[-1].grad_fn)
        trace(others[-1])
        assert pins.is_covered(others[-1].grad_fn)
        assert leaf() is None  # the dead node was noticed
        del metadata

    def test_copied_to_another_node(self) -> None:
        tensor, other = chain(20), chain(3)
        leaf = weakref.ref(nodes_of(tensor)[-1].variable)
        trace(tensor)
        other.grad_fn.metadata.update(tensor.grad_fn.metadata)
        del tensor
        assert leaf() is not None
        del other
        assert leaf() is None


def check_counts(tensor: Any) -> None:
    """Every covered node is pinned for the edges that lead to it from covered nodes, or kept if there are none."""
    nodes = nodes_of(tensor)
    covered = [node for node in nodes if pins.is_covered(node)]
    counts = Counter(child for node in covered for child, _ in node.next_functions if child is not None)
    assert {node: pins._pinned.get(node, 0) for node in covered} == {node: counts[node] for node in covered}
    assert [id(node) in pins._kept for node in nodes] == [node in covered and not counts[node] for node in nodes]


def interrupted_walk(tensor: Any, looked_at: int) -> Walk:
    """What a walk has found when it was interrupted after looking at so many nodes."""
    walk = start([tensor.grad_fn])
    advance(walk)
    del walk.targets[looked_at:], walk.following[looked_at:]
    found = 1 + max(max(targets) for targets in walk.targets)
    for node in walk.nodes[found:]:
        del walk.position[id(node)]
    del walk.nodes[found:]
    return walk


@keeps_wrappers
@pytest.mark.usefixtures("low")
@pytest.mark.parametrize("looked_at", range(1, 14))
def test_counts_are_exact_also_after_interruptions(looked_at: int) -> None:
    below = chain(12)
    above = (below.sin() + below.cos()).sin()
    above = above.sin() * above + below
    trace(below)
    check_counts(above)
    lifetime.secure(interrupted_walk(above, looked_at))
    check_counts(above)
    trace(above)
    check_counts(above)
    top = above.sin() + below
    trace(top)
    check_counts(top)
    del top
    check_counts(above)
    leaf = weakref.ref(nodes_of(below)[-1].variable)
    del above
    check_counts(below)
    assert leaf() is not None
    del below
    assert leaf() is None


@pytest.mark.usefixtures("low")
def test_the_memory_of_the_table_is_given_back() -> None:
    tensor = chain(2000)
    trace(tensor)
    del tensor
    assert sys.getsizeof(pins._pinned) == sys.getsizeof({})


@keeps_wrappers
@pytest.mark.usefixtures("low")
def test_a_node_that_leads_nowhere_needs_no_keeper() -> None:
    tensor = chain(20)
    accumulator = nodes_of(tensor)[-1]
    trace(tensor)
    del tensor
    check_nothing_left()
    assert accumulator.metadata == {}


@keeps_wrappers
@pytest.mark.usefixtures("low")
def test_a_root_below_another_gets_no_keeper_of_its_own() -> None:
    below = chain(20)
    above = below.sin().sin()
    trace(below)
    assert list(below.grad_fn.metadata) == ["gradviz_keeper"]
    trace([above, below])
    assert list(below.grad_fn.metadata) == []
    assert list(above.grad_fn.metadata) == ["gradviz_keeper"]
    del above
    assert list(below.grad_fn.metadata) == ["gradviz_keeper"]
