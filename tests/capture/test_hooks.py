"""Hooks found on a live graph: each kind with its owner, the function's name and the line that defines it."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge, register_multi_grad_hook
from torch.nn.modules import module as torch_module

from gradviz.capture.trace import trace
from gradviz.graph import Graph, Hook, HookKind
from tests.capture.zoo.sample import leaf, linear

# What the tests register. None of them is ever run by a trace: each would fail.


def on_gradient(_: Any) -> None:
    pytest.fail("a hook was run")


def on_node(*_: Any) -> None:
    pytest.fail("a hook was run")


class Callback:
    def __call__(self, gradient: Any) -> None:
        on_gradient(gradient)

    def method(self, gradient: Any) -> None:
        on_gradient(gradient)


def where(function: Callable[..., Any]) -> str:
    return f"tests/capture/test_hooks.py:{function.__code__.co_firstlineno}"


def hook(kind: HookKind, owner: str, function: Callable[..., Any] = on_gradient) -> Hook:
    return Hook(kind, owner, function.__qualname__.replace(".<locals>", ""), where(function))


def of(graph: Graph, node: str) -> tuple[Hook, ...]:
    return graph[node].hooks


def test_hooks_of_a_leaf() -> None:
    w = leaf(3)
    w.register_hook(on_gradient)
    w.register_post_accumulate_grad_hook(on_gradient)
    graph = trace(w.exp(), names={"w": w})
    expected = (hook("tensor", "w"), hook("post_accumulate", "w"))
    assert graph.leaf("w").hooks == expected
    assert of(graph, "n1") == expected


def test_a_leaf_without_a_name_is_called_by_its_node() -> None:
    w = leaf(3)
    w.register_hook(on_gradient)
    assert trace(w.exp()).leaves[0].hooks == (hook("tensor", "n1"),)


def test_hooks_of_an_unreached_parameter() -> None:
    model = linear()
    model.weight.register_hook(on_gradient)
    graph = trace(leaf(3).exp(), model=model)
    assert graph.leaf("weight").hooks == (hook("tensor", "weight"),)


@pytest.mark.parametrize(
    ("function", "name", "line"),
    [
        (functools.partial(on_node, 1), "on_node", where(on_node)),
        (Callback(), "Callback.__call__", where(Callback.__call__)),
        (Callback().method, "Callback.method", where(Callback.method)),
        (functools.partial(Callback().method), "Callback.method", where(Callback.method)),
        (torch.abs, "_VariableFunctionsClass.abs", None),
        (str, "str", None),
    ],
    ids=["partial", "object", "method", "partial of a method", "built-in", "class"],
)
def test_whatever_can_be_called_is_named(function: Any, name: str, line: str | None) -> None:
    w = leaf(3)
    w.register_hook(function)
    assert trace(w.exp()).leaves[0].hooks == (Hook("tensor", "n1", name, line),)


def test_lambdas_are_told_apart_by_their_lines() -> None:
    w = leaf(3)
    w.register_hook(lambda _: None)
    w.register_hook(
        lambda _: None,
    )
    first, second = trace(w.exp()).leaves[0].hooks
    assert first.name == second.name == "test_lambdas_are_told_apart_by_their_lines.<lambda>"
    assert first.where != second.where


def test_hooks_of_tensors_that_a_consumer_saved() -> None:
    a = leaf(3).exp()  # saved by the multiplication
    a.register_hook(on_gradient)
    a.retain_grad()
    graph = trace(a * leaf(3))
    assert of(graph, "n1") == (hook("tensor", "n1"), Hook("retain_grad", "n1", "retain_grad", None))


def test_hooks_of_tensors_that_nobody_saved_are_found_on_request() -> None:
    a = leaf(3) + 1
    a.register_hook(on_gradient)
    loss = a.sum()
    loss.retain_grad()
    found, searched = trace(loss), trace(loss, hooks="all")
    assert [node.hooks for node in found.nodes] == [(), (), ()]
    assert of(searched, "n0") == (Hook("retain_grad", "n0", "retain_grad", None),)
    assert of(searched, "n1") == (hook("tensor", "n1"),)


def test_hooks_of_nodes_are_found_on_request() -> None:
    w = leaf(3)
    loss = w.exp()
    loss.grad_fn.register_prehook(on_node)
    loss.grad_fn.register_hook(on_node)
    accumulator = get_gradient_edge(w).node
    accumulator.register_prehook(on_node)
    accumulator.register_hook(on_node)
    assert [node.hooks for node in trace(loss).nodes] == [(), ()]
    graph = trace(loss, hooks="all")
    assert of(graph, "n0") == (hook("node_pre", "n0", on_node), hook("node_post", "n0", on_node))
    assert of(graph, "n1") == (hook("node_pre", "n1", on_node), hook("node_post", "n1", on_node))


@pytest.mark.parametrize("mode", ["all", "any"])
def test_multi_grad_hooks(mode: Any) -> None:
    w, v = leaf(3), leaf(3)
    register_multi_grad_hook([w, v], on_gradient, mode=mode)
    graph = trace(w * v, names={"w": w, "v": v})
    assert graph.leaf("w").hooks == (hook("multi_grad", "w"),)
    assert graph.leaf("v").hooks == (hook("multi_grad", "v"),)


def test_optimizer_in_backward() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript, which the package still imports
        from torch.distributed.optim import _apply_optimizer_in_backward
    model = linear(4, 2)
    _apply_optimizer_in_backward(torch.optim.SGD, model.parameters(), {"lr": 0.1})
    graph = trace(model(leaf(1, 4)), model=model, hooks="all")
    node = graph.leaf("weight").node
    assert node is not None
    assert [(one.kind, one.name.rpartition(".")[2]) for one in of(graph, node)] == [
        ("optimizer_in_backward", "optimizer_hook")
    ]


def test_views_that_were_modified_in_place_are_said_to_be_left_out() -> None:
    note = "Hooks on views that were modified in place are left out: asking for their nodes could make new ones."
    view = (leaf(4) * 1)[:2]
    view.mul_(2)
    view.register_hook(on_gradient)
    loss = view * view
    assert note in trace(loss).notes
    assert note not in trace(leaf(3).exp()).notes


def test_what_was_not_looked_for_is_said() -> None:
    w = leaf(3)
    assert trace(w).notes == (
        "Hooks on nodes, and on tensors that no node saved, were not looked for: trace(..., hooks='all') does. "
        "Hooks in C++, such as DDP's, cannot be seen.",
    )
    assert trace(w, hooks="all").notes == (
        "Hooks in C++, such as DDP's, and hooks on tensors that are gone cannot be seen.",
    )


@pytest.fixture
def model() -> Iterator[nn.Sequential]:
    yield nn.Sequential(linear(4, 4), nn.ReLU(), linear(4, 2))
    torch_module._global_is_full_backward_hook = None  # torch itself never takes it back


def test_hooks_of_modules(model: nn.Sequential) -> None:
    model[0].register_full_backward_pre_hook(on_node)
    model[0].register_full_backward_hook(on_node)
    model[0].register_full_backward_hook(Callback().method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        model[2].register_backward_hook(on_node)
    assert trace(leaf(3), model=model).hooks == (
        hook("module_backward_pre", "0", on_node),
        hook("module_backward", "0", on_node),
        hook("module_backward", "0", Callback.method),
        hook("module_backward_legacy", "2", on_node),
    )


def test_hooks_of_a_wrapper(model: nn.Sequential) -> None:
    wrapped = nn.DataParallel(model)
    wrapped.register_full_backward_hook(on_node)
    graph = trace(leaf(3), model=wrapped)
    assert graph.hooks == (hook("module_backward", "", on_node),)
    assert graph.modules[0] == ("", "Sequential")


def test_hooks_of_every_module(model: nn.Sequential) -> None:
    handles = [
        torch_module.register_module_full_backward_pre_hook(on_node),
        torch_module.register_module_full_backward_hook(on_node),
    ]
    graph = trace(leaf(3), model=model)
    for handle in handles:
        handle.remove()
    assert graph.hooks == (
        hook("module_backward_pre", "every module", on_node),
        hook("module_backward", "every module", on_node),
    )


def test_legacy_hooks_of_every_module(model: nn.Sequential) -> None:
    handle = torch_module.register_module_backward_hook(on_node)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        output = model(leaf(1, 4))
    graph = trace(output, model=model, hooks="all")
    handle.remove()
    assert graph.hooks == (hook("module_backward_legacy", "every module", on_node),)
    assert of(graph, "n0") == (hook("module_backward_legacy", "n0", on_node),) * 2  # of the Linear and the Sequential


@pytest.mark.parametrize("needs_gradient", [True, False])
def test_where_the_hooks_of_a_module_run(model: nn.Sequential, needs_gradient: bool) -> None:
    model[0].register_full_backward_pre_hook(on_node)
    model[0].register_full_backward_hook(on_node)
    output = model(torch.randn(1, 4, requires_grad=needs_gradient))
    graph = trace(output, model=model, hooks="all")
    found = {node.id: node.hooks for node in graph.nodes if node.op == "BackwardHookFunctionBackward"}
    (at_output, *at_input) = found
    before, after = hook("module_backward_pre", at_output, on_node), hook("module_backward", at_output, on_node)
    if needs_gradient:
        assert found[at_output] == (before,)
        assert found[at_input[0]] == (after._replace(owner=at_input[0]),)
    else:  # then torch runs both at the output, which is the only node of the two
        assert found == {at_output: (before, after)}
