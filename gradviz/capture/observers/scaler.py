"""Scaler: calls of a GradScaler, and the scale that is in force in a backward.

Scales stay on their device until the watch ends. A disabled scaler passes everything through and is not told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from torch import Tensor
from torch.amp.grad_scaler import GradScaler

from gradviz.capture.figures import figure
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.capture.unseen import unseen
from gradviz.capture.walk import Walk, sequence_number
from gradviz.recording import ScalerCalled

_MIXED = (
    "A backward started from losses of which only some, or each in another way, were multiplied by a GradScaler: "
    "the sizes of its gradients are shown as they were computed."
)


class _Scale(NamedTuple):
    """A scale that a loss was multiplied by."""

    key: tuple[int, int]  # the scaler, and how often its scale had been changed
    value: Tensor


class Scaler(Observer):
    """Events ScalerCalled; sets ``scale`` of runs."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._inside = 0
        self._scaled: dict[int, _Scale] = {}  # by the sequence number of the node that multiplied
        self._running: list[Tensor | None] = []  # the scale of each run of the engine that has begun

    def enter(self) -> None:
        """Listen to the four methods; torch.cuda.amp.GradScaler inherits them."""
        for name in ("scale", "unscale_", "step", "update"):
            self.session.taps.add(GradScaler, name, getattr(self, f"_{name.strip('_')}"))

    def before(self, run: Run) -> None:
        """Find out what the loss was multiplied by; a run inside another has the scale of that one."""
        if run.nested and self._running:
            run.scale = self._running[-1]
        elif run.walk is not None and self._scaled:
            run.scale = self._in_force(run.walk)
        self._running.append(run.scale)

    def after(self, _: Run) -> None:
        """It has ended."""
        if self._running:
            self._running.pop()

    def leave(self) -> None:
        """Forget which nodes multiplied."""
        self._scaled = {}

    def _scale(self, call: Any, scaler: GradScaler, outputs: Any) -> Any:
        result = call(scaler, outputs)
        if self._inside or not scaler.is_enabled():
            return result
        with unseen():
            value = _scale_of(scaler)
            if isinstance(value, Tensor):
                scale = _Scale((id(scaler), scaler._scale._version), value)  # type: ignore[union-attr]
                for tensor in _tensors(result):
                    if tensor.grad_fn is not None:
                        self._scaled[sequence_number(tensor.grad_fn)] = scale
        self._tell("scale", value)
        return result

    def _unscale(self, call: Any, scaler: GradScaler, optimizer: Any) -> Any:
        result = call(scaler, optimizer)
        if not self._inside and scaler.is_enabled():
            self._tell("unscale_", _scale_of(scaler))
        return result

    def _step(self, call: Any, scaler: GradScaler, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        if self._inside or not scaler.is_enabled():
            return call(scaler, optimizer, *args, **kwargs)
        session, before, found = self.session, self.session.step, list[Tensor]()
        where = session.where()
        position = session.add(
            lambda: ScalerCalled(where, before, "step", figure(scale), any(figure(infinite) for infinite in found))
        )
        self._inside += 1
        try:
            result = call(scaler, optimizer, *args, **kwargs)
        except BaseException as error:
            session.withdraw(position)
            session.raised(error)
            raise
        finally:
            self._inside -= 1
            scale = _scale_of(scaler)
        with unseen():
            state = scaler._per_optimizer_states.get(id(optimizer), {})
            found += [infinite.detach().clone() for infinite in state.get("found_inf_per_device", {}).values()]
        if session.step == before:
            session.stepped(optimizer, skipped=True)
        return result

    def _update(self, call: Any, scaler: GradScaler, *args: Any, **kwargs: Any) -> Any:
        result = call(scaler, *args, **kwargs)
        if not self._inside and scaler.is_enabled():
            self._scaled = {}
            self._tell("update", _scale_of(scaler))
        return result

    def _tell(self, call: Literal["scale", "unscale_", "update"], scale: Any) -> None:
        where, number = self.session.where(), self.session.step
        self.session.add(lambda: ScalerCalled(where, number, call, figure(scale), False))

    def _in_force(self, walk: Walk) -> Tensor | None:
        """The scale that lies on every way from the roots of a walk to its leaves."""
        found: dict[tuple[int, int], Tensor] = {}
        waiting, seen, escaped = list(walk.roots), set(walk.roots), False
        while waiting:
            place = waiting.pop()
            scale = self._scaled.get(sequence_number(walk.nodes[place]))
            if scale is not None:
                found[scale.key] = scale.value
                continue
            children = walk.targets[place]
            escaped = escaped or not children
            waiting += [child for child in children if child not in seen]
            seen.update(children)
        if not found:
            return None
        if escaped or len(found) > 1:
            self.session.note(_MIXED)
            return None
        return next(iter(found.values()))


def _scale_of(scaler: GradScaler) -> Any:
    """The scale now, as it is on its device: it changes in place."""
    with unseen():
        scale = scaler._scale
        return scaler._init_scale if scale is None else scale.detach().clone()


def _tensors(result: Any) -> Iterable[Tensor]:
    if isinstance(result, Tensor):
        return [result]
    return [tensor for one in result for tensor in _tensors(one)] if isinstance(result, list | tuple) else []
