"""A trace holds nothing: while the Graph lives, every tensor, module and ctx dies by ``del``, without the collector."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from tests.capture.live import raw_walk, tensors_of, trace_here
from tests.capture.zoo.catalogue import KINDS, KINDS_AND_SEARCHES
from tests.capture.zoo.sample import Builder, built, leaf, linear

# The builders of these make a cycle of their own, through torch: what keeps the rest alive is not the trace.
CYCLES = frozenset({"saved_tensors_hooks", "save_on_cpu", "weight_norm"})


@pytest.fixture(autouse=True)
def _without_the_collector() -> Iterator[None]:
    KINDS["checkpoint_non_reentrant"]()  # the first checkpoint of a process leaves cycles behind, traced or not
    gc.disable()
    yield
    gc.enable()


def watched(things: list[Any]) -> list[weakref.ref[Any]]:
    return [weakref.ref(thing) for thing in things]


def alive_after(build: Builder, look: Callable[..., Graph | None]) -> tuple[int, list[bool], Graph | None]:
    """How many things there were, which are still alive after the sample was dropped, and what ``look`` gave."""
    sample = built(build)
    walk = raw_walk(sample.root_list)
    contexts = [node for node in walk.nodes.values() if isinstance(node, torch._C._FunctionBase)]
    modules = [] if sample.model is None else list(sample.model.modules())
    references = watched([*tensors_of(walk, sample.root_list, sample.model), *contexts, *modules])
    graph = look(sample.outputs, model=sample.model)
    del sample, walk, contexts, modules
    return len(references), [reference() is not None for reference in references], graph


@pytest.mark.parametrize(("build", "hooks"), KINDS_AND_SEARCHES.values(), ids=KINDS_AND_SEARCHES)
def test_everything_dies_while_the_graph_lives(build: Builder, hooks: Any) -> None:
    count, alive, graph = alive_after(build, lambda outputs, model: trace_here(outputs, model=model, hooks=hooks))
    assert count
    assert graph is not None
    if build.__name__ in CYCLES:
        assert alive == alive_after(build, lambda *_, **__: None)[1]
    else:
        assert not any(alive)


def test_local_variables_of_the_caller_die() -> None:
    w, model = leaf(3), linear(3, 2)
    parts = [w * 2, {"inner": w.exp()}]
    loss = model(parts[0]).sum()
    references = watched([w, model, model.weight, parts[0], parts[1]["inner"], loss])
    graph = trace_here(loss)
    assert graph.leaf("w").node is not None
    del w, model, parts, loss
    assert [reference() for reference in references] == [None] * 6


def test_closed_over_variables_die() -> None:
    w = leaf(3)
    loss = w.exp().sum()

    def inner() -> Graph:
        return trace_here(loss * w.sum())  # noqa: F821  (they are deleted below, after this has run)

    references = watched([w, loss])
    graph = inner()
    assert graph.leaf("w").node is not None
    del w, loss
    assert [reference() for reference in references] == [None] * 2


def test_variables_of_a_module_die() -> None:
    space: dict[str, Any] = {"trace_here": trace_here, "leaf": leaf}
    exec(compile("w = leaf(3); loss = w.exp().sum(); graph = trace_here(loss)", "script.py", "exec"), space)
    assert space["graph"].leaf("w").node is not None
    references = watched([space["w"], space["loss"]])
    exec(compile("del w, loss", "script.py", "exec"), space)
    assert [reference() for reference in references] == [None] * 2


def test_variables_of_a_generator_die() -> None:
    def steps() -> Iterator[Any]:
        w = leaf(3)
        loss = w.exp().sum()
        graph = trace_here(loss)
        assert graph.leaf("w").node is not None
        yield watched([w, loss])
        del w, loss
        yield graph

    running = steps()
    references = next(running)
    assert all(reference() is not None for reference in references)
    graph = next(running)
    assert [reference() for reference in references] == [None] * 2
    assert len(graph.nodes) == 3


def test_self_and_its_attributes_die() -> None:
    class Trainer:
        def __init__(self) -> None:
            self.scale = leaf(3)
            self.model = linear(3, 2)

        def step(self) -> Graph:
            return trace_here(self.model(self.scale).sum())

    trainer = Trainer()
    references = watched([trainer, trainer.scale, trainer.model])
    assert trainer.step().leaf("self.scale").node is not None
    del trainer
    assert [reference() for reference in references] == [None] * 3


@pytest.mark.parametrize(
    "given",
    [{}, {"model": 3}, {"names": {"w": "text"}}, {"hooks": "some"}, {"names": [("w", 1)]}],
    ids=["no tensor", "model", "names", "hooks", "pairs"],
)
def test_an_error_holds_nothing_once_it_is_dropped(given: dict[str, Any]) -> None:
    w = leaf(3)
    loss = w.exp().sum()
    references = watched([w, loss])
    with pytest.raises(GradvizError) as caught:
        trace_here(loss.detach() if not given else loss, **given)
    del caught
    del w, loss
    assert [reference() for reference in references] == [None] * 2


def test_in_a_thread_everything_dies_at_once() -> None:
    results: list[Any] = []

    def work() -> None:
        w = leaf(3)
        loss = w.exp().sum()
        references = watched([w, loss])
        results.append(trace_here(loss))
        del w, loss
        results.append([reference() for reference in references])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(results[0].nodes) == 3
    assert results[1] == [None] * 2


def test_a_custom_function_class_dies() -> None:
    def make() -> tuple[weakref.ref[Any], Graph]:
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(_: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(_: Any, gradient: Any) -> Any:
                return gradient * 2

        return weakref.ref(Double), trace_here(Double.apply(leaf(3)))

    reference, graph = make()
    gc.collect()  # a class is always part of a cycle
    assert reference() is None
    assert graph.nodes[0].op == "DoubleBackward"
