"""Zeroing: gradients that are reset, by ``zero_grad`` or by hand.

A class that overrides ``zero_grad`` without calling its parent's resets by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.gathering import Gathering
from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.capture.unseen import unseen
from gradviz.recording import GradientsZeroed

_GRAD: Any = Tensor.grad


class Zeroing(Observer):
    """Events GradientsZeroed."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._inside = 0
        self._by_hand = Gathering(session, lambda where, step, names: GradientsZeroed(where, step, "", names, True))

    def enter(self) -> None:
        """Listen to both ``zero_grad`` and to ``.grad`` being set or deleted."""
        taps, calls = self.session.taps, self.session.calls
        taps.add(Optimizer, "zero_grad", self._around_optimizer)
        taps.add(Module, "zero_grad", self._around_module)
        calls.before.setdefault(_GRAD.__set__, []).append(self._set)
        calls.before.setdefault(_GRAD.__delete__, []).append(self._set)

    def _around_optimizer(self, call: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        def owner() -> str:
            known, caller = self.session.known, self.session.frame()
            known.meet(optimizer, caller)
            return known.optimizer(optimizer, caller)

        parameters = (parameter for group in optimizer.param_groups for parameter in group["params"])
        return self._around(owner, parameters, call, optimizer, args, kwargs)

    def _around_module(self, call: Any, module: Module, *args: Any, **kwargs: Any) -> Any:
        def owner() -> str:
            return self.session.known.path(module) or type(module).__name__

        return self._around(owner, module.parameters(), call, module, args, kwargs)

    def _around(
        self,
        owner: Callable[[], str],
        parameters: Iterable[Tensor],
        call: Any,
        zeroed: Any,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Any:
        if self._inside:
            return call(zeroed, *args, **kwargs)
        session = self.session
        with unseen():
            caller = session.frame()
            names = tuple(session.known.name(one, caller) for one in parameters if one.grad is not None)
        paused = session.calls.pause()
        self._inside += 1
        try:
            result = call(zeroed, *args, **kwargs)
        finally:
            self._inside -= 1
            if paused:
                session.calls.resume()
        to_none = bool(args[0] if args else kwargs.get("set_to_none", True))
        session.add(GradientsZeroed(session.where(), session.step, owner(), names, to_none))
        return result

    def _set(self, args: tuple[Any, ...], _: Mapping[str, Any]) -> None:
        """``.grad`` of a tensor is about to be set, or deleted."""
        tensor, value = args if len(args) == 2 else (args[0], None)
        if self._inside or value is not None:
            return
        session = self.session
        with unseen():
            if not tensor.is_leaf or tensor.grad is None:
                return
        frame = session.frame()
        self._by_hand.add(session.code.source(frame), session.known.name(tensor, frame))
