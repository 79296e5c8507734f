"""Parameters: registered or replaced ones, frozen and unfrozen ones, and values exchanged through ``.data``."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import FrameType
from typing import Any

from torch import Tensor
from torch.nn import Module, Parameter
from torch.nn.modules.module import register_module_parameter_registration_hook

from gradviz.capture.gathering import Gathering
from gradviz.capture.known import UNNAMED
from gradviz.capture.run import Observer
from gradviz.capture.session import Session
from gradviz.capture.unseen import unseen
from gradviz.recording import DataReplaced, ParameterRegistered, RequiresGradChanged

_REQUIRES_GRAD: Any = Tensor.requires_grad
_DATA: Any = Tensor.data


class Parameters(Observer):
    """Events ParameterRegistered, RequiresGradChanged and DataReplaced."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._handle: Any = None
        self._exchanged = Gathering(session, DataReplaced)

    def enter(self) -> None:
        """Hook into registrations, and listen to the setters."""
        self._handle = register_module_parameter_registration_hook(self._registered)
        before = self.session.calls.before
        before.setdefault(_REQUIRES_GRAD.__set__, []).append(self._set_requires_grad)
        before.setdefault(Tensor.requires_grad_, []).append(self._set_requires_grad)
        before.setdefault(_DATA.__set__, []).append(self._set_data)

    def leave(self) -> None:
        """Take the hook away."""
        if self._handle is not None:
            self._handle.remove()

    def _registered(self, module: Module, name: str, parameter: Any) -> None:
        session = self.session
        if threading.get_ident() != session.thread:
            return
        old = module._parameters.get(name)
        if old is not parameter:
            path = session.known.path(module) or type(module).__name__
            session.add(ParameterRegistered(session.where(), session.step, path, name, old is not None))

    def _set_requires_grad(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        session, tensor = self.session, args[0]
        value = bool(args[1] if len(args) > 1 else kwargs.get("requires_grad", True))
        with unseen():
            changes = tensor.is_leaf and tensor.requires_grad != value
        if changes:
            frame = session.frame()
            name = self._name(tensor, frame)
            if name is not None:
                session.add(RequiresGradChanged(session.code.source(frame), session.step, name, value))

    def _set_data(self, args: tuple[Any, ...], _: Mapping[str, Any]) -> None:
        session = self.session
        frame = session.frame()
        name = self._name(args[0], frame)
        if name is not None:
            self._exchanged.add(session.code.source(frame), name)

    def _name(self, tensor: Tensor, frame: FrameType | None) -> str | None:
        """What a parameter is called; None for a tensor that is none and has no name."""
        if isinstance(tensor, Parameter):
            return self.session.known.name(tensor, frame)
        name = self.session.known.name(tensor)
        return None if name == UNNAMED else name
