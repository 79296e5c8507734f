"""Frees the nodes of deep graphs one by one, each as soon as nobody owns it, whatever it was that died before.

A covered node is in one of two states:

- *pinned*, if covered nodes lead to it: it is held here, with the number of edges that lead to it from them;
- *kept*, if none does, as with a root: a keeper lies in its ``metadata`` and dies with it. By then the node has let go
  of its children (observed on torch 2.13 for every kind of node).

When a kept node dies, each edge to its children is counted down. A pinned node at zero is freed, and its own edges are
counted down; if somebody else owns it (the holder of an intermediate tensor, a graph that was not walked) it is kept
from then on. So every node dies when it would have died unpinned, in the thread where that happens and before its next
statement, and the work is proportional to what dies.

Python lets signals, other threads and the garbage collector in at calls and at the ends of loops, even while a node
dies. So what is to be done waits in lists that outlive the functions, and each step is taken by statements without a
call among them. What should go wrong even so leaves nodes pinned.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import weakref
from collections import deque

from gradviz.capture.walk import AutogradNode

_KEY = "gradviz_keeper"
_ATTEMPTS = 3  # at work that the handlers of signals interrupt
_pinned: dict[AutogradNode, int] = {}  # with the number of edges from covered nodes that are not counted down yet
_kept: dict[int, _KeeperRef] = {}  # by id of the node


class _Keeper:
    """Lies in the metadata of a kept node, and dies with it."""

    __slots__ = ("__weakref__",)


class _KeeperRef(weakref.ref[_Keeper]):
    """Remembers, when a keeper has died, which nodes its node led to."""

    __slots__ = ("children", "node_id")

    node_id: int
    children: list[AutogradNode]


class _Here(threading.local):
    """What the current thread has to count down: children, once for each edge. The next one is at the right."""

    def __init__(self) -> None:
        self.waiting: deque[AutogradNode] = deque()
        self.busy = False


_here = _Here()


def is_covered(node: AutogradNode) -> bool:
    """Whether this module frees the node."""
    return node in _pinned or (id(node) in _kept and _has_keeper(node))


def pin(edges: list[tuple[AutogradNode, int]]) -> None:
    """Pin nodes, each for so many (more) edges from covered nodes. Empties the list; if interrupted, call again."""
    while edges:
        node, count = edges[-1]
        if node in _pinned:
            _pinned[node] += count
            del edges[-1]
        else:
            if id(node) in _kept:
                _take_keeper(node)
            _pinned[node] = count
            del edges[-1]


def keep(node: AutogradNode) -> None:
    """Give a keeper to a node, which is then not pinned any longer. One that leads nowhere needs none."""
    children = [child for child, _ in node.next_functions if child is not None]
    if children:
        key = id(node)
        if key in _kept:
            _take_keeper(node)
        keeper = _Keeper()
        reference = _KeeperRef(keeper, _died)
        reference.node_id, reference.children = key, children
        metadata = node.metadata
        metadata[_KEY] = keeper
        _kept[key] = reference
    _pinned.pop(node, None)


def recover() -> None:
    """Count down what an exception, in the very moment in which a node died, has kept from being counted down."""
    for reference in list(_kept.values()):
        if reference() is None:
            _died(reference)
    _count_down()


def _died(reference: _KeeperRef) -> None:
    """A keeper is gone, and with it its node: count down the children."""
    waiting = _here.waiting
    try:
        if _kept[reference.node_id] is not reference:
            return
    except KeyError:
        return
    del _kept[reference.node_id]
    waiting.extendleft(reference.children)
    reference.children = []
    _count_down()


def _count_down() -> None:
    """Count down what waits in this thread, and all that comes to it by that; then raise what has interrupted this."""
    here = _here
    caught: BaseException | None = None
    failures = 0
    while here.waiting and not here.busy and failures < _ATTEMPTS:
        here.busy = True  # should a node take another graph with it, that is left to the loop
        try:
            _count_down_all(here.waiting)
        except BaseException as error:  # noqa: BLE001  (raised below)
            caught = error.with_traceback(None)  # its frames hold nodes
            failures += 1
        finally:
            here.busy = False
    if isinstance(caught, KeyboardInterrupt):
        # Raised here it would be lost, since a dying node has called. A pending call runs when this has returned.
        ctypes.pythonapi.Py_AddPendingCall(ctypes.pythonapi.PyErr_SetInterruptEx, ctypes.c_void_p(signal.SIGINT))
    elif caught is not None:
        raise caught


def _count_down_all(waiting: deque[AutogradNode]) -> None:
    while waiting:
        node = waiting[-1]
        if node not in _pinned:  # found by a walk that was interrupted before it looked at it
            del waiting[-1]
            continue
        edges = _pinned[node] - 1
        if edges:
            _pinned[node] = edges
            del waiting[-1]
        elif _references(waiting) > _UNOWNED:  # if that is mistaken, a keeper is wasted, no more
            keep(node)
        else:
            children = [child for child, _ in node.next_functions if child is not None]
            del _pinned[node], waiting[-1]
            waiting.extend(children)
            del children, node  # the node is freed now
    if not _pinned:
        _pinned.clear()  # gives back the memory of the table


def _references(waiting: deque[AutogradNode]) -> int:
    """The references to the last one waiting: that of ``waiting``, those of others, and what asking takes."""
    return sys.getrefcount(waiting[-1])


_UNOWNED = _references(deque([object()])) + 2  # a variable's, and that of _pinned


def _take_keeper(node: AutogradNode) -> None:
    """Take the keeper away from a node. Its children stay counted."""
    key, metadata = id(node), node.metadata
    if _has_keeper(node):
        del _kept[key], metadata[_KEY]
    elif (reference := _kept.get(key)) is not None:
        _died(reference)


def _has_keeper(node: AutogradNode) -> bool:
    """Whether the keeper under a node's id is its own, not that of a dead node whose metadata somebody still holds."""
    reference = _kept.get(id(node))
    keeper = None if reference is None else reference()
    return keeper is not None and node.metadata.get(_KEY) is keeper
