"""What a function of torch does to history: its name as it is written, and the kind of a cut that it makes."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from gradviz.recording.facts import CutKind

_KINDS: dict[str, CutKind] = {
    "detach": "detach",
    "detach_": "detach",
    "detach_copy": "detach",
    "data": "data",
    "tensor": "rewrap",
    "as_tensor": "rewrap",
    "asarray": "rewrap",
    "new_tensor": "rewrap",
    "scalar_tensor": "rewrap",
    "deepcopy": "copy",
}
# These give tensors that have none of the argument's values.
_NO_VALUES = frozenset(
    {"grad", "_grad", "_base", "new", "bernoulli_", "normal_", "uniform_", "exponential_", "geometric_", "cauchy_"}
    | {"log_normal_", "random_", "zero_", "requires_grad_", "retain_grad", "register_hook", "share_memory_"}
)
# Each of their results has values of one argument alone.
_EACH_ITS_OWN = frozenset({"broadcast_tensors", "_pack_padded_sequence", "_pad_packed_sequence", "meshgrid"})
_ENTRIES = frozenset({"tensor", "as_tensor", "asarray", "new_tensor", "scalar_tensor", "full", "full_like", "new_full"})


class Verdict(NamedTuple):
    """What is known of a function.

    ``values``: what it returns has values of its arguments. ``entry``: it makes tensors of Python values. ``cuts``: a
    result without history beside arguments with history has lost it.
    """

    name: str
    kind: CutKind | None
    values: bool
    entry: bool
    cuts: bool = True


class Verdicts:
    """Judges each function once."""

    def __init__(self) -> None:
        self._found: dict[Any, Verdict] = {}

    def of(self, function: Any) -> Verdict:
        """What is known of a function."""
        found = self._found.get(function)
        if found is None:
            found = self._found[function] = _judge(function)
        return found


def _judge(function: Any) -> Verdict:
    name = getattr(function, "__name__", type(function).__name__)
    if name in ("__get__", "__set__"):  # of a property of tensors
        name = getattr(getattr(function, "__self__", None), "__name__", name)
    elif name.startswith("__"):
        name = name.strip("_")
    elsewhere = name.endswith("_like") or (name.startswith("new_") and name != "new_tensor")
    many = name.startswith(("_foreach_", "_fused_"))  # of optimizers: they mix the values of no two parameters
    values = not (elsewhere or many or name in _NO_VALUES)
    return Verdict(name, _KINDS.get(name), values, name in _ENTRIES, name not in _EACH_ITS_OWN)


def kind_of(verdict: Verdict, result: torch.Tensor) -> CutKind:
    """The kind of a cut where gradients are switched on."""
    if verdict.kind is not None:
        return verdict.kind
    dtype = result.dtype
    return "no_formula" if dtype.is_floating_point or dtype.is_complex else "nondifferentiable"
