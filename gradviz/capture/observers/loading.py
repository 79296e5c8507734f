"""Loading: ``load_state_dict`` of modules and optimizers."""

from __future__ import annotations

from typing import Any

from torch.nn import Module
from torch.optim import Optimizer

from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.recording import StateLoaded


class Loading(Observer):
    """Events StateLoaded, and exceptions of a load."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._inside = 0

    def enter(self) -> None:
        """Listen to both."""
        self.session.taps.add(Module, "load_state_dict", self._around)
        self.session.taps.add(Optimizer, "load_state_dict", self._around)

    def _around(self, call: Any, owner: Module | Optimizer, *args: Any, **kwargs: Any) -> Any:
        session = self.session
        self._inside += 1
        try:
            result = call(owner, *args, **kwargs)
        except BaseException as error:
            session.raised(error)
            raise
        finally:
            self._inside -= 1
        if not self._inside:
            if isinstance(owner, Optimizer):
                name = session.known.optimizer(owner, session.frame())
            else:
                name = session.known.path(owner) or type(owner).__name__
            session.add(StateLoaded(session.where(), session.step, name))
        return result
