"""Gradients: what arrives at every slot is what autograd itself computes, in the order in which the engine runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.autograd.graph import GradientEdge

from gradviz import watch
from gradviz.capture import run as capture_run
from gradviz.capture.magnitudes import Magnitudes
from gradviz.capture.walk import advance, start
from gradviz.recording import Backward, Contribution, Gradient, Magnitude, Watched


class Keeping(Magnitudes):
    """Also keeps a copy of everything that is put in."""

    def __init__(self) -> None:
        super().__init__()
        self.copies: list[Tensor | None] = []

    def put(self, tensor: Tensor | None, *, full: bool = False) -> int:
        self.copies.append(None if tensor is None else tensor.detach().clone())
        return super().put(tensor, full=full)


@contextmanager
def keeping(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Keeping]]:
    made: list[Keeping] = []

    def make() -> Keeping:
        made.append(Keeping())
        return made[-1]

    monkeypatch.setattr(capture_run, "Magnitudes", make)
    yield made


def transformer() -> Tensor:
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    model = nn.Sequential(nn.Embedding(10, 16), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False))
    return model(torch.randint(0, 10, (3, 5))).pow(2).mean()


def cnn() -> Tensor:
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)
    )
    return nn.functional.cross_entropy(model(torch.randn(4, 3, 8, 8)), torch.tensor([0, 1, 2, 3]))


def lstm() -> Tensor:
    output, (hidden, _) = nn.LSTM(4, 6, num_layers=2)(torch.randn(5, 3, 4))
    return output.sum() + hidden.pow(2).sum()


@pytest.mark.parametrize("network", [transformer, cnn, lstm])
def test_what_arrives_is_what_autograd_computes_bit_for_bit(network: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = network()
    walk = start([loss.grad_fn])
    advance(walk)
    slots = [(place, slot) for place, node in enumerate(walk.nodes) for slot in range(len(node._input_metadata))]
    edges = [GradientEdge(walk.nodes[place], slot) for place, slot in slots]
    expected = dict(zip(slots, torch.autograd.grad(loss, edges, allow_unused=True, retain_graph=True), strict=True))
    with keeping(monkeypatch) as made, watch(steps=None) as watched:
        loss.backward()
        copies = made[0].copies
    gradients = one(watched).gradients
    assert len(gradients) == len(slots)
    for gradient, copy in zip(gradients, copies, strict=True):
        reference = expected[int(gradient.node[1:]), gradient.slot]
        assert (copy is None) == (reference is None)
        if copy is not None:
            assert torch.equal(copy, reference)
            assert gradient.size == size(reference)


def one(watched: Watched) -> Backward:
    assert watched.recording is not None
    (backward,) = watched.recording.backwards
    return backward


def size(tensor: Tensor) -> Magnitude | None:
    sizes = Magnitudes()
    ticket = sizes.put(tensor)
    sizes.read()
    return sizes[ticket]


def norms(backward: Backward) -> dict[tuple[str, int], float | None]:
    return {(node, slot): None if size is None else size.norm for node, slot, size, _ in backward.gradients}


def test_sizes_and_order_of_a_small_graph() -> None:
    """n0 sum, n1 mul, n2 and n3 the leaves: d(a*b)/da = b."""
    a, b = torch.full((4,), 3.0, requires_grad=True), torch.full((4,), 5.0, requires_grad=True)
    with watch() as watched:
        (a * b).sum().backward()
    backward = one(watched)
    assert backward.executed == ("n0", "n1", "n2", "n3")
    assert norms(backward) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n2", 0): 10.0, ("n3", 0): 6.0}


def test_the_order_is_the_predicted_one_where_nothing_disturbs_it() -> None:
    with watch() as watched:
        transformer().backward()
    order = {node.id: node.order for node in watched.graph.nodes}
    assert [order[node] for node in one(watched).executed] == list(range(len(order)))


def test_measured_after_tensor_hooks_and_before_hooks_of_nodes() -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    y.register_hook(lambda gradient: gradient * 10)
    y.grad_fn.register_prehook(lambda gradients: (gradients[0] * 100,))
    with watch() as watched:
        y.sum().backward()
    assert norms(one(watched)) == {("n0", 0): 1.0, ("n1", 0): 20.0, ("n2", 0): 4000.0}
    assert x.grad.tolist() == [2000.0] * 4


def test_an_output_that_the_loss_does_not_use_gets_no_gradient() -> None:
    first, _ = torch.ones(8, requires_grad=True).split(4)
    with watch() as watched:
        first.sum().backward()
    assert norms(one(watched)) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n1", 1): None, ("n2", 0): 2.0}


def test_what_grad_was_asked_for_is_measured_although_it_does_not_run() -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 3
    z = y * 5
    unused = torch.ones(1, requires_grad=True)
    with watch() as watched:
        given = torch.autograd.grad(z.sum(), [x, GradientEdge(y.grad_fn, 0), z, x, unused], allow_unused=True)
    backward = one(watched)
    assert given[0].tolist() == [15.0] * 4
    assert backward.executed == ("n0", "n1", "n2")
    assert norms(backward) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n2", 0): 10.0, ("n3", 0): 30.0}


def test_a_part_of_the_graph_runs_where_inputs_are_given() -> None:
    x, other = torch.ones(4, requires_grad=True), torch.ones(4, requires_grad=True)
    y = x * 3
    with watch() as watched:
        (y * other).sum().backward(inputs=[x])
    assert norms(one(watched)) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n2", 0): 2.0, ("n4", 0): 6.0}
    assert other.grad is None


def test_a_backward_inside_a_hook_over_the_same_graph() -> None:
    """Each run has only what flowed in itself, also where the inner one runs before the outer one's first node."""
    x = torch.ones(4, requires_grad=True)
    y = x * 3
    loss = y.sum()
    fired = []

    def again(_: Tensor) -> None:
        if not fired:
            fired.append(True)
            torch.autograd.backward(loss, torch.tensor(7.0), retain_graph=True)

    loss.register_hook(again)
    with watch() as watched:
        loss.backward()
    assert watched.recording is not None
    outer, inner = watched.recording.backwards
    assert (outer.nested, inner.nested) == (False, True)
    assert norms(outer) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n2", 0): 6.0}
    assert norms(inner) == {("n0", 0): 7.0, ("n1", 0): 14.0, ("n2", 0): 42.0}
    assert outer.executed == inner.executed == ("n0", "n1", "n2")


def test_observed_nodes_are_measured_in_full_with_what_each_edge_adds() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(4))

    net = Net()
    with watch(net, observe="weight") as watched:
        (net.weight * 3 + net.weight * 5 + net.weight.detach()).sum().backward()
    graph, backward = watched.graph, one(watched)
    leaf = graph.leaf("weight").node
    assert leaf is not None
    (found,) = [gradient for gradient in backward.gradients if gradient.node == leaf]
    five, three = (Magnitude(2 * factor, factor, 0.0, 0) for factor in (5.0, 3.0))
    sources = {edge.source: edge.source_slot for edge in graph.edges if edge.target == leaf}
    assert found.size == Magnitude(16.0, 8.0, 0.0, 0)
    assert {added.source: added.source_slot for added in found.contributions} == sources
    assert {added.size for added in found.contributions} == {five, three}
    assert all(gradient.size is not None for gradient in backward.gradients)
    others = [gradient for gradient in backward.gradients if gradient.node != leaf]
    assert all(one.size == Magnitude(one.size.norm) and one.contributions == () for one in others if one.size)


def test_hooks_of_nodes_are_part_of_what_an_edge_adds() -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    y.grad_fn.register_hook(lambda results, _: (results[0] * 10, None))
    with watch(names={"x": x}, observe=["x"]) as watched:
        y.sum().backward()
    found = one(watched).gradients[-1]
    assert found == Gradient(
        "n2", 0, Magnitude(40.0, 20.0, 0.0, 0), (Contribution("n1", 0, Magnitude(40.0, 20.0, 0.0, 0)),)
    )


def test_a_pattern_that_matched_nothing_is_noted() -> None:
    x = torch.ones(4, requires_grad=True)
    with watch(names={"x": x}, observe=["x", "decoder.*"]) as watched:
        x.sum().backward()
    assert watched.recording is not None
    assert watched.recording.notes == ("observe='decoder.*' matched no leaf and no module of any backward.",)


def test_turns_are_found() -> None:
    x = torch.ones(4, requires_grad=True)
    with watch() as watched:
        ((x * 0.0) * 2).sum().backward()
    ((kind, source, target, slot, before, after),) = one(watched).turns
    assert (kind, source, target, slot, before, after) == ("zero", "n2", "n3", 0, 4.0, 0.0)


def test_gates_come_first_and_leave_the_others_in_their_order() -> None:
    order = []
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    handles = [y.grad_fn.register_prehook(lambda _, name=name: order.append(name)) for name in "ab"]
    handles[0].remove()
    handles.append(y.grad_fn.register_prehook(lambda _: order.append("c")))
    loss = y.sum()
    before = dict(handles[1].hooks_dict_ref())
    with watch() as watched:
        loss.backward(retain_graph=True)
        handles[1].remove()
        loss.backward()
    assert order == ["b", "c", "c"]
    assert list(handles[1].hooks_dict_ref()) == [handles[2].id]
    assert list(before) == [handles[1].id, handles[2].id]
    assert watched.recording is not None
    assert [norms(backward)["n1", 0] for backward in watched.recording.backwards] == [2.0, 2.0]


def test_gates_are_gone_when_the_engine_has_raised() -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    loss = y.sum()

    def fail(_: Tensor) -> None:
        raise ValueError("no")

    handle = y.register_hook(fail)
    with watch() as watched:
        with pytest.raises(ValueError, match="no"):
            loss.backward(retain_graph=True)
        handle.remove()
    backward = one(watched)
    assert (backward.executed, backward.error) == (("n0",), "ValueError: no")
    for node in (loss.grad_fn, y.grad_fn):
        probe = node.register_prehook(lambda _: None)
        assert list(probe.hooks_dict_ref()) == [probe.id]
        probe.remove()


def test_a_ctx_that_hides_the_methods_of_its_node() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.register_prehook = ctx.register_hook = None
            return x * 2

        @staticmethod
        def backward(_: Any, gradient: Tensor) -> Tensor:
            return gradient * 2

    x = torch.ones(4, requires_grad=True)
    with watch(names={"x": x}, observe="x") as watched:
        Double.apply(x).sum().backward()
    assert norms(one(watched)) == {("n0", 0): 1.0, ("n1", 0): 2.0, ("n2", 0): 4.0}


def test_create_graph_gets_no_nodes_of_ours() -> None:
    def second(watched: bool) -> list[str]:
        x = torch.full((4,), 3.0, requires_grad=True)
        with watch() if watched else torch.enable_grad():
            (gradient,) = torch.autograd.grad(x.pow(3).sum(), x, create_graph=True)
            walk = start([gradient.grad_fn])
            advance(walk)
            gradient.sum().backward()
        assert x.grad.tolist() == [18.0] * 4
        return [node.name() for node in walk.nodes]

    assert second(watched=True) == second(watched=False)
