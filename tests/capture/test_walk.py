"""The order in which the engine runs a backward over several roots, and the length of paths."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from torch.autograd.graph import get_gradient_edge

from gradviz.capture.walk import Walk, advance, execution_order, longest_path, start

Tensor = Any


def walk_from(roots: list[Tensor]) -> Walk:
    walk = start([get_gradient_edge(root).node for root in roots])
    advance(walk)
    return walk


def run_backward(roots: list[Tensor], walk: Walk) -> list[int]:
    """The positions of the nodes in the order in which the engine has run them."""
    ran: list[int] = []
    for place, node in enumerate(walk.nodes):
        node.register_prehook(lambda _, place=place: ran.append(place))
    torch.autograd.backward(roots, [torch.ones_like(root) for root in roots])
    return ran


def random_roots(seed: int) -> list[Tensor]:
    """Up to five of the tensors of a random graph, some of them below others, some leaves, some given again."""
    choose = random.Random(seed)
    leaves = [torch.ones(2, requires_grad=True) for _ in range(choose.randint(1, 4))]
    tensors = list(leaves)
    for _ in range(choose.randint(1, 25)):
        make = choose.choice(
            [
                lambda one, _: one.sin(),
                lambda one, other: one * other,
                lambda one, other: torch.stack([one, other, one]).sum(0),
                lambda one, _: one.unbind(0)[0].expand(2),
                lambda one, other: one.clone().mul_(2) + other,
            ]
        )
        tensors.append(make(choose.choice(tensors), choose.choice(tensors)))
    return [choose.choice(tensors) for _ in range(5)]


@pytest.mark.parametrize("start_at", range(0, 300, 50))
def test_the_engine_runs_as_predicted(start_at: int) -> None:
    for seed in range(start_at, start_at + 50):
        roots = random_roots(seed)
        walk = walk_from(roots)
        assert execution_order(walk) == run_backward(roots, walk), seed


def test_a_root_that_is_given_again_runs_when_it_was_given_last() -> None:
    one, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    walk = walk_from([one, other, one])
    assert walk.roots == [0, 1, 0]
    assert len(walk.nodes) == 2
    assert execution_order(walk) == [1, 0] == run_backward([one, other, one], walk)


def test_longest_path() -> None:
    leaf = torch.ones(2, requires_grad=True)
    long, short = leaf.sin().sin().sin(), leaf.cos()
    assert longest_path(walk_from([long + short, short])) == 5
    assert longest_path(walk_from([short, leaf])) == 2
    assert longest_path(walk_from([leaf])) == 1


def test_an_interrupted_walk_ends_where_it_was_interrupted() -> None:
    walk = walk_from([torch.ones(2, requires_grad=True).sin().sin()])
    del walk.targets[1:], walk.following[1:], walk.nodes[2:]
    assert longest_path(walk) == 2
