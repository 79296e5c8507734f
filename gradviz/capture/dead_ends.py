"""What was given to an argument that gets no gradient, where the node saved it or its module tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch.nn import Module

from gradviz.capture.names import Names
from gradviz.capture.saved import held_tensor
from gradviz.capture.walk import AutogradNode
from gradviz.graph import DeadEnd, Node

_FROZEN = "a parameter with requires_grad=False"
_NOT_GIVEN = "not given"
# What torch.nn.Linear calls the arguments of its operation; other modules of torch.nn call them as the operation does.
_PARAMETERS = {
    ("AddmmBackward0", "self"): "bias",
    ("AddmmBackward0", "mat2"): "weight",
    ("MmBackward0", "mat2"): "weight",
}


def given_there(node: AutogradNode, argument: str | None, names: Names) -> tuple[str | None, str | None]:
    """The tensor that was given to an argument without gradient, and why it has none, where the node saved it."""
    # Convolutions keep the sizes of a bias that they do not save: (0,) if there is none, as an empty one would have.
    if argument is not None and getattr(node, f"_saved_{argument}_sym_sizes_opt", None) == (0,):
        return None, _NOT_GIVEN
    given = None if argument is None else held_tensor(node, argument)
    if given is None or given.requires_grad:
        return None, None
    name, _ = names.of(given)
    if name is None and given._base is not None:  # a view, such as the transposed weight of a Linear
        given = given._base
        name, _ = names.of(given)
    if isinstance(given, torch.nn.Parameter):
        return name, _FROZEN
    if name is None and not given.dim():  # a number is saved as a tensor, which does not say that it was one
        return name, "a number or a 0-d constant"
    return name, "a tensor with requires_grad=False"


def tell_by_modules(dead_ends: Sequence[DeadEnd], nodes: Sequence[Node], names: Names) -> tuple[DeadEnd, ...]:
    """Dead ends, with what the module of their operation tells about those that the node does not.

    Only modules of ``torch.nn`` itself are asked, whose forward is known.

    Args:
        dead_ends: as the nodes tell them.
        nodes: all nodes, in the order of their ids, with their modules.
        names: the names of parameters, and the modules by path.
    """
    modules = names.every_module()
    return tuple(_told(end, nodes[int(end.source[1:])], modules, names) for end in dead_ends)


def _told(end: DeadEnd, node: Node, modules: Mapping[str, Module], names: Names) -> DeadEnd:
    module = None if node.module is None else modules.get(node.module)
    if end.why is not None or end.name is None or module is None:
        return end
    attribute = _PARAMETERS.get((node.op, end.name), end.name)
    if not type(module).__module__.startswith("torch.nn.modules.") or attribute not in module._parameters:
        return end
    parameter = module._parameters[attribute]
    if parameter is None:
        return end._replace(why=_NOT_GIVEN)
    return end if parameter.requires_grad else end._replace(tensor=names.of(parameter)[0], why=_FROZEN)
