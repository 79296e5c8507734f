"""Names of leaves: from the model, from names=, and what cannot be read as names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from gradviz.capture.names import collect, walk_module
from gradviz.capture.trace import trace
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from tests.capture.zoo.sample import leaf, linear


def names(graph: Graph) -> list[str | None]:
    return [found.name for found in graph.leaves]


def test_paths_in_the_model() -> None:
    model = nn.Sequential(linear(4, 4), nn.ModuleDict({"a b": linear(4, 2)})["a b"])
    graph = trace(model(torch.randn(1, 4)).sum(), model=model)
    assert sorted(names(graph), key=str) == ["0.bias", "0.weight", "1.bias", "1.weight"]


def test_several_modules_are_named_apart() -> None:
    generator, critic = linear(4, 4), linear(4, 1)
    loss = critic(generator(torch.randn(1, 4))).sum()
    expected = {"critic.bias", "critic.weight", "generator.bias", "generator.weight"}
    assert set(names(trace(loss, model={"generator": generator, "critic": critic}))) == expected
    assert set(names(trace(loss, model=[("generator", generator), ("critic", critic)]))) == expected


def test_a_tensor_may_be_part_of_the_model() -> None:
    w, unused = leaf(3), leaf(2)
    graph = trace(w.sum(), model={"w": w, "unused": unused})
    assert [(found.name, found.node) for found in graph.leaves] == [("w", "n1"), ("unused", None)]


@pytest.mark.parametrize("give", [dict, list, tuple, iter], ids=["mapping", "list", "tuple", "iterator"])
def test_further_names_come_as_mapping_or_pairs(give: Callable[[Any], Any]) -> None:
    x, y = leaf(3), leaf(3)
    assert names(trace((x * y).sum(), names=give([("x", x), ("y", y)]))) == ["x", "y"]


def test_named_parameters_can_be_given() -> None:
    model = linear()
    graph = trace(model(torch.randn(1, 4)).sum(), names=model.named_parameters())
    assert set(names(graph)) == {"weight", "bias"}
    assert graph.modules == ()


def test_given_names_come_first_and_paths_become_aliases() -> None:
    model = linear()
    graph = trace(model(torch.randn(1, 4)).sum(), model=model, names={"W": model.weight})
    found = graph.leaf("W")
    assert (found.name, found.aliases, found.parameter) == ("W", ("weight",), True)
    assert graph.leaf("weight") is found


def test_a_module_in_names_names_its_parameters_without_listing_unreached_ones() -> None:
    used, unused = linear(4, 2), linear(4, 2)
    graph = trace(used(torch.randn(1, 4)).sum(), names={"used": used, "unused": unused})
    assert set(names(graph)) == {"used.weight", "used.bias"}


def test_tied_weights_have_aliases_in_the_order_of_the_model() -> None:
    model = nn.ModuleDict({"first": linear(4, 4), "second": linear(4, 4), "third": linear(4, 4)})
    model["second"].weight = model["third"].weight = model["first"].weight
    x = torch.randn(1, 4)
    graph = trace(model["third"](model["second"](model["first"](x))).sum(), model=model)
    found = graph.leaf("third.weight")
    assert (found.name, found.aliases) == ("first.weight", ("second.weight", "third.weight"))
    assert sum(one.name == "first.weight" for one in graph.leaves) == 1


def test_a_shared_module_is_named_after_each_of_its_paths() -> None:
    shared = linear(4, 4)
    model = nn.Sequential(shared, nn.ReLU(), shared)
    graph = trace(model(torch.randn(1, 4)).sum(), model=model)
    assert [(one.name, one.aliases) for one in graph.leaves] == [("0.bias", ("2.bias",)), ("0.weight", ("2.weight",))]
    assert [path for path, _ in graph.modules] == ["", "0", "1", "2"]


def test_a_module_that_knows_its_parent_is_walked_once() -> None:
    parent, child = linear(4, 4), linear(4, 4)
    parent.child, child.parent = child, parent
    assert [path for path, _ in walk_module(parent)] == ["", "child"]
    graph = trace(parent(torch.randn(1, 4)).sum(), model=parent)
    assert graph.leaf("weight").node is not None
    assert graph.leaf("child.weight").node is None


class OptimizedModule(nn.Module):
    """Of the same name and form as what torch.compile returns, without its import of several seconds."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self._orig_mod = module


def test_wrappers_add_nothing_to_a_name() -> None:
    model = nn.Sequential(linear(4, 4), nn.DataParallel(linear(4, 2)))
    wrapped = OptimizedModule(model)
    paths = [path for path, _ in walk_module(wrapped)]
    assert paths == ["", "", "0", "1", "1"]
    assert {*collect(wrapped, None, None).tensors} == {"0.weight", "0.bias", "1.weight", "1.bias"}


def test_buffers_that_need_gradients_are_named_too() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("scale", leaf(3))
            self.register_buffer("absent", None)

    model = Scaled()
    graph = trace((model.scale * 2).sum(), model=model)
    assert names(graph) == ["scale"]


def test_what_nobody_named_has_no_name() -> None:
    graph = trace((leaf(3) * 2).sum(), model=linear())
    assert names(graph) == [None, "weight", "bias"]


MISREAD = "cannot be read as names of tensors"


@pytest.mark.parametrize("argument", ["model", "names"])
@pytest.mark.parametrize(
    "value",
    [3, "text", ["w"], [("w",)], [("w", 1)], [(1, torch.ones(1))], {"w": "text"}, {1: torch.ones(1)}, torch.ones(2)],
    ids=["int", "str", "list of str", "short", "int value", "int name", "str value", "int key", "tensor"],
)
def test_other_values_are_refused(argument: str, value: Any) -> None:
    with pytest.raises(GradvizError, match=f"{argument}= {MISREAD}"):
        trace(leaf(3), **{argument: value})


def test_a_module_alone_is_refused_as_names() -> None:
    with pytest.raises(GradvizError) as caught:
        trace(leaf(3), names=linear())
    assert str(caught.value) == (
        "names= cannot be read as names of tensors.\n"
        "  Why: it is a Linear that does not consist of pairs of a name and a tensor or module.\n"
        '  What to do: pass a mapping such as {"x": x, "generator": generator}, or pairs such as '
        "model.named_parameters()."
    )


@pytest.mark.parametrize(
    "given",
    [
        {"names": [("w", torch.ones(1)), ("w", torch.zeros(1))]},
        {"model": [("", linear()), ("", linear())]},
        {"model": linear(), "names": {"weight": torch.ones(1)}},
        {"model": {"a": linear(), "a.weight": torch.ones(1)}},
    ],
    ids=["names", "modules", "model and names", "module and tensor"],
)
def test_one_name_for_two_tensors_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(GradvizError, match=r"Two different tensors are called '[a.]*w(eight)?'\."):
        trace(leaf(3), **given)


def test_one_tensor_may_be_given_twice() -> None:
    w = leaf(3)
    graph = trace(w.sum(), names=[("w", w), ("w", w), ("v", w)])
    assert [(found.name, found.aliases) for found in graph.leaves] == [("w", ("v",))]
