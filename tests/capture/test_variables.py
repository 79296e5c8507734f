"""Names after the caller's variables: which ones are taken, and that the frame is left as it was."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import torch
from torch import nn

import gradviz
from gradviz.graph import Graph
from tests.capture.live import trace_here
from tests.capture.zoo.sample import leaf, linear


def names(graph: Graph) -> set[str | None]:
    return {found.name for found in graph.leaves}


def test_local_variables() -> None:
    w, v = leaf(3), leaf(3)
    assert names(trace_here((w * v).sum())) == {"w", "v"}


def test_the_public_verb_takes_the_variables_of_its_caller() -> None:
    w = leaf(3)
    assert names(gradviz.trace(w.sum())) == {"w"}


def test_two_variables_of_one_tensor() -> None:
    first = leaf(3)
    second = first
    (found,) = trace_here(second.sum()).leaves
    assert found.name == "first"


def test_entries_of_containers() -> None:
    weights = [leaf(2), leaf(2)]
    by_name = {"a": leaf(2), 7: leaf(2), (1, 2): leaf(2)}
    pair = (leaf(2), None)
    loss = sum([*weights, *by_name.values(), pair[0]]).sum()
    expected = {"weights[0]", "weights[1]", "by_name['a']", "by_name[7]", "pair[0]", None}
    assert names(trace_here(loss)) == expected


def test_attributes_of_self() -> None:
    class Trainer:
        def __init__(self) -> None:
            self.scale = leaf(3)
            self.model = linear(3, 2)

        def step(self) -> Graph:
            return trace_here(self.model(self.scale).sum())

    assert names(Trainer().step()) == {"self.scale", "weight", "bias"}


def test_self_that_is_a_module_gives_paths_without_a_prefix() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = linear(4, 2)

        def step(self, x: torch.Tensor) -> Graph:
            return trace_here(self.layer(x).sum())

    graph = Model().step(leaf(1, 4))
    assert names(graph) == {"layer.weight", "layer.bias", "x"}
    assert graph.modules == (("", "Model"), ("layer", "Linear"))


def test_one_module_gives_paths_without_a_prefix() -> None:
    model = nn.Sequential(linear(4, 4), linear(4, 2))
    last = model[1]  # belongs to model
    graph = trace_here(model(torch.randn(1, 4)).sum())
    assert last.weight.requires_grad
    assert names(graph) == {"0.weight", "0.bias", "1.weight", "1.bias"}


def test_two_modules_give_paths_with_their_names() -> None:
    generator, critic = linear(4, 4), linear(4, 1)
    graph = trace_here(critic(generator(torch.randn(1, 4))).sum())
    assert names(graph) == {"generator.weight", "generator.bias", "critic.weight", "critic.bias"}
    assert graph.modules == (("generator", "Linear"), ("critic", "Linear"))


def test_a_module_beside_the_given_model_gives_paths_with_its_name() -> None:
    generator, critic = linear(4, 4), linear(4, 1)
    graph = trace_here(critic(generator(torch.randn(1, 4))).sum(), model=generator)
    assert names(graph) == {"weight", "bias", "critic.weight", "critic.bias"}


def test_modules_in_lists() -> None:
    hidden = [linear(4, 4), linear(4, 4)]
    graph = trace_here(hidden[1](hidden[0](torch.randn(1, 4))).sum())
    assert names(graph) == {"hidden[0].weight", "hidden[0].bias", "hidden[1].weight", "hidden[1].bias"}


def test_one_module_in_a_list_keeps_its_place() -> None:
    hidden = [linear(4, 4)]
    assert names(trace_here(hidden[0](torch.randn(1, 4)).sum())) == {"hidden[0].weight", "hidden[0].bias"}


def test_unreached_parameters_of_variables_are_not_listed() -> None:
    unused = linear(4, 4)
    w = leaf(3)
    assert names(trace_here(w.sum())) == {"w"}
    assert unused.weight.grad is None


def test_given_names_and_the_model_come_before_variables() -> None:
    w, v = leaf(3), leaf(3)
    graph = trace_here((w * v).sum(), names={"given": w, "v": w})
    assert [(found.name, found.aliases) for found in graph.leaves] == [("given", ("v",)), (None, ())]


def test_private_names_are_not_used() -> None:
    _ = _hidden = leaf(3)
    assert names(trace_here(_hidden.sum())) == {None}


def test_at_module_level() -> None:
    space: dict[str, Any] = {"trace_here": trace_here, "leaf": leaf}
    exec(compile("W = leaf(3)\ngraph = trace_here(W.sum())", "script.py", "exec"), space)
    assert names(space["graph"]) == {"W"}


def test_in_a_comprehension_and_a_class_body() -> None:
    graphs = [trace_here(w.exp()) for w in [leaf(3), leaf(3)]]
    assert [names(graph) for graph in graphs] == [{"w"}, {"w"}]

    class Body:
        scale = leaf(3)
        graph = trace_here(scale.exp())

    assert names(Body.graph) == {"scale"}


def test_the_variables_of_the_frame_stay() -> None:
    w, count = leaf(3), 3
    before = dict(locals())
    trace_here(w.sum())
    assert {key: value for key, value in locals().items() if key != "before"} == before
    assert (w.shape, count) == ((3,), 3)


def test_a_dictionary_that_the_user_got_from_locals_stays() -> None:
    w = leaf(3)
    kept = locals()
    trace_here(w.sum())
    assert kept["w"] is w


def test_the_snapshot_of_a_frame_is_emptied() -> None:
    w = leaf(3)
    trace_here(w.sum())
    count = sys.getrefcount(w)
    trace_here(w.sum())
    assert sys.getrefcount(w) == count


class Proxy:
    """Says that it is what it wraps, as wrapt's does, and counts how often it is asked for anything."""

    def __init__(self, wrapped: Any) -> None:
        object.__setattr__(self, "wrapped", wrapped)
        object.__setattr__(self, "asked", [])

    def __getattribute__(self, name: str) -> Any:
        object.__getattribute__(self, "asked").append(name)
        return getattr(object.__getattribute__(self, "wrapped"), name)


@pytest.mark.parametrize("wrapped", [linear(), torch.ones(3), {"a": 1}], ids=["module", "tensor", "dict"])
def test_proxies_are_not_asked(wrapped: Any) -> None:
    w, proxy = leaf(3), Proxy(wrapped)
    entries = [proxy]
    self = proxy
    assert names(trace_here(w.sum())) == {"w"}
    assert object.__getattribute__(proxy, "asked") == []
    assert len(entries) == 1
    assert self is proxy


def test_a_module_that_is_not_ready_is_passed_by() -> None:
    class Half(nn.Module):
        def __init__(self) -> None:
            self.__dict__["graph"] = self.trace()

        def trace(self) -> Graph:
            w = leaf(3)
            return trace_here(w.sum())

    assert names(vars(Half())["graph"]) == {"w"}
