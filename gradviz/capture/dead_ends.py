"""What was given to an argument that gets no gradient, where the node saved it or its module tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch.nn import Module

from gradviz.capture.names import Names
from gradviz.capture.saved import held_tensor
from gradviz.capture.walk import AutogradNode
from gradviz.graph import DeadEnd

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


def tell_by_modules(
    dead_ends: Sequence[DeadEnd],
    ops: Mapping[str, str],
    modules: Mapping[str, str | None],
    known: Mapping[str, Module],
    names: Names,
) -> tuple[DeadEnd, ...]:
    """Dead ends, with what the module of their operation tells about those that the node does not.

    Args:
        dead_ends: as the nodes tell them.
        ops: operation by node id.
        modules: path of the module that made it, by node id.
        known: module by path. Only those of ``torch.nn`` itself are asked, whose forward is known.
        names: the names of parameters.
    """
    return tuple(_told(end, ops[end.source], modules[end.source], known, names) for end in dead_ends)


def _told(end: DeadEnd, op: str, path: str | None, known: Mapping[str, Module], names: Names) -> DeadEnd:
    module = None if path is None else known.get(path)
    if end.why is not None or end.name is None or module is None:
        return end
    attribute = _PARAMETERS.get((op, end.name), end.name)
    if not type(module).__module__.startswith("torch.nn.modules.") or attribute not in module._parameters:
        return end
    parameter = module._parameters[attribute]
    if parameter is None:
        return end._replace(why=_NOT_GIVEN)
    return end if parameter.requires_grad else end._replace(tensor=names.of(parameter)[0], why=_FROZEN)
