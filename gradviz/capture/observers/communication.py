"""Communication: what DistributedDataParallel does to gradients, seen from outside.

Its reducer is a hook in C++ that runs after all others of a parameter. A communication hook is called by the reducer
and cannot be taken back once it is registered, so no probe may stand for it. What can be seen is ``.grad`` when the
last Python hook of a parameter has run, and again when the engine has ended: one effect per parameter.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any, NamedTuple

import torch
from torch.nn.parallel import DistributedDataParallel

from gradviz.capture.hooks import dictionary
from gradviz.capture.run import Observer, Run
from gradviz.capture.where import describe
from gradviz.graph import Hook
from gradviz.recording import HookEffect, HookRegistered, Source

_KEY = "gradviz communication"  # other keys of a dictionary of hooks are numbers


class _Parameter(NamedTuple):
    """One parameter whose gradient is about to be reduced."""

    hook: Hook
    place: int
    variable: weakref.ref[torch.Tensor]
    gradient: weakref.ref[torch.Tensor]
    version: int
    before: int
    started: int


class _Effect(NamedTuple):
    parameter: _Parameter
    after: int
    ended: int
    replaced: bool
    in_place: bool
    registered: Source | None


class Communication(Observer):
    """Adds to ``Backward.effects``; writes HookRegistered events of communication hooks."""

    def enter(self) -> None:
        """Listen to the registration of communication hooks."""
        self.session.taps.add(DistributedDataParallel, "register_comm_hook", self._registers)
        self._waiting: dict[Run, list[_Parameter]] = {}
        self._own: dict[Run, list[MutableMapping[Any, Any]]] = {}
        self._effects: dict[Run, list[_Effect]] = {}

    def before(self, run: Run) -> None:
        """Look at the parameters behind all their hooks in Python."""
        if run.walk is None or run.graph is None or run.kind == "grad":
            return
        for hook, module in self._reducers():
            waiting, own = self._waiting.setdefault(run, []), self._own.setdefault(run, [])
            self.session.registered.found(_handle(hook), hook)
            reduced = _reduced(module)
            for leaf in run.graph.leaves:
                if leaf.node is None:
                    continue
                place = int(leaf.node[1:])
                node = run.walk.nodes[place]
                if id(node.variable) in reduced:
                    functions: MutableMapping[Any, Any] = dictionary(node, "register_hook")
                    functions[_KEY, id(run)] = self._looker(run, waiting, hook, place)
                    own.append(functions)

    def after(self, run: Run) -> None:
        """Look again."""
        for functions in self._own.pop(run, ()):
            functions.pop((_KEY, id(run)), None)
        effects = self._effects.setdefault(run, [])
        sources: dict[Hook, Source | None] = {}
        for parameter in self._waiting.pop(run, ()):
            variable = parameter.variable()
            if variable is None:
                continue
            if parameter.hook not in sources:
                sources[parameter.hook] = self.session.registered.fired(_handle(parameter.hook))
            gradient = variable.grad
            same = gradient is not None and parameter.gradient() is gradient
            changed = same and gradient is not None and gradient._version != parameter.version
            size = run.sizes.put(gradient, full=True)
            effects.append(_Effect(parameter, size, len(run.executed), not same, changed, sources[parameter.hook]))

    def tell_run(self, run: Run) -> None:
        """Write the effects, after all others: gradients are reduced when the engine ends."""
        effects = self._effects.pop(run, ())
        if run.graph is None:
            return
        nodes, sizes = run.graph.nodes, run.sizes
        run.effects += tuple(
            HookEffect(
                hook=one.parameter.hook,
                node=nodes[one.parameter.place].id,
                started=one.ended,
                before=(sizes[one.parameter.before],),
                after=(sizes[one.after],),
                returned_none=False,
                replaced=one.replaced,
                in_place=one.in_place,
                removed=False,
                registered=one.registered,
            )
            for one in effects
        )

    def _reducers(self) -> Iterator[tuple[Hook, DistributedDataParallel]]:
        for path, module in list(self.session.known.modules.items()):
            if isinstance(module, DistributedDataParallel):
                yield _hook(path, module), module

    def _looker(self, run: Run, waiting: list[_Parameter], hook: Hook, place: int) -> Any:
        def look(*_: Any) -> None:
            with torch._C.DisableTorchFunction():
                node: Any = torch._C._current_autograd_node()
                variable = node.variable
                gradient = variable.grad
                if gradient is not None:
                    size = run.sizes.put(gradient, full=True)
                    references = weakref.ref(variable), weakref.ref(gradient)
                    waiting.append(_Parameter(hook, place, *references, gradient._version, size, len(run.executed)))

        return look

    def _registers(self, call: Any, module: Any, *args: Any, **kwargs: Any) -> Any:
        result = call(module, *args, **kwargs)
        session = self.session
        path = session.known.path(module)
        hook, where = _hook(type(module).__name__ if path is None else path, module), session.where()
        session.registered.register(_handle(hook), hook, where, owned=path is not None)
        session.add(HookRegistered(where, session.step, *hook[:3]))
        return result


def _hook(path: str, module: Any) -> Hook:
    """The communication hook of a DistributedDataParallel; "unknown" where there is none, but only the reducer."""
    registered = getattr(module, "_comm_hooks", ())
    if registered:
        return Hook("communication", path, *describe(registered[-1][0]))
    return Hook("unknown", path, "DistributedDataParallel", None)


def _handle(hook: Hook) -> tuple[str, str, str | None]:
    return hook.kind, hook.name, hook.where


def _reduced(module: DistributedDataParallel) -> set[int]:
    """Identities of the parameters whose gradients it reduces."""
    ignored = module.parameters_to_ignore
    return {
        id(parameter)
        for name, parameter in module.module.named_parameters()
        if parameter.requires_grad and name not in ignored
    }
