"""Makes it safe to drop a deep graph that was walked, in whatever order its parts are dropped.

Since torch 2.13 the Python wrapper of a node lives as long as the node, and freeing a chain of wrapped nodes recurses
in C: about 40,000 in a row overflow the stack and kill the process. Freed one by one, nearest the root first, any depth
is fine. So beyond ``SAFE_DEPTH`` a walk leaves a keeper in the root node's ``metadata``. It pins every node below the
root. When the root dies the pins outlive it, which ends the recursion at once; they are then let go in topological
order. A node that is still owned by somebody else by then (an intermediate tensor, another graph) becomes the keeper of
what it reaches. Rules that hold at any time:

- a node is pinned by at most one keeper, and by one that reaches it: nothing is held longer than the user holds it;
- whatever hangs below a walked node of a deep graph is pinned, or has a keeper itself;
- a keeper never pins its own node (that would be a cycle).

Letting go has to wait until the dying root is gone. In the main thread it is a pending call of the interpreter, which
runs before the next statement; other threads cannot run those, so there a daemon thread does it.
"""

from __future__ import annotations

import ctypes
import os
import queue
import sys
import threading
from collections import deque
from functools import cache

import torch

from gradviz.capture.walk import AutogradNode, Walk, execution_order

SAFE_DEPTH = 20_000  # half of what overflows an 8 MiB stack
_KEY = "gradviz_keeper"
_pinned: set[int] = set()  # ids of pinned nodes; a pinned node lives, so its id is not reused meanwhile
_kept: set[int] = set()  # ids of nodes that have a keeper, which dies with them
_orphans: queue.SimpleQueue[deque[AutogradNode]] = queue.SimpleQueue()  # pins whose keeper's node has died


def secure(walk: Walk) -> None:
    """Make sure that the walked nodes can be freed safely; needed once per walk, before its nodes are let go.

    Leaves a keeper in the ``metadata`` of a root, and only where a path is longer than ``SAFE_DEPTH`` nodes and torch
    keeps wrappers alive (2.13 and later). Otherwise nothing is changed.
    """
    if len(walk.nodes) <= SAFE_DEPTH or torch.__version__ < "2.13":
        return
    while len(walk.targets) < len(walk.nodes):  # the walk was interrupted: what it found is all that has wrappers
        walk.targets.append([])
    order = execution_order(walk)
    if _depth(walk, order) > SAFE_DEPTH:
        _distribute(deque(walk.nodes[index] for index in order), {id(node) for node in walk.nodes[: walk.roots]})


class _Keeper:
    """Pins the nodes below the node in whose metadata it lies, in topological order."""

    def __init__(self, node: AutogradNode, pins: deque[AutogradNode]) -> None:
        self.node_id = id(node)
        self.pins = pins
        _kept.add(self.node_id)

    def __del__(self) -> None:
        _kept.discard(self.node_id)
        _orphans.put(self.pins)
        if threading.current_thread() is threading.main_thread():
            ctypes.pythonapi.Py_AddPendingCall(_let_go_soon, None)
        else:
            _reaper()


def _distribute(order: deque[AutogradNode], roots: set[int]) -> None:
    """Pin every node of ``order`` (topological) to a root that reaches it, except what an earlier walk has covered."""
    home: dict[int, deque[AutogradNode]] = {}  # node id -> the pins that it belongs to
    while order:
        node = order.popleft()
        key = id(node)
        if key in _pinned or key in _kept:
            continue
        if key in roots:
            pins = _keep(node)
        else:
            pins = home.pop(key)
            pins.append(node)
            _pinned.add(key)
        for child, _ in node.next_functions:
            home.setdefault(id(child), pins)


def _let_go(pins: deque[AutogradNode]) -> None:
    """Free pinned nodes, nearest the dead root first; what somebody else still owns keeps what it reaches."""
    home: dict[int, deque[AutogradNode]] = {}
    while pins:
        node = pins.popleft()
        key = id(node)
        _pinned.discard(key)
        if key in home:
            kept = home.pop(key)
            kept.append(node)
            _pinned.add(key)
        elif sys.getrefcount(node) > 2:  # more than this variable and the argument of getrefcount
            kept = _keep(node)
        else:
            continue
        for child, _ in node.next_functions:
            home.setdefault(id(child), kept)


def _keep(node: AutogradNode) -> deque[AutogradNode]:
    pins: deque[AutogradNode] = deque()
    node.metadata[_KEY] = _Keeper(node, pins)
    return pins


def _drain() -> None:
    while True:
        try:
            _let_go(_orphans.get_nowait())
        except queue.Empty:
            return


def _drain_pending(_: object) -> int:
    _drain()
    return 0


_let_go_soon = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(_drain_pending)


@cache
def _reaper() -> threading.Thread:
    """The daemon thread that lets go of what died outside the main thread."""

    def work() -> None:
        while True:
            _let_go(_orphans.get())

    thread = threading.Thread(target=work, name="gradviz-reaper", daemon=True)
    thread.start()
    return thread


def _depth(walk: Walk, order: list[int]) -> int:
    """Number of nodes on the longest path."""
    depth = [1] * len(walk.nodes)
    for index in order:
        below = depth[index] + 1
        for target in walk.targets[index]:
            if depth[target] < below:
                depth[target] = below
    return max(depth)


os.register_at_fork(after_in_child=_reaper.cache_clear)  # threads do not survive a fork
