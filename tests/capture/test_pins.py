"""What freeing deep graphs node by node relies on in torch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests.capture.deep.graphs import Double


class Witness:
    """Counts, as it dies with the metadata of a node, the owners that the node's child still has but for the test."""

    def __init__(self, child: Any, found: list[int]) -> None:
        self.child = child
        self.found = found

    def __del__(self) -> None:
        self.found.append(sys.getrefcount(self.child) - 2)


def _in_place(tensor: Any) -> Any:
    copy = tensor.clone()
    copy[:1].mul_(2)
    return copy


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize(
    "make",
    [torch.sin, Double.apply, lambda tensor: torch.stack([tensor, tensor]), _in_place, lambda tensor: tensor * tensor],
    ids=["built-in", "custom", "stack", "in place", "twice"],
)
def test_torch_lets_go_of_the_children_before_the_metadata(make: Callable[[Any], Any], backward: bool) -> None:
    child = torch.ones(2, requires_grad=True).cos()
    tensor = make(child)
    found: list[int] = []
    node = tensor.grad_fn
    while node.next_functions[0][0] is not child.grad_fn:
        node = node.next_functions[0][0]
    node.metadata["witness"] = Witness(child.grad_fn, found)
    del child, node
    if backward:
        tensor.sum().backward()
    assert found == []
    del tensor
    assert found == [0]
