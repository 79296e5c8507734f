"""What is dropped first, how often it was traced, and what had happened to it: one process for each combination."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial

from gradviz.capture.trace import trace
from gradviz.graph import Graph
from tests.capture.deep.graphs import SHAPES, TOP, Deep, check_nothing_left

LENGTH = 10_000


def _traced_once(deep: Deep) -> list[Graph]:
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
    "once": _traced_once,
    "twice": _twice,
    "below first": _below_first,
    "above first": _above_first,
    "many roots": _many_roots,
    "grown": _grown,
    "shared": _shared,
    "built on": _built_on,
}


def _loss_first(deep: Deep, _: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle")


def _graph_first(deep: Deep, graphs: list[Graph]) -> None:
    graphs.clear()
    deep.drop("middle", "loss", "leaf")


def _middle_first(deep: Deep, _: list[Graph]) -> None:
    deep.drop("middle", "leaf", "loss")


def _states_from_the_top(deep: Deep, _: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle")
    states = deep.owned.pop("states")[1]
    while states:
        del states[-1]
        if states and len(states) % 1000 == 0:
            deep.own("rest", states[-1][0], states)
            deep.drop("nothing")
    deep.drop("rest")


def _states_at_once(deep: Deep, _: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle", "states")


def _states_from_the_leaf(deep: Deep, _: list[Graph]) -> None:
    deep.drop("leaf", "loss", "middle")
    states = deep["states"]
    states.reverse()
    while states:
        if len(states) == 1:
            del deep.owned["states"]  # the last one, the top: all die with it
        del states[-1]
        if len(states) % 1000 == 0:
            deep.check()


def _nodes_outlive_tensors(deep: Deep, _: list[Graph]) -> None:
    for name in ("loss", "middle"):
        place, tensor = deep.owned[name]
        deep.own(name, place, tensor.grad_fn)
        del tensor
    deep.drop("leaf", "loss", "middle")


DROPPED: dict[str, Callable[[Deep, list[Graph]], None]] = {
    "loss, middle": _loss_first,
    "graph, loss": _graph_first,
    "middle, leaf, loss": _middle_first,
    "states from the top": _states_from_the_top,
    "states at once": _states_at_once,
    "states from the leaf": _states_from_the_leaf,
    "nodes after tensors": _nodes_outlive_tensors,
}


def _none(deep: Deep) -> None:
    """No backward."""


def _once(deep: Deep) -> None:
    deep["loss"].sum().backward()


def _retained(deep: Deep) -> None:
    deep["loss"].sum().backward(retain_graph=True)


BACKWARD: dict[str, tuple[Callable[[Deep], None], Callable[[Deep], None]]] = {  # before and after the trace
    "no backward": (_none, _none),
    "backward": (_none, _once),
    "backward first": (_once, _none),
    "retained first": (_retained, _once),
}


def run(shape: str, traced: str, backward: str, dropped: str, length: int = LENGTH) -> None:
    gc.disable()
    deep = SHAPES[shape](length, dropped.startswith("states"))
    before, after = BACKWARD[backward]
    before(deep)
    graphs = TRACED[traced](deep)
    after(deep)
    deep.check()
    DROPPED[dropped](deep, graphs)
    deep.check()
    check_nothing_left()
    assert all(sensor() is None for _, sensor in deep.sensors)


def orders() -> dict[str, Callable[[], None]]:
    """Each shape with every second order of dropping; the ways of tracing and the backwards take turns.

    The branches have no states, and all other orders.
    """
    cases: dict[str, Callable[[], None]] = {}
    for turn, shape in enumerate(SHAPES):
        for number, dropped in enumerate(DROPPED):
            if dropped.startswith("states") if shape == "branches" else (turn + number) % 2:
                continue
            step = turn + number // 2
            traced = list(TRACED)[step % (5 if dropped.startswith("states") else len(TRACED))]
            backward = list(BACKWARD)[(step + turn // 4) % len(BACKWARD)]
            if traced == "grown" and backward == "backward first":
                backward = "retained first"  # one cannot build on what is freed
            name = f"{shape} · traced {traced} · {backward} · dropped {dropped}"
            cases[name] = partial(run, shape, traced, backward, dropped)
    return cases
