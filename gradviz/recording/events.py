"""What happened, in order: one immutable tuple per call of the training loop that matters to learning.

Every event begins with ``where``, the user's line that made the call (None where no user code did), and ``step``, the
number of optimizer steps that were finished before it. Parameters are told by name.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from gradviz.recording.facts import Source


class ForwardCalled(NamedTuple):
    """A module that no other watched module was running was called. ``raised`` tells that the call did not return."""

    where: Source | None
    step: int
    module: str
    cls: str
    training: bool
    raised: bool


class BackwardRan(NamedTuple):
    """The engine was called: ``backward`` is the position in ``Recording.backwards``, None where there was no graph."""

    where: Source | None
    step: int
    kind: Literal["backward", "grad"]
    backward: int | None


class GradientsZeroed(NamedTuple):
    """Gradients were reset: by ``zero_grad`` of an optimizer or a module (``owner``), or ``.grad`` was set to None.

    ``owner`` is empty where it was done by hand. ``parameters`` had a gradient before.
    """

    where: Source | None
    step: int
    owner: str
    parameters: tuple[str, ...]
    to_none: bool


class ParameterUpdate(NamedTuple):
    """What a step did to one parameter.

    ``gradient`` is the 2-norm of ``.grad`` when the step began (None: there was none); ``change`` that of new minus old
    values, ``size`` that of the old values (None where they could not be measured). Large parameters are measured on
    evenly spaced elements and scaled up: ``sampled``. ``lr`` is the learning rate of its group.
    """

    name: str
    lr: float | None
    gradient: float | None
    change: float | None
    size: float | None
    sampled: bool


class OptimizerStepped(NamedTuple):
    """``optimizer.step()`` ran to its end; ``updates`` are what it did to each parameter that the optimizer holds."""

    where: Source | None
    step: int
    optimizer: str
    cls: str
    updates: tuple[ParameterUpdate, ...]


class OptimizerMade(NamedTuple):
    """An optimizer was constructed, or got another parameter group (``added``)."""

    where: Source | None
    step: int
    optimizer: str
    cls: str
    parameters: tuple[str, ...]
    added: bool


class GradientsClipped(NamedTuple):
    """Gradients were clipped: by norm (``before`` is the total norm) or by value. ``limit`` is max_norm or the value.

    ``parameters`` are those that had a gradient.
    """

    where: Source | None
    step: int
    kind: Literal["norm", "value"]
    limit: float
    before: float | None
    parameters: tuple[str, ...]


class ScalerCalled(NamedTuple):
    """A GradScaler was used: ``scale`` is the factor in force after the call.

    ``skipped`` tells of a ``step`` that was left out because of non-finite gradients.
    """

    where: Source | None
    step: int
    call: Literal["scale", "unscale_", "step", "update"]
    scale: float | None
    skipped: bool


class DataReplaced(NamedTuple):
    """``.data`` of parameters was set: their values were exchanged behind autograd's back."""

    where: Source | None
    step: int
    parameters: tuple[str, ...]


class RequiresGradChanged(NamedTuple):
    """``requires_grad`` of a parameter was set to another value."""

    where: Source | None
    step: int
    name: str
    value: bool


class ParameterRegistered(NamedTuple):
    """A module got a parameter; ``replaced`` tells that another one had this name before.

    ``module`` is the path of the module where it is known, else its class.
    """

    where: Source | None
    step: int
    module: str
    name: str
    replaced: bool


class StateLoaded(NamedTuple):
    """``load_state_dict`` of a module or an optimizer ran; ``owner`` names it."""

    where: Source | None
    step: int
    owner: str


class HookRegistered(NamedTuple):
    """A hook was registered on ``owner`` (a leaf's or module's name, else what the user's code called it)."""

    where: Source | None
    step: int
    kind: str
    owner: str
    name: str


class ExceptionRaised(NamedTuple):
    """An observed call raised. ``frames`` are the user's, outermost first; ``ended`` tells that it left the block."""

    where: Source | None
    step: int
    type: str
    message: str
    frames: tuple[Source, ...]
    ended: bool


class ObserversLeft(NamedTuple):
    """The watch stopped observing here, because the number of steps that was asked for is reached."""

    where: Source | None
    step: int


Event: TypeAlias = (
    ForwardCalled
    | BackwardRan
    | GradientsZeroed
    | OptimizerStepped
    | OptimizerMade
    | GradientsClipped
    | ScalerCalled
    | DataReplaced
    | RequiresGradChanged
    | ParameterRegistered
    | StateLoaded
    | HookRegistered
    | ExceptionRaised
    | ObserversLeft
)
