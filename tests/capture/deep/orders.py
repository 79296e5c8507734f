"""What is dropped first, how often it was traced, and what had happened to it: one process for each combination."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import torch

from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.deep.graphs import SHAPES, TOP, Deep, check_nothing_left

LENGTH = 10_000


def _once(deep: Deep) -> list[Graph]:
    return [trace(deep["loss"])]


def _twice(deep: Deep) -> list[Graph]:
    graphs = [trace(deep["loss"]), trace(deep["loss"])]
    assert graphs[0] == graphs[1]
    return graphs


def _below_first(deep: Deep) -> list[Graph]:
    return [trace(deep["middle"]), trace(deep["loss"])]


def _above_first(deep: Deep) -> list[Graph]:
    return [trace(deep["loss"]), trace(deep["middle"])]


def _many_roots(deep: Deep) -> list[Graph]:
    roots = [deep["loss"], deep["middle"]]
    if "states" in deep.owned:
        roots += [state for _, state in deep["states"][::100]]
    graph = trace(roots)
    assert len(graph.roots) == len(roots)
    return [graph]


def _grown(deep: Deep) -> list[Graph]:
    """Traced, built on, and traced again; the first loss is dropped with the last."""
    below = trace(deep["loss"])
    above = deep["loss"]
    for _ in range(LENGTH // 2):
        above = above.sin()
    deep.own("loss", TOP, above)
    graph = trace(above)
    assert len(graph.nodes) == len(below.nodes) + LENGTH // 2
    return [below, graph]


def _shared(deep: Deep) -> list[Graph]:
    """Another graph on the lower half, traced in between, which dies before the loss does."""
    below = trace(deep["middle"])
    other = deep["middle"]
    for _ in range(LENGTH // 2):
        other = other.cos()
    graphs = [below, trace(other.sum()), trace(deep["loss"])]
    del other
    deep.check()
    return graphs


def _built_on(deep: Deep) -> list[Graph]:
    """Something that is never traced stands on the middle, and lives as long as the middle."""
    graph = trace(deep["loss"])
    on_top = deep["middle"]
    for _ in range(LENGTH // 2):
        on_top = on_top.cos()
    deep.own("middle", deep.owned["middle"][0], on_top)
    return [graph]


TRACED: dict[str, Callable[[Deep], list[Graph]]] = {
    "once": _once,
    "twice": _twice,
    "below first": _below_first,
    "above first": _above_first,
    "many roots": _many_roots,
    "grown": _grown,
    "shared": _shared,
    "built on": _built_on,
}


def _states_from_the_top(deep: Deep, graphs: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle")
    states = deep.owned.pop("states")[1]
    while states:
        del states[-1]
        if states and len(states) % 1000 == 0:
            deep.own("rest", states[-1][0], states)
            deep.drop("nothing")
    deep.drop("rest")


def _states_at_once(deep: Deep, graphs: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle", "states")


def _states_from_the_leaf(deep: Deep, graphs: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle")
    states = deep["states"]
    states.reverse()
    while states:
        if len(states) == 1:
            del deep.owned["states"]  # the last one, the top: all die with it
        del states[-1]
        if len(states) % 1000 == 0:
            deep.check()


def _nodes_outlive_tensors(deep: Deep, graphs: list[Graph]) -> None:
    for name in ("loss", "middle"):
        place, tensor = deep.owned[name]
        deep.own(name, place, tensor.grad_fn)
        del tensor
    deep.drop("leaf", "loss", "middle")


DROPPED: dict[str, Callable[[Deep, list[Graph]], None]] = {
    "loss, middle": lambda deep, graphs: deep.drop("leaf", "loss", "middle"),
    "graph, loss": lambda deep, graphs: (graphs.clear(), deep.drop("middle", "loss", "leaf"))[1],
    "middle, leaf, loss": lambda deep, graphs: deep.drop("middle", "leaf", "loss"),
    "states from the top": _states_from_the_top,
    "states at once": _states_at_once,
    "states from the leaf": _states_from_the_leaf,
    "nodes after tensors": _nodes_outlive_tensors,
}


def _backward(deep: Deep) -> None:
    deep["loss"].backward()


def _retained(deep: Deep) -> None:
    deep["loss"].backward(retain_graph=True)


BEFORE_AND_AFTER: dict[str, tuple[Callable[[Deep], None] | None, Callable[[Deep], None] | None]] = {
    "fresh": (None, None),
    "backward": (None, _backward),
    "backward first": (_backward, None),
    "retained": (_retained, _retained),
}


def run(shape: str, traced: str, backward: str, dropped: str, length: int = LENGTH) -> None:
    gc.disable()
    deep = SHAPES[shape](length, dropped.startswith("states"))
    before, after = BEFORE_AND_AFTER[backward]
    if before:
        before(deep)
    graphs = TRACED[traced](deep)
    if after:
        after(deep)
    deep.check()
    DROPPED[dropped](deep, graphs)
    deep.check()
    check_nothing_left()
    assert all(sensor() is None for _, sensor in deep.sensors)


def covering() -> dict[str, Callable[[], Any]]:
    """Every shape with every order of dropping, once; the ways of tracing and the backwards take turns."""
    cases: dict[str, Callable[[], Any]] = {}
    for turn, shape in enumerate(SHAPES):
        for number, dropped in enumerate(DROPPED):
            if shape == "branches" and dropped.startswith("states"):
                continue
            traced = list(TRACED)[(turn + number) % len(TRACED)]
            backward = list(BEFORE_AND_AFTER)[(turn + 3 * number + number // 4) % len(BEFORE_AND_AFTER)]
            if traced in ("grown", "shared", "built on") and dropped.startswith("states"):
                traced = list(TRACED)[number % 5]
            if traced == "grown" and backward != "fresh":
                backward = "retained"
            cases[f"{shape} · traced {traced} · {backward} · dropped {dropped}"] = _case(
                shape, traced, backward, dropped
            )
    return cases


def _case(*arguments: str) -> Callable[[], None]:
    return lambda: run(*arguments)


def set_up() -> None:
    torch.set_num_threads(1)
