"""What a class of nodes is: its operation, kind, arguments and saved attributes; looked up once per class and trace.

Nodes are told apart by their type, but for C++ classes without one of their own (``CppFunction``: RPC, foreach) by
``name()``.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

from gradviz.capture.formulas import operation
from gradviz.capture.saved import saved_names
from gradviz.capture.walk import AutogradNode
from gradviz.graph import Argument, NodeKind

_KINDS: dict[str, NodeKind] = {
    "AccumulateGrad": "leaf",
    "CopySlices": "in_place",
    "CheckpointFunctionBackward": "checkpoint",
    "CompiledFunctionBackward": "compiled",
    "RecvRpcBackward": "remote",
    "SendRpcBackward": "remote",
}


class NodeClass(NamedTuple):
    """What all nodes of one class have in common. ``is_function``: made by a Python ``autograd.Function``."""

    name: str  # in full, as torch says it
    op: str
    kind: NodeKind
    arguments: tuple[Argument, ...]
    saved: tuple[str, ...]
    is_function: bool


def classes_of(nodes: list[AutogradNode]) -> list[NodeClass]:
    """The NodeClass of each node. Nothing is remembered, so that no class of the user's is kept alive."""
    types = list(map(type, nodes))
    known = {kind: _look_up(node) for kind, node in dict(zip(types, nodes, strict=True)).items()}
    classes = [known[kind] for kind in types]
    nameless = [index for index, kind in enumerate(types) if kind.__name__ == "CppFunction"]
    by_name = {node_name(nodes[index]): nodes[index] for index in nameless}
    looked_up = {name: _look_up(node) for name, node in by_name.items()}
    for index in nameless:
        classes[index] = looked_up[node_name(nodes[index])]
    return classes


def node_name(node: AutogradNode) -> str:
    """What the node calls itself, asked through its type: a custom Function's node is its ctx, with any attributes."""
    name: str = type(node).name(node)
    return name


def short_name(name: str) -> str:
    """A node's name without its C++ namespace: ``torch::autograd::CopySlices`` -> ``CopySlices``."""
    plain, bracket, parameters = name.partition("<")
    return plain.rpartition("::")[2] + bracket + parameters


def _look_up(node: AutogradNode) -> NodeClass:
    name = node_name(node)
    op = short_name(name)
    if isinstance(node, torch._C._FunctionBase):
        return NodeClass(name, op, _KINDS.get(op, "custom"), (), (), True)
    found = operation(name)
    kind: NodeKind = _KINDS.get(op, "view" if found and found.is_view else "op")
    if op.startswith("CppNode<"):  # a C++ autograd::Function
        kind = "custom"
    arguments = tuple(Argument(argument.name, argument.formula) for argument in found.arguments) if found else ()
    return NodeClass(name, op, kind, arguments, saved_names(type(node)), False)
