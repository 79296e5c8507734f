"""Likeness: keys of walks are equal exactly where the Graphs would be."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
import torch
from torch import Tensor

from gradviz.capture import likeness as module
from gradviz.capture.likeness import likeness
from gradviz.capture.origins import Origin
from gradviz.capture.walk import advance, start
from gradviz.recording import Source

_a, _b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)


def _key(loss: Tensor, origin: Origin | None = None) -> Hashable:
    walk = start([loss.grad_fn])
    advance(walk)
    return likeness(walk, [origin or Origin(None, None)] * len(walk.nodes))


def test_the_same_step_again() -> None:
    assert _key((_a * _b).sum()) == _key((_a * _b).sum())
    assert hash(_key((_a * _b).sum())) == hash(_key((_a * _b).sum()))


@pytest.mark.parametrize(
    "other",
    [
        (_b * _a).sum(),
        (_a * _a).sum(),
        (_a / _b).sum(),
        (_a * _b).mean(),
        (_a[:1] * _b[:1]).sum(),
        (_a.double() * _b).sum(),
    ],
    ids=["leaves swapped", "one leaf", "operation", "loss", "shape", "dtype"],
)
def test_another_graph(other: Tensor) -> None:
    assert _key((_a * _b).sum()) != _key(other)


def test_another_line_or_module() -> None:
    origins = [Origin(Source("a.py", line, "f"), path) for line, path in [(1, "m"), (2, "m"), (1, "n")]]
    assert len({_key(_a.sum(), origin) for origin in origins}) == 3


def test_a_leaf_is_not_taken_for_a_dead_one() -> None:
    keys = set()
    for _ in range(5):  # Python gives them the same id
        keys.add(_key(torch.ones(2, requires_grad=True).sum()))
    assert len(keys) == 5


def test_numbers_of_dead_leaves_are_forgotten() -> None:
    leaf = torch.ones(2, requires_grad=True)
    _key(leaf.sum())
    key = id(leaf)
    assert key in module._numbers._facts
    del leaf
    assert key not in module._numbers._facts
