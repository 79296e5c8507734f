"""How far the history of a tensor leads: each node is walked once, and nothing is held."""

from __future__ import annotations

import weakref

import pytest
import torch

from gradviz.capture.cutting import reach as module
from gradviz.capture.cutting.reach import Reach, bits


def test_leaves_are_bits_in_the_order_in_which_they_are_met() -> None:
    a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
    reach = Reach()
    assert [reach.of(a), reach.of(a * 2), reach.of(b + a), reach.of(torch.cat([c, b]).sum())] == [1, 1, 3, 6]
    assert [leaf() is tensor for leaf, tensor in zip(reach.leaves, (a, b, c), strict=True)] == [True] * 3
    assert list(bits(0b10110)) == [1, 2, 4]


def _asked(turns: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many times nodes are asked for their number by a recurrence of two states that asks in each turn."""
    count = 0

    def counted(node: object) -> int:
        nonlocal count
        count += 1
        number: int = type(node)._sequence_nr(node)  # type: ignore[attr-defined]
        return number

    monkeypatch.setattr(module, "sequence_number", counted)
    reach, w = Reach(), torch.ones(1, requires_grad=True)
    h, c = w * 1, w * 2
    for _ in range(turns):
        h, c = h * c, c + h
        assert reach.of(h) == 1
    return count


def test_a_loop_that_asks_in_every_turn_walks_each_node_once(monkeypatch: pytest.MonkeyPatch) -> None:
    short, middle, long = (_asked(turns, monkeypatch) for turns in (100, 500, 1000))
    assert (long - middle) * 400 == (middle - short) * 500


def test_nothing_is_held() -> None:
    leaf = torch.ones(2, requires_grad=True)
    reach = Reach()
    h = leaf * 2
    assert reach.of(h) == 1
    references = [weakref.ref(leaf), weakref.ref(h)]
    del leaf, h
    assert [reference() for reference in references] == [None, None]
