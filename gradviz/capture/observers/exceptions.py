"""Exceptions: those that torch's functions, its engine and its optimizers raise, also where the user catches them."""

from __future__ import annotations

from typing import Any

import torch

from gradviz.capture.run import Observer


class Exceptions(Observer):
    """Events ExceptionRaised. The one that ends the block is the watch's own."""

    def enter(self) -> None:
        """Listen to every call that the function mode sees, to the engine and to the steps of optimizers."""
        session = self.session
        session.calls.raised.append(lambda _, error: session.raised(error))
        session.taps.around_engine(self._around_engine)
        session.taps.add(torch.autograd.profiler.record_function, "__exit__", self._around_exit)

    def _around_engine(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return call(*args, **kwargs)
        except BaseException as error:
            self.session.raised(error)
            raise

    def _around_exit(self, call: Any, record: Any, *error: Any) -> Any:
        """A step runs inside a ``record_function`` of its own (torch 2.10 to 2.14)."""
        if error[1] is not None and record.name.startswith("Optimizer.step#"):
            self.session.raised(error[1])
        return call(record, *error)
