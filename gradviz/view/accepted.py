"""What the verbs that show things accept, said in one place so that all refuse the rest with the same words."""

from __future__ import annotations

from collections.abc import Collection

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording import Watched
from gradviz.view.shown import Shown

THEMES = ("auto", "light", "dark")  # of the viewer


def shown_of(given: object, verb: str, call: str) -> Shown:
    """What is to be shown: a graph, or the graph of a watch's last backward that was not nested, with what it did.

    Args:
        given: what the user gave.
        verb: what was to be done with it: ``"draw"``.
        call: how that is written: ``"gradviz.draw(…)"``, where … stands for the graph.

    Raises:
        GradvizError: for what is neither, for a watch that is not over, and for one in which no backward ran.
    """
    if isinstance(given, Graph):
        return Shown(given)
    if isinstance(given, Watched):
        return _last_backward(given, verb)
    function = call.removeprefix("gradviz.").partition("(")[0]
    raise GradvizError(
        f"Cannot {verb} an object of type {type(given).__name__}",
        f"{function} takes a Graph, which gradviz.trace returns, or what gradviz.watch gives",
        f"write {call.replace('…', 'gradviz.trace(loss)')}",
    )


def _last_backward(watched: Watched, verb: str) -> Shown:
    recording = watched.recording
    if recording is None:
        raise GradvizError(
            f"Cannot {verb} a watch whose block has not ended",
            "it is filled when the block ends",
            f"{verb} it after the `with` block",
        )
    graph = watched.graph
    number = max(at for at, backward in enumerate(recording.backwards) if not backward.nested)
    alike = tuple(at for at, other in enumerate(watched.graphs) if other is graph)
    return Shown(graph, recording.backwards[number], recording, number, alike)


def require_one_of(name: str, value: object, known: Collection[str], why: str) -> None:
    """Raise GradvizError, with the choices, for an argument that has no such value. ``why`` says that it has not."""
    if value not in tuple(known):
        listed = ", ".join(map(repr, known))
        raise GradvizError(f"{name}={value!r} is not known", why, f"choose from {listed}")


def require_height(height: object) -> None:
    """Raise GradvizError for what is no number of pixels."""
    if not isinstance(height, int) or isinstance(height, bool) or not 1 <= height <= 100_000:
        raise GradvizError(f"height={height!r:.40} is not possible", "it counts pixels", "use a number such as 520")
