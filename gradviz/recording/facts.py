"""What one step did, as plain immutable tuples: where nodes came from, what flowed, what hooks did, where paths end.

No tensor, autograd node, module, frame or exception is stored in them. "Not recorded" is None and never zero.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from gradviz.graph import Hook

BackwardKind = Literal["backward", "grad"]
CutKind = Literal[
    "detach",
    "data",
    "no_grad",
    "inference_mode",
    "grad_disabled",
    "to_python",
    "to_numpy",
    "rewrap",
    "nondifferentiable",
    "no_formula",
    "copy",
    "checkpoint",
    "custom_function",
    "rpc",
]
TurnKind = Literal["zero", "nonfinite", "exploded", "vanished"]


class Source(NamedTuple):
    """A place in the user's code: the file's shortened name (``train.py``), the line, the function's qualified name."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Magnitude(NamedTuple):
    """How large a tensor is: the 2-norm over all its elements, always recorded, the rest only where it was asked for.

    ``norm`` is 0.0 only where every element is zero, and infinite or NaN only where an element is: sizes whose squares
    would leave the range of the dtype are measured again in a wider one. ``largest`` is the largest absolute value,
    ``zero_fraction`` the share of elements that are zero, ``nonfinite`` the number of infinite and NaN elements.
    """

    norm: float
    largest: float | None = None
    zero_fraction: float | None = None
    nonfinite: int | None = None


class Contribution(NamedTuple):
    """What one edge added to the gradient at a slot."""

    source: str
    source_slot: int
    size: Magnitude | None


class Gradient(NamedTuple):
    """What arrived at a slot of a node, after tensor hooks and before the node's own pre-hooks.

    ``size`` is None where no gradient was computed (an output that the loss does not use). ``contributions`` are
    recorded for what ``observe`` names.
    """

    node: str
    slot: int
    size: Magnitude | None
    contributions: tuple[Contribution, ...] = ()


class HookEffect(NamedTuple):
    """One call of one hook.

    ``node`` is the id of the node that it ran at, None outside the graph. ``started`` counts the nodes of
    ``Backward.executed`` that had begun before it: with it, hooks and nodes have one order. ``before`` and ``after``
    are the tensors that it was given and what it left for whoever comes next, one entry per tensor (for a hook after
    accumulation: ``.grad``); None stands for no gradient. ``reached`` are the ids of other nodes to which an in-place
    change went, because they were given the same tensor. ``error`` is ``"ValueError: text"`` where it raised.
    """

    hook: Hook
    node: str | None
    started: int
    before: tuple[Magnitude | None, ...]
    after: tuple[Magnitude | None, ...]
    returned_none: bool
    replaced: bool
    in_place: bool
    removed: bool
    registered: Source | None
    error: str | None = None
    reached: tuple[str, ...] = ()


class Turn(NamedTuple):
    """Where the gradient first becomes zero or non-finite, or changes by orders of magnitude, on its way down.

    At ``source`` it arrived as ``before``, at ``slot`` of ``target`` (one edge further) as ``after``.
    """

    kind: TurnKind
    source: str
    target: str
    slot: int
    before: float
    after: float


class Backward(NamedTuple):
    """One run of the engine; ``Watched.graphs`` holds its graph at the same position.

    ``executed`` are the ids of the nodes in the order in which the engine started them. ``gradients`` are in the order
    in which they arrived, so are ``effects``. ``scale`` is the factor of a GradScaler that the loss was multiplied by:
    all sizes here are divided by it already. ``nested`` tells that it ran inside another backward (re-entrant
    checkpointing). ``create_graph`` tells that the gradients have a history of their own. ``event`` is the position of
    its event in ``Recording.events``.
    """

    kind: BackwardKind
    where: Source | None
    nested: bool
    create_graph: bool
    executed: tuple[str, ...]
    gradients: tuple[Gradient, ...]
    effects: tuple[HookEffect, ...]
    turns: tuple[Turn, ...]
    scale: float | None
    event: int
    error: str | None = None


class Cut(NamedTuple):
    """An operation at which gradient history ends.

    ``operation`` is how it is written (``"detach"``, ``"argmax"``). ``where`` is its line; ``opened`` is the line that
    opened the region without gradients in which it stands. ``severed`` are the parameters (names) that no way to the
    loss of backward number ``backward`` is left for after it; ``suspected`` those for which that cannot be proven: the
    value left torch here, and a value of unknown origin came in at ``entered``. A cut beside an intact path severs
    nothing. ``severed_from`` are the ids, in that backward's graph, of the nodes where its value came back in as a
    constant. ``times`` counts how often this line cut.
    """

    kind: CutKind
    operation: str
    where: Source | None
    opened: Source | None
    backward: int | None
    severed: tuple[str, ...]
    suspected: tuple[str, ...]
    entered: Source | None
    severed_from: tuple[str, ...]
    times: int


class HookRecord(NamedTuple):
    """A hook that was registered, or found, during the watch, whether it fired or not.

    ``fired`` counts its calls in all recorded backwards. ``registered`` is None where it was there before.
    """

    hook: Hook
    registered: Source | None
    fired: int
