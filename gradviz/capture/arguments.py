"""Names for the edges of a custom ``autograd.Function``, read from the signature of its ``forward``.

Such a node has one edge per tensor argument, while ``needs_input_grad`` tells for every argument whether it needs a
gradient. Which arguments were tensors is not recorded, so a name is given only where it is certain.
"""

from __future__ import annotations

import inspect
from itertools import pairwise
from types import FunctionType

from torch.autograd.function import Function

from gradviz.capture.walk import AutogradNode, NextFunctions


def function_edge_names(node: AutogradNode, following: NextFunctions) -> tuple[str | None, ...]:
    """One name per entry of ``next_functions``; None where it cannot be told."""
    needs = tuple(getattr(node, "needs_input_grad", ()) or ())
    names = _argument_names(getattr(node, "_forward_cls", None), len(needs))
    edges: list[str | None] = [None] * len(following)
    if len(names) != len(needs) or len(needs) < len(following):
        return tuple(edges)
    # The k-th edge with a target belongs to the k-th argument that needs a gradient. Between two such edges the
    # rest can be told apart only if no argument between them was anything but a tensor.
    present = [-1, *(slot for slot, (child, _) in enumerate(following) if child is not None), len(following)]
    needed = [-1, *(position for position, need in enumerate(needs) if need), len(needs)]
    if len(present) != len(needed):
        return tuple(edges)
    for (slot, next_slot), (position, next_position) in zip(pairwise(present), pairwise(needed), strict=True):
        if slot >= 0:
            edges[slot] = names[position]
        if next_slot - slot == next_position - position:
            edges[slot + 1 : next_slot] = names[position + 1 : next_position]
    return tuple(edges)


def _argument_names(function: type[Function] | None, count: int) -> list[str]:
    forward = getattr(function, "forward", None)
    if function is None or not isinstance(forward, FunctionType):
        return []
    try:
        code = inspect.unwrap(forward).__code__  # decorators such as torch.amp.custom_fwd
    except (AttributeError, ValueError):  # it wraps what is no function, or itself
        return []
    takes_ctx = function.setup_context is Function.setup_context
    names = list(code.co_varnames[: code.co_argcount])
    if code.co_flags & inspect.CO_VARARGS:
        starred = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        names += [f"{starred}[{index}]" for index in range(count + takes_ctx - len(names))]
    return names[takes_ctx : count + takes_ctx]
