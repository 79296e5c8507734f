"""What is known about the parts of a backward graph: plain immutable tuples, shared by every stage.

NamedTuples, because a million of them are made per large graph: they are built five times faster than frozen
dataclasses and take less than half the memory. No tensor, autograd node or module is ever stored in them, and no memory
address.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

NodeKind = Literal["op", "leaf", "custom", "view", "in_place", "checkpoint", "compiled", "remote"]
SavedState = Literal["held", "hooked", "freed", "stale", "absent", "unknown"]
HookKind = Literal[
    "tensor",
    "retain_grad",
    "post_accumulate",
    "node_pre",
    "node_post",
    "module_backward",
    "module_backward_pre",
    "module_backward_legacy",
    "multi_grad",
    "optimizer_in_backward",
    "communication",
    "unknown",
]


class TensorMeta(NamedTuple):
    """Shape and type of a tensor, without its values.

    Symbolic sizes (jagged nested tensors) are text such as ``"j1"``; ``shape`` is None where torch does not tell it
    (strided nested tensors), ``layout`` where only the gradient's metadata is known.
    """

    shape: tuple[int | str, ...] | None
    dtype: str
    device: str
    layout: str | None = None


class Argument(NamedTuple):
    """A differentiable argument of an operation, with the derivative formula that torch publishes for it (C++ text)."""

    name: str
    formula: str


class Saved(NamedTuple):
    """A tensor that a node keeps for its backward.

    ``bytes`` is the size of the whole storage behind it, ``storage`` a number that is equal within one graph where the
    storage is the same one. Both are None where torch does not tell. States: *held*; *hooked* (packed by
    saved_tensors_hooks or checkpointing, never unpacked by gradviz; ``hook`` names the unpack function); *freed* by a
    backward; *stale* (modified in place since: backward will raise); *absent* (not needed or not given); *unknown* (it
    is held and may be stale: of a list of saved tensors torch only tells the first that is).
    """

    name: str
    meta: TensorMeta | None
    bytes: int | None
    storage: int | None
    state: SavedState
    hook: str | None = None


class Hook(NamedTuple):
    """A hook found on a leaf, tensor, node or module: the function's name and the file:line that defines it.

    ``owner`` is what it was registered on: a leaf's name, a node's id, a module's path, or ``"every module"``.
    """

    kind: HookKind
    owner: str
    name: str
    where: str | None


class Node(NamedTuple):
    """One autograd node.

    ``id`` is ``"n0"``, ``"n1"``, ... in breadth-first order from the roots. ``slots`` describes the gradients that
    arrive, one per output of the forward operation. ``arguments`` are the differentiable arguments of the operation.
    ``order`` is the position in which the engine will run it in a backward over all roots (0 first). ``module`` is the
    path of the module that made it; while ``module_inferred`` it was derived from the parameters around it. ``where``
    is the user's source line (``"train.py:42"``) and ``function`` the function that it stands in, both known only from
    a watch.
    """

    id: str
    op: str
    kind: NodeKind
    module: str | None
    module_inferred: bool
    where: str | None
    function: str | None
    arguments: tuple[Argument, ...]
    slots: tuple[TensorMeta, ...]
    saved: tuple[Saved, ...]
    hooks: tuple[Hook, ...]
    order: int


class Edge(NamedTuple):
    """The gradient's way from ``source`` to ``target``: entry ``source_slot`` of the source's next_functions.

    It arrives at ``target_slot`` of the target. ``name`` is the forward argument it belongs to (``"weight"``).
    """

    source: str
    source_slot: int
    target: str
    target_slot: int
    name: str | None


class DeadEnd(NamedTuple):
    """An entry of next_functions that is None: no gradient is computed for this argument.

    ``tensor`` names the tensor that was given there and ``why`` says why it gets none, both only where they are known.
    """

    source: str
    source_slot: int
    name: str | None
    tensor: str | None
    why: str | None


class Leaf(NamedTuple):
    """A tensor at which gradients are accumulated, or a parameter that this graph does not reach (``node`` is None).

    ``name`` is None where nobody named it. ``aliases`` are its further names (tied weights). ``grad`` describes what
    ``.grad`` holds, None if it is None; its values are not read. ``version`` counts in-place changes; None where torch
    keeps no count (inference tensors).
    """

    name: str | None
    aliases: tuple[str, ...]
    parameter: bool
    meta: TensorMeta
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    grad: TensorMeta | None
    version: int | None
    node: str | None
    hooks: tuple[Hook, ...]


class Root(NamedTuple):
    """A traced output: its node, and the text around the traced name that reaches it (``("", "['a'][1]")``)."""

    access: tuple[str, str]
    kind: Literal["tensor", "leaf", "edge", "node"]
    node: str
    slot: int
    meta: TensorMeta | None
