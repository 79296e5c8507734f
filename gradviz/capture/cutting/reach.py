"""Reach: which leaves the history of a tensor leads to, as the bits of one number.

Rules: it keeps no node and no tensor alive; a node that was walked is remembered by its sequence number, so that a
loop that asks in every turn walks each node once; and what it walked can be freed at any depth (``lifetime``).
Nodes made in another thread have numbers of their own, which may meet ours only if they are of the same class.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import torch

from gradviz.capture.lifetime import secure
from gradviz.capture.walk import ACCUMULATE_GRAD, AutogradNode, advance, sequence_number, start

_SECURED_EVERY = 5000  # nodes in a row


class Reach:
    """Leaves, numbered as they are met."""

    def __init__(self) -> None:
        self.leaves: list[weakref.ref[torch.Tensor]] = []
        self._numbers: dict[int, int] = {}  # by the id of a leaf that is alive
        self._known: dict[Any, tuple[int, int]] = {}  # by node: its leaves, and how many nodes in a row are below

    def leaf(self, tensor: torch.Tensor) -> int:
        """The bit of a leaf."""
        number = self._numbers.get(id(tensor))
        if number is None:
            number = self._numbers[id(tensor)] = len(self.leaves)
            numbers, key = self._numbers, id(tensor)
            self.leaves.append(weakref.ref(tensor, lambda _: numbers.pop(key, None)))
        return 1 << number

    def of(self, tensor: torch.Tensor) -> int:
        """The leaves that a tensor's gradient would reach."""
        if tensor._is_view() and tensor._version and (base := tensor._base) is not None and base.requires_grad:
            tensor = base  # asked for its node, a view whose base was changed would get a new one
        node = tensor.grad_fn
        return self.leaf(tensor) if node is None else self.below(node)

    def below(self, node: AutogradNode) -> int:
        """The leaves that a node leads to."""
        if type(node) is ACCUMULATE_GRAD:
            return self.leaf(node.variable)
        leaves, depth = self._known.get(_key(node)) or self._walk(node)
        if depth >= _SECURED_EVERY:
            walk = start([node])
            advance(walk)
            secure(walk)
            self._known[_key(node)] = leaves, 0
        return leaves

    def learn(self, node: AutogradNode, leaves: int) -> None:
        """A node leads to these leaves, as somebody who walked and secured it says."""
        if type(node) is not ACCUMULATE_GRAD:
            self._known[_key(node)] = leaves, 0

    def forget(self) -> None:
        """Let what is known of nodes go: a backward begins, and most of them will be gone after it."""
        self._known.clear()

    def _walk(self, node: AutogradNode) -> tuple[int, int]:
        known, stack = self._known, [node]
        while stack:
            current = stack[-1]
            key = _key(current)
            if key in known:
                stack.pop()
                continue
            leaves = depth = 0
            waiting = False
            for child, _ in current.next_functions:
                if child is None:
                    continue
                if type(child) is ACCUMULATE_GRAD:
                    leaves |= self.leaf(child.variable)
                elif (found := known.get(_key(child))) is None:
                    stack.append(child)
                    waiting = True
                else:
                    leaves |= found[0]
                    depth = max(depth, found[1])
            if not waiting:
                known[key] = leaves, depth + 1
                stack.pop()
        return known[_key(node)]


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _key(node: AutogradNode) -> Any:
    return sequence_number(node), type(node)
