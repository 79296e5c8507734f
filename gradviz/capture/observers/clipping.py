"""Clipping: gradients that are clipped, by norm or by value.

What is replaced is the function inside the wrapper that torch puts around each (torch 2.10 to 2.14), so that it makes
no difference from where and when the user imported it. ``clip_grad_norm_`` calls ``clip_grads_with_norm_``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from torch import Tensor
from torch.nn.utils import clip_grad

from gradviz.capture.figures import figure
from gradviz.capture.run import Observer
from gradviz.capture.unseen import unseen
from gradviz.recording import GradientsClipped


class Clipping(Observer):
    """Events GradientsClipped."""

    def enter(self) -> None:
        """Listen to both."""
        for name, around in (("_clip_grads_with_norm_", self._by_norm), ("clip_grad_value_", self._by_value)):
            for cell in getattr(getattr(clip_grad, name, None), "__closure__", None) or ():
                self.session.taps.add(cell, "cell_contents", around)

    def _by_norm(self, call: Any, parameters: Any, max_norm: float, total_norm: Any, *args: Any, **kwargs: Any) -> Any:
        parameters = _kept(parameters)
        with unseen():
            before = total_norm.detach().clone() if isinstance(total_norm, Tensor) else total_norm
        self._tell("norm", parameters, max_norm, before)
        return call(parameters, max_norm, total_norm, *args, **kwargs)

    def _by_value(self, call: Any, parameters: Any, clip_value: float, *args: Any, **kwargs: Any) -> Any:
        parameters = _kept(parameters)
        self._tell("value", parameters, clip_value, None)
        return call(parameters, clip_value, *args, **kwargs)

    def _tell(self, kind: Literal["norm", "value"], parameters: Iterable[Tensor], limit: Any, before: Any) -> None:
        session = self.session
        frame = session.frame()
        where, number = session.code.source(frame), session.step
        with unseen():
            given = [parameters] if isinstance(parameters, Tensor) else parameters
            names = tuple(session.known.name(one, frame) for one in given if one.grad is not None)
            most = float(limit)
        if before is None:
            session.add(GradientsClipped(where, number, kind, most, None, names))
        else:
            session.add(lambda: GradientsClipped(where, number, kind, most, figure(before), names))


def _kept(parameters: Any) -> Any:
    """A generator's parameters in a list: they are read twice now."""
    return parameters if isinstance(parameters, Tensor | list | tuple) else list(parameters)
