"""Tells IPython to show a bare Graph or Watched at the end of a cell as its picture, and knows what it can show.

Results themselves know nothing of it. Imports nothing of IPython's or of the drawing until one is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradviz.graph import Graph
    from gradviz.recording import Watched


def register() -> None:
    """Registers with the running IPython; does nothing where none runs. Called again, it changes nothing."""
    shell = _running_shell()
    if shell is not None:
        formatter = shell.display_formatter.mimebundle_formatter
        formatter.for_type_by_name("gradviz.graph.graph", "Graph", show_graph)
        formatter.for_type_by_name("gradviz.recording.watched", "Watched", show_watched)


def show_graph(
    graph: Graph, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, Any]:
    """SVG, PNG and text of a graph; where it cannot be drawn, its repr with the reason."""
    from gradviz.view.picture import draw

    try:
        return draw(graph)._repr_mimebundle_(include, exclude)
    except Exception as error:  # noqa: BLE001  (a display that fails would hide the graph behind a traceback)
        return {"text/plain": f"{graph!r}\n\nIt cannot be drawn: {error}"}


def show_watched(
    watched: Watched, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, Any]:
    """SVG and PNG of the last backward, and as text what was watched; only that where there is nothing to draw."""
    from gradviz.view.picture import draw

    if watched.recording is None or not watched.graphs:
        return {"text/plain": str(watched)}
    try:
        drawn = draw(watched)._repr_mimebundle_(include, exclude)
    except Exception as error:  # noqa: BLE001  (as above)
        return {"text/plain": f"{watched}\n\nIt cannot be drawn: {error}"}
    if "text/plain" in drawn:
        drawn["text/plain"] = f"{watched}\n\n{drawn['text/plain']}"
    return drawn


def formats_to_show(
    include: Collection[str] | None,
    exclude: Collection[str] | None,
    offered: Collection[str] = ("image/svg+xml", "image/png", "text/plain"),
) -> set[str]:
    """The formats that were asked for and that the running IPython can show: in a terminal, only text."""
    wanted = set(include or offered) - set(exclude or ())
    shell = _running_shell()
    active = shell.display_formatter.active_types if shell else None
    return wanted & set(active) if active else wanted


def _running_shell() -> Any:
    """IPython's shell, None where none runs."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
