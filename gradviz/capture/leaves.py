"""The leaves of a graph, and the model's parameters that it does not reach."""

from __future__ import annotations

import torch

from gradviz.capture.hooks import tensor_hooks
from gradviz.capture.measure import Measure
from gradviz.capture.names import Names
from gradviz.graph import Leaf


def list_leaves(variables: dict[str, torch.Tensor], names: Names, measure: Measure) -> tuple[Leaf, ...]:
    """Leaves in the order of their nodes, then the unreached parameters in the order of the model.

    Args:
        variables: the tensor at which each AccumulateGrad node accumulates, by the node's id.
        names: the names that are known.
        measure: describes the tensors.
    """
    reached = {id(tensor) for tensor in variables.values()}
    listed: list[tuple[str | None, torch.Tensor]] = list(variables.items())
    listed += [(None, parameter) for parameter in names.parameters if id(parameter) not in reached]
    return tuple(_leaf(node, tensor, names, measure) for node, tensor in listed)


def _leaf(node: str | None, tensor: torch.Tensor, names: Names, measure: Measure) -> Leaf:
    name, aliases = names.of(tensor)
    is_leaf, retains_grad = tensor.is_leaf, tensor.retains_grad
    grad = tensor.grad if is_leaf or retains_grad else None  # elsewhere reading .grad warns
    return Leaf(
        name,
        aliases,
        type(tensor) is torch.nn.Parameter or isinstance(tensor, torch.nn.Parameter) or name in names.homes,
        measure.tensor(tensor),
        is_leaf,
        tensor.requires_grad,
        retains_grad,
        None if grad is None else measure.tensor(grad),
        None if tensor.is_inference() else tensor._version,
        node,
        tensor_hooks(tensor, name or node or "unnamed"),
    )
