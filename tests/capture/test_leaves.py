"""Leaves: the facts of each tensor at which gradients are accumulated, and of the parameters that are not reached."""

from __future__ import annotations

import torch
from torch import nn

from gradviz.capture.trace import trace
from gradviz.graph import Hook, Leaf, TensorMeta
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf, linear


def meta(*shape: int, dtype: str = "float32", layout: str = "strided") -> TensorMeta:
    return TensorMeta(shape, dtype, "cpu", layout)


def test_an_input_and_a_parameter() -> None:
    x, w = leaf(3), nn.Parameter(torch.ones(3))
    first, second = trace((x * w).sum(), names={"x": x, "w": w}).leaves
    assert first == Leaf(
        name="x",
        aliases=(),
        parameter=False,
        meta=meta(3),
        is_leaf=True,
        requires_grad=True,
        retains_grad=False,
        grad=None,
        version=0,
        node="n2",
        hooks=(),
    )
    assert second == first._replace(name="w", parameter=True, node="n3")


def test_unreached_and_frozen_parameters_follow_in_the_order_of_the_model() -> None:
    model = nn.ModuleList([linear(4, 4), linear(4, 4), linear(4, 4)])
    model[1].requires_grad_(False)
    graph = trace(model[1](model[0](torch.randn(1, 4))).sum(), model=model)
    assert [(found.name, found.requires_grad, found.node is None) for found in graph.leaves] == [
        ("0.bias", True, False),
        ("0.weight", True, False),
        ("1.weight", False, True),
        ("1.bias", False, True),
        ("2.weight", True, True),
        ("2.bias", True, True),
    ]


def test_state_of_the_gradient() -> None:
    model = nn.ModuleDict({"words": nn.Embedding(5, 3, sparse=True), "last": linear(3, 2)})
    run = lambda: model["last"](model["words"](torch.tensor([1]))).sum()  # noqa: E731
    assert [found.grad for found in trace(run(), model=model).leaves] == [None] * 3
    run().backward()
    graph = trace(run(), model=model)
    assert graph.leaf("last.weight").grad == meta(2, 3)
    assert graph.leaf("words.weight").grad == meta(5, 3, layout="sparse_coo")
    model.zero_grad(set_to_none=False)
    assert trace(run(), model=model).leaf("last.bias").grad == meta(2)


def test_version_counts_changes_in_place() -> None:
    w = leaf(3)
    loss = w.exp().sum()
    with torch.no_grad():
        w.add_(1)
        w.zero_()
    assert trace(loss).leaves[0].version == 2


def test_an_inference_tensor_has_no_version() -> None:
    with torch.inference_mode():
        constant = torch.ones(3)
    graph = trace(leaf(3).exp(), model={"constant": constant})
    assert graph.leaf("constant").version is None
    assert graph.leaf("constant").requires_grad is False


def test_a_leaf_that_became_the_result_of_an_operation() -> None:
    a, w = leaf(3), leaf(3)
    loss = (a * 2).sum()
    a.requires_grad_(False)
    a.mul_(w)  # a is no leaf any more, but the older graph still accumulates into it
    (found,) = trace(loss, names={"a": a}).leaves
    assert (found.name, found.is_leaf, found.requires_grad, found.retains_grad) == ("a", False, True, False)
    assert (found.version, found.grad) == (1, None)
    a.retain_grad()
    (found,) = trace(loss, names={"a": a}).leaves
    assert found.retains_grad
    assert found.hooks == (Hook("retain_grad", "a", "retain_grad", None),)


def test_a_parameter_that_was_replaced_after_forward() -> None:
    model = linear(4, 2)
    old = model.weight
    loss = model(torch.randn(1, 4)).sum()
    model.weight = nn.Parameter(torch.zeros(2, 4))
    graph = trace(loss, model=model)
    assert graph.leaf("weight").node is None
    assert [(found.name, found.parameter, found.meta) for found in graph.leaves if found.node] == [
        ("bias", True, meta(2)),
        (None, True, meta(2, 4)),
    ]
    assert old.requires_grad


def test_types_and_layouts() -> None:
    graph = trace(built(KINDS["half_precision"]).outputs)
    assert sorted(found.meta.dtype for found in graph.leaves) == ["bfloat16", "float16"]
    assert trace(built(KINDS["sparse_addmm"]).outputs).leaves[1].meta == meta(3, 3, layout="sparse_coo")
    assert trace(built(KINDS["meta_device"]).outputs).leaves[0].meta.device == "meta"
    assert trace(built(KINDS["nested_strided"]).outputs).leaves[0].meta.shape is None


def test_a_parameter_without_a_shape_yet() -> None:
    graph = trace(leaf(3), model=nn.LazyLinear(2))
    assert graph.leaf("weight").meta == TensorMeta(None, "float32", "cpu", "strided")


def test_a_leaf_alone() -> None:
    w = leaf(3)
    graph = trace(w, names={"w": w})
    assert graph.expression("n0", root="w") == "torch.autograd.graph.get_gradient_edge(w).node"
    assert graph.roots[0].kind == "leaf"
    assert graph.leaf("w").node == "n0"
    assert graph.edges == ()
