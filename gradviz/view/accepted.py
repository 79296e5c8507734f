"""What the verbs that show things accept, said in one place so that all refuse the rest with the same words."""

from __future__ import annotations

from collections.abc import Collection

from gradviz.errors import GradvizError
from gradviz.graph import Graph

THEMES = ("auto", "light", "dark")  # of the viewer


def graph_of(given: object, verb: str, call: str) -> Graph:
    """The graph to show.

    Args:
        given: what the user gave.
        verb: what was to be done with it: ``"draw"``.
        call: how that is written: ``"gradviz.draw(…)"``, where … stands for the graph.

    Raises:
        GradvizError: for what is no graph.
    """
    if isinstance(given, Graph):
        return given
    function = call.removeprefix("gradviz.").partition("(")[0]
    raise GradvizError(
        f"Cannot {verb} an object of type {type(given).__name__}",
        f"{function} takes a Graph, which gradviz.trace returns",
        f"write {call.replace('…', 'gradviz.trace(loss)')}",
    )


def require_one_of(name: str, value: object, known: Collection[str], why: str) -> None:
    """Raise GradvizError, with the choices, for an argument that has no such value. ``why`` says that it has not."""
    if value not in tuple(known):
        listed = ", ".join(map(repr, known))
        raise GradvizError(f"{name}={value!r} is not known", why, f"choose from {listed}")


def require_height(height: object) -> None:
    """Raise GradvizError for what is no number of pixels."""
    if not isinstance(height, int) or isinstance(height, bool) or not 1 <= height <= 100_000:
        raise GradvizError(f"height={height!r:.40} is not possible", "it counts pixels", "use a number such as 520")
