"""Probes: stand where a hook's function stood while the engine runs, call it, and tell what went in and what came out.

Rules: the function gets what it would have got, and what it returns or raises goes on. A probe answers for everything
else as the function would (the engine quotes ``__name__``). It stands where the function stood, so order is kept; it is
taken away only from where it still stands: a hook may have removed itself, and a watch of another thread may have put
its own probe around it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType, MethodType
from typing import Any, NamedTuple, Protocol, TypeAlias


class Call(Protocol):
    """One call of a hook, being recorded."""

    def returned(self, result: Any) -> None:
        """The hook returned."""

    def raised(self, error: BaseException) -> None:
        """The hook raised."""


# Of one hook: called with the arguments that it is about to get. None: this call is not to be recorded.
Began: TypeAlias = Callable[[tuple[Any, ...]], Call | None]


class Spot(NamedTuple):
    """Where a function stands: under a key of a dictionary, at a place of a list, or in a closure's cell."""

    container: Any
    key: Any

    def read(self) -> Any:
        """What stands there now; None where it was taken out."""
        container, key = self.container, self.key
        if type(container) is CellType:
            return container.cell_contents
        if type(container) is list:
            return container[key] if key < len(container) else None
        return container.get(key)

    def write(self, function: Any) -> None:
        """Let another function stand there."""
        if type(self.container) is CellType:
            self.container.cell_contents = function
        else:
            self.container[self.key] = function


class Probe:
    """Stands in for one function."""

    __slots__ = ("_began", "function")

    def __init__(self, function: Any, began: Began) -> None:
        self.function, self._began = function, began

    def __call__(self, *args: Any) -> Any:
        """Call the function, and tell."""
        call = self._began(args)
        if call is None:
            return self.function(*args)
        try:
            result = self.function(*args)
        except BaseException as error:
            call.raised(error)
            raise
        call.returned(result)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.function == behind(other))

    def __hash__(self) -> int:
        return hash(self.function)


class Probes:
    """The probes of one run of the engine."""

    def __init__(self) -> None:
        self._set: list[tuple[Spot, Probe]] = []

    def put(self, spot: Spot, began: Began) -> None:
        """Let a probe stand in for what stands at ``spot``."""
        probe = Probe(spot.read(), began)
        self._set.append((spot, probe))
        spot.write(probe)

    def remove(self) -> None:
        """Put back every function, unless it was removed in the meantime."""
        while self._set:
            spot, probe = self._set.pop()
            around = spot.read()
            if around is probe:
                spot.write(probe.function)
                continue
            while type(around) is Probe:
                if around.function is probe:
                    around.function = probe.function
                    break
                around = around.function


def behind(function: Any) -> Any:
    """The function that a probe stands in for; any other function is its own."""
    while type(function) is Probe:
        function = function.function
    return function


def is_own(function: Any) -> bool:
    """Whether a hook is one of gradviz's. Asks types only, and runs nothing of the user's."""
    if type(function) is MethodType:
        function = function.__func__
    home = function.__globals__.get("__name__") if type(function) is FunctionType else type(function).__module__
    return type(function) is not Probe and type(home) is str and home.startswith("gradviz.capture.")
