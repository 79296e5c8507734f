"""The one loop over ``next_functions``: every node that is reachable from the roots, nearest first, without recursion.

A walk holds every node that it found: on torch <= 2.12 a Python wrapper that nobody holds is remade at each access, so
only a held one can be recognised by its id. Whoever walks hands the walk to ``lifetime.secure`` before letting go of
it.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

AutogradNode = Any  # C++ nodes have no common Python type: isinstance(node, torch.autograd.graph.Node) can be False
ACCUMULATE_GRAD = torch._C._functions.AccumulateGrad  # type: ignore[attr-defined]  # of leaves
NextFunctions = tuple[tuple[AutogradNode | None, int], ...]


class Walk(NamedTuple):
    """Live nodes in breadth-first order, with the ``next_functions`` of each and the positions that these lead to."""

    roots: list[int]  # positions, in the order given; one that was given again stands here again
    nodes: list[AutogradNode]
    following: list[NextFunctions]
    targets: list[Sequence[int]]  # without the entries that are None
    position: dict[int, int]  # by id of the node


def start(roots: list[AutogradNode]) -> Walk:
    """A walk that has not gone anywhere yet. A node that is given several times is one node."""
    nodes = list({id(root): root for root in roots}.values())
    position = {id(node): index for index, node in enumerate(nodes)}
    return Walk([position[id(root)] for root in roots], nodes, [], [], position)


def advance(walk: Walk) -> None:
    """Walk on until every reachable node was found. What was found stays in ``walk``, also when this is interrupted."""
    nodes, position = walk.nodes, walk.position
    for node in nodes:  # the list grows while it is read: that is the breadth-first queue
        following = node.next_functions
        walk.following.append(following)
        if not following:
            walk.targets.append(())
            continue
        targets = []
        for child, _ in following:
            if child is not None:
                target = position.get(id(child))
                if target is None:
                    target = position[id(child)] = len(nodes)
                    nodes.append(child)
                targets.append(target)
        walk.targets.append(targets)


def sequence_number(node: AutogradNode) -> int:
    """Asked through the node's type: a custom Function's node is its ctx, on which users keep what they like."""
    number: int = type(node)._sequence_nr(node)
    return number


def _edges_into(walk: Walk) -> list[int]:
    """How many edges lead to each node."""
    counts = [0] * len(walk.nodes)
    for following in walk.targets:
        for target in following:
            counts[target] += 1
    return counts


def execution_order(walk: Walk) -> list[int]:
    """Positions of the nodes in the order in which the engine will run them, in a backward over all roots.

    The engine takes the ready node with the largest sequence number, from a heap of C++. All AccumulateGrad nodes have
    the same number, and which of several equal entries comes first is up to how the heap moves them. ``heapq`` moves
    them alike if equals compare neither smaller nor larger: hence a NaN of its own in each entry (exact on torch 2.13
    for Linux, in 400 random graphs with many ties). One device is meant: each further one is a further thread, and the
    order between threads is not determined. It is also a topological order: sources first.
    """
    nan = float("nan")
    nodes, targets = walk.nodes, walk.targets
    waiting = _edges_into(walk)
    ready: list[tuple[int, float, int]] = []
    for index in reversed(dict.fromkeys(reversed(walk.roots))):  # a root that is given again is ready the last time
        if not waiting[index]:
            heapq.heappush(ready, (-sequence_number(nodes[index]), nan + 0, index))
    order = []
    while ready:
        index = heapq.heappop(ready)[2]
        order.append(index)
        for target in targets[index]:
            waiting[target] -= 1
            if not waiting[target]:
                heapq.heappush(ready, (-sequence_number(nodes[target]), nan + 0, target))
    return order


def longest_path(walk: Walk) -> int:
    """Number of nodes on the longest path from a root. An interrupted walk ends at what it has not looked at."""
    targets = walk.targets
    waiting = _edges_into(walk)
    length = [1] * len(waiting)
    ready = [index for index in set(walk.roots) if not waiting[index]]
    while ready:
        index = ready.pop()
        below = length[index] + 1
        for target in targets[index] if index < len(targets) else ():
            if length[target] < below:
                length[target] = below
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return max(length)
