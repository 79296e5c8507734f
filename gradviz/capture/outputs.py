"""Any nesting of outputs -> the traced roots, with the Python that reaches each of them.

Looks into lists, tuples, sets, mappings and dataclasses; passes by everything else (None, numbers, text, modules). Runs
no user code beyond iterating a container and reading a dataclass's fields.
"""

from __future__ import annotations

import dataclasses
from collections import UserString
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple

import torch
from torch.autograd.graph import GradientEdge, Node, get_gradient_edge

from gradviz.capture.walk import AutogradNode
from gradviz.errors import GradvizError

Access = tuple[str, str]  # the text before and after the name that was traced
_NO_TENSORS_IN_IT = (str, UserString, bytes, bytearray, memoryview, range)  # and perhaps without an end
_LITERAL_KEYS = frozenset({str, int, bool, bytes, type(None)})  # exactly these: an enum's repr is not Python


class LiveRoot(NamedTuple):
    """A traced output while its node is alive; ``tensor`` is None for a GradientEdge or a node."""

    access: Access
    kind: Literal["tensor", "leaf", "edge", "node"]
    node: AutogradNode
    slot: int
    tensor: torch.Tensor | None


def find_roots(outputs: Any) -> tuple[list[LiveRoot], list[str]]:
    """The differentiable outputs in order, and a note for each tensor that is passed by because it is not.

    Raises:
        GradvizError: if there is no tensor in ``outputs``, or none through which a gradient could flow; it says why.
    """
    roots: list[LiveRoot] = []
    passed: list[tuple[Access, torch.Tensor]] = []
    for access, value in _contents(outputs):
        if isinstance(value, GradientEdge):
            roots.append(LiveRoot(access, "edge", value.node, value.output_nr, None))
        elif _is_node(value):
            roots.append(LiveRoot(access, "node", value, 0, None))
        elif not value.requires_grad:
            passed.append((access, value))
        elif value.grad_fn is not None:
            roots.append(LiveRoot(access, "tensor", value.grad_fn, value.output_nr, value))
        elif (accumulator := _accumulator(value)) is not None:
            roots.append(LiveRoot(access, "leaf", accumulator, 0, value))
        else:
            passed.append((access, value))
    if not roots:
        raise _nothing_to_trace(outputs, passed)
    notes = [f"{_place(access)} was passed by: {_reason(tensor)}" for access, tensor in passed]
    return roots, notes


def _contents(outputs: Any) -> Iterator[tuple[Access, Any]]:
    """Every tensor, GradientEdge and node in ``outputs``, depth first in order, each container once."""
    stack: list[tuple[Access, Any]] = [(("", ""), outputs)]
    entered: dict[int, Any] = {}  # holds the containers: some are made only when they are asked for
    while stack:
        access, value = stack.pop()
        if isinstance(value, torch.Tensor | GradientEdge) or _is_node(value):
            yield access, value
            continue
        inner = list(_parts(access, value))
        if inner and id(value) not in entered:
            entered[id(value)] = value
            stack.extend(reversed(inner))


def _is_node(value: Any) -> bool:
    return isinstance(value, Node) or type(value).__name__ == "CppFunction"  # torch gives some no type of their own


def _parts(access: Access, value: Any) -> Iterator[tuple[Access, Any]]:
    before, after = access
    if isinstance(value, Mapping):
        for position, (key, part) in enumerate(value.items()):
            if type(key) in _LITERAL_KEYS:
                yield (before, f"{after}[{key!r}]"), part
            else:
                yield (f"list({before}", f"{after}.values())[{position}]"), part
    elif isinstance(value, Sequence) and not isinstance(value, _NO_TENSORS_IN_IT):
        for position in range(len(value)):  # a class need not end where its length says
            yield (before, f"{after}[{position}]"), value[position]
    elif isinstance(value, Set):
        for position, part in enumerate(value):
            yield (f"list({before}", f"{after})[{position}]"), part
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            part = getattr(value, field.name, None)
            if part is not None:
                yield (before, f"{after}.{field.name}"), part


def _accumulator(leaf: torch.Tensor) -> AutogradNode | None:
    """The AccumulateGrad node of a leaf; None where torch cannot view it (sparse, nested and inference tensors).

    Torch makes it from a temporary view, which takes one sequence number. No mode or subclass of the user's sees that.
    """
    with torch._C._DisableTorchDispatch(), torch.inference_mode(False), torch.enable_grad():
        try:
            return get_gradient_edge(leaf).node
        except (AttributeError, NotImplementedError, RuntimeError):
            return None


def _place(access: Access) -> str:
    return "outputs".join(access)


def _nothing_to_trace(outputs: Any, passed: list[tuple[Access, torch.Tensor]]) -> GradvizError:
    if passed:
        reasons = "; ".join(f"{_place(access)}: {_reason(tensor)}" for access, tensor in passed[:3])
        more = f"; and {len(passed) - 3} more" if len(passed) > 3 else ""
        return GradvizError("There is no backward graph to trace", reasons + more, _remedy(passed[0][1]))
    if isinstance(outputs, torch.nn.Module):
        return GradvizError(
            "A module has no backward graph",
            f"a graph belongs to a result; {type(outputs).__name__} is what computes it",
            "call it and trace what it returns: gradviz.trace(model(inputs).sum(), model=model)",
        )
    if callable(outputs):
        name = getattr(outputs, "__name__", type(outputs).__name__)
        return GradvizError(
            "A function has no backward graph",
            f"{name} was passed without being called",
            f"call it: gradviz.trace({name}(...))",
        )
    return GradvizError(
        "There is no tensor to trace",
        f"a {type(outputs).__name__} without any tensor in it was given",
        "pass a tensor that requires grad (a loss, an output), or a list, dict or dataclass with such tensors",
    )


def _reason(tensor: torch.Tensor) -> str:
    if tensor.requires_grad:
        return "it is a leaf of a kind that torch cannot view, and only through a view is its node reached"
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return f"a tensor of type {str(tensor.dtype).removeprefix('torch.')} cannot carry a gradient"
    if tensor.is_inference():
        return "it was made under torch.inference_mode(), which records nothing"
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return "it belongs to a transform of torch.func (vmap, jvp) that is running, which hides the graph"
    return (
        "it has requires_grad=False: it was computed from tensors that do not require grad, or under torch.no_grad(), "
        "or detached (detach(), .data, .item(), numpy())"
    )


def _remedy(tensor: torch.Tensor) -> str:
    if tensor.requires_grad:
        return "trace something that was computed from it"
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return "trace the value that it was derived from: the logits before argmax, the loss before a comparison"
    if tensor.is_inference():
        return "compute it again outside of torch.inference_mode()"
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return "trace what the transform returns"
    return "compute it, with gradients enabled, from a tensor with requires_grad=True (are all parameters frozen?)"
