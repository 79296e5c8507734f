"""Makes it safe to drop a deep graph that was walked, in whatever order its parts are dropped.

Since torch 2.13 the Python wrapper of a node lives as long as the node, and freeing a chain of wrapped nodes recurses
in C: 32,000 to 40,000 in a row overflow a stack of 8 MiB and kill the process. Freed one by one, nearest the root
first, any depth is fine. So a walk that went too deep is *covered*: ``pins`` then ends the recursion at each of its
nodes, and frees them itself. Rules that hold at any time:

- nothing is held longer than the user holds it;
- an exception that comes in between (Ctrl-C) leaves nothing half covered: what was begun is finished first;
- where all fails, nodes stay pinned. They are never freed in a dangerous order.
"""

from __future__ import annotations

import os
import sys
import threading

import torch

from gradviz.capture.pins import is_covered, keep, pin, recover
from gradviz.capture.walk import AutogradNode, Walk, longest_path

if sys.platform != "win32":
    import resource

_MIB = 2**20
_STACK_PER_NODE = 400  # bytes of C stack that freeing a wrapped node takes: 210 to 260 were measured on x86-64

_unfinished: list[_Covering] = []  # in the order in which they were begun
_lock = threading.RLock()  # two coverings at a time would count the edges that they share twice


def secure(walk: Walk) -> None:
    """Make sure that the walked nodes can be freed safely; needed once per walk, before its nodes are let go.

    Leaves a keeper in the ``metadata`` of roots, and only where torch keeps wrappers alive (2.13 and later) and a path
    is so long that freeing it could overflow a stack (20,971 nodes for 8 MiB), or the walk was interrupted. Otherwise
    nothing is changed. An exception that comes in between is raised again when the nodes are safe.
    """
    try:
        _secure(walk)
    except BaseException:
        _secure(walk)
        raise


def _secure(walk: Walk) -> None:
    deepest = _safe_depth()
    interrupted = len(walk.targets) < len(walk.nodes)
    if torch.__version__ >= "2.13.dev0" and (len(walk.nodes) > deepest or interrupted):
        _unfinished.append(_Covering(walk, 0 if interrupted else deepest))
        _finish()


class _Covering:
    """Covers the nodes of a walk. May be interrupted anywhere, and run again until it comes to its end."""

    def __init__(self, walk: Walk, deepest: int) -> None:
        self.walk = walk
        self.deepest = deepest
        self.planned = False
        self.edges: list[tuple[AutogradNode, int]] = []  # nodes to pin, with the number of edges that lead to them
        self.roots: list[AutogradNode] = []  # nodes that need a keeper

    def run(self) -> None:
        if not self.planned:
            self.edges, self.roots, self.planned = *self._plan(), True
        pin(self.edges)
        while self.roots:
            keep(self.roots[-1])
            del self.roots[-1]

    def _plan(self) -> tuple[list[tuple[AutogradNode, int]], list[AutogradNode]]:
        nodes, targets = self.walk.nodes, self.walk.targets
        if longest_path(self.walk) <= self.deepest:
            return [], []
        covered = list(map(is_covered, nodes))
        counts = [0] * len(nodes)
        for index, following in enumerate(targets):
            for target in following:
                # Both covered: counted before. (One alone is, where an earlier walk was interrupted between them.)
                if not (covered[index] and covered[target]):
                    counts[target] += 1
        # What an interrupted walk has found, but not looked at, is left alone: what it leads to is not known.
        known = [index for index in range(len(nodes)) if index < len(targets) or covered[index]]
        return (
            [(nodes[index], counts[index]) for index in known if counts[index]],
            [nodes[index] for index in known if not counts[index] and not covered[index]],
        )


def _finish() -> None:
    """Carry out every covering that was begun."""
    with _lock:
        while _unfinished:
            _unfinished[0].run()
            del _unfinished[0]
    recover()


def _safe_depth() -> int:
    """So many nodes in a row are freed safely on the smallest stack of those that Python gives to threads now."""
    smallest = 8 * _MIB
    if sys.platform == "win32":
        smallest = _MIB
    else:
        limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
        smallest = min(smallest, 2 * _MIB if limit == resource.RLIM_INFINITY else limit)  # as glibc has it
    return min(smallest, threading.stack_size() or smallest) // _STACK_PER_NODE


if sys.platform != "win32":  # a forked child must find neither a lock that nobody will release, nor half a covering
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
