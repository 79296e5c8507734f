"""Deep graphs of several shapes that know which of their parts are alive.

Every graph has a trunk. At ten places it is multiplied by a leaf that nothing but the graph holds: a sensor, which dies
with the node that it belongs to. A part of the graph must live exactly as long as the test owns something above it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from gradviz.capture import pins

Tensor = Any
TOP = float("inf")  # the place of what dies with the loss


class Deep:
    """A graph, what the test owns of it (by name, with its place), and the sensors (with their places)."""

    def __init__(self) -> None:
        self.leaf: Tensor = torch.ones(2, 2, requires_grad=True)
        self.owned: dict[str, tuple[float, Any]] = {}
        self.sensors: list[tuple[float, weakref.ref[Tensor]]] = [(0, weakref.ref(self.leaf))]

    def sense(self, tensor: Tensor, place: float) -> Tensor:
        sensor = torch.ones(1, requires_grad=True)
        self.sensors.append((place, weakref.ref(sensor)))
        return tensor * sensor

    def own(self, name: str, place: float, thing: Any) -> None:
        self.owned[name] = (place, thing)

    def __getitem__(self, name: str) -> Any:
        return self.owned[name][1]

    def drop(self, *names: str) -> None:
        """Give up what is owned, one after another; what is below nothing else must be gone by the next statement."""
        for name in names:
            if name == "leaf":
                del self.leaf
            else:
                self.owned.pop(name, None)
            self.check()

    def check(self) -> None:
        highest = max((place for place, _ in self.owned.values()), default=-1)
        expected = [place for place, _ in self.sensors if place <= highest or (place == 0 and hasattr(self, "leaf"))]
        alive = [place for place, sensor in self.sensors if sensor() is not None]
        assert alive == expected, f"alive: {alive}, owned: up to {highest}"


def check_nothing_left() -> None:
    assert pins._pinned == {}
    assert pins._kept == {}
    assert not pins._here.waiting


def grow(deep: Deep, tensor: Tensor, places: range, step: Callable[[Tensor, int], Tensor]) -> Tensor:
    """Go on from ``tensor``, sensing ten times."""
    for place in places:
        tensor = step(tensor, place)
        if place % max(len(places) // 10, 1) == 0:
            tensor = deep.sense(tensor, place)
        if "states" in deep.owned:
            deep["states"].append((place, tensor))
    return tensor


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        ctx.save_for_backward(tensor)
        return tensor * 2

    @staticmethod
    def backward(_: Any, gradient: Tensor) -> Tensor:  # type: ignore[override]
        return gradient * 2


def _trunk(step: Callable[[Tensor, int], Tensor], nodes: int = 1) -> Callable[[int, bool], Deep]:
    def build(length: int, states: bool) -> Deep:
        length //= nodes
        deep = Deep()
        if states:
            deep.own("states", length, [])
        half = length // 2
        middle = grow(deep, deep.leaf, range(1, half), step)
        deep.own("middle", half, middle)
        deep.own("loss", TOP, deep.sense(grow(deep, middle, range(half + 1, length), step).sum(), TOP))
        return deep

    return build


def _in_place(tensor: Tensor, _: int) -> Tensor:
    copy = tensor * 1
    copy[0].mul_(2)  # CopySlices
    return copy


def _skips(length: int, states: bool) -> Deep:
    """Each node leads to the two before it."""
    before: list[Tensor] = []

    def step(tensor: Tensor, place: int) -> Tensor:
        before.append(tensor)
        return tensor + before.pop(0) if len(before) > 2 and place != length // 2 + 1 else tensor + 1

    return _trunk(step)(length, states)


def _comb(length: int, states: bool) -> Deep:
    """At each place of the trunk something branches off to a sum that grows along with it: a loss over all steps."""
    deep = Deep()
    total: Tensor = torch.zeros(())
    if states:
        deep.own("states", length, [])

    def step(tensor: Tensor, place: int) -> Tensor:
        nonlocal total
        total = total + tensor.sum()
        if place % 1000 == 0:
            total = deep.sense(total, TOP)
        return tensor.sin()

    half = length // 2
    middle = grow(deep, deep.leaf, range(1, half), step)
    deep.own("middle", half, middle)
    trunk = grow(deep, middle, range(half + 1, length), step)
    deep.own("loss", TOP, total + trunk.sum())
    return deep


def _branches(length: int, _: bool) -> Deep:
    """Two deep branches that only the loss joins. The middle is the top of one: the other must die with the loss."""
    deep = Deep()
    one = grow(deep, deep.leaf, range(1, length // 2), lambda tensor, _: tensor.sin())
    other: Tensor = deep.leaf
    for place in range(length // 2):
        other = other.cos()
        if place % 1000 == 0:
            other = deep.sense(other, TOP)
    deep.own("middle", length // 2, one)
    deep.own("loss", TOP, (one + other).sum())
    return deep


def _recurrent(length: int, states: bool) -> Deep:
    """One weight, used at every step."""
    weight = torch.eye(2, requires_grad=True)
    return _trunk(lambda tensor, _: torch.tanh(tensor @ weight), 2)(length, states)


SHAPES: dict[str, Callable[[int, bool], Deep]] = {
    "built-in": _trunk(lambda tensor, _: tensor.sin()),
    "custom": _trunk(lambda tensor, _: Double.apply(tensor)),
    "mixed": _trunk(lambda tensor, place: Double.apply(tensor) if place % 2 else tensor.sin()),
    "views": _trunk(lambda tensor, _: tensor.view(4).view(2, 2), 2),
    "in place": _trunk(_in_place, 3),
    "skips": _skips,
    "comb": _comb,
    "branches": _branches,
    "recurrent": _recurrent,
}
