"""The verbs of the viewer: show, in a notebook, and save_page. What each needs is imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from gradviz.graph import Graph
from gradviz.recording import Watched
from gradviz.view.accepted import THEMES, require_height, require_one_of, shown_of

if TYPE_CHECKING:
    from gradviz.view.folding.choice import Fold
    from gradviz.view.page import OfflinePage
    from gradviz.view.widget import View

Theme: TypeAlias = Literal["auto", "light", "dark"]


@overload
def show(
    graph: Graph | Watched,
    *,
    mode: Literal["widget"] = "widget",
    fold: Fold = "auto",
    theme: Theme = "auto",
    height: int = 520,
) -> View: ...
@overload
def show(
    graph: Graph | Watched, *, mode: Literal["page"], fold: Fold = "auto", theme: Theme = "auto", height: int = 520
) -> OfflinePage: ...
def show(
    graph: Graph | Watched,
    *,
    mode: Literal["widget", "page"] = "widget",
    fold: Fold = "auto",
    theme: Theme = "auto",
    height: int = 520,
) -> View | OfflinePage:
    """Explore a graph in a notebook.

    Args:
        graph: what ``gradviz.trace`` returned, or what ``gradviz.watch`` gave.
        mode: ``"widget"``: Python and the browser change the same view, while a kernel runs. ``"page"``: the viewer
            lies in the notebook itself, for one that is shared or exported; Python hears nothing of it.
        fold: what is closed at first, as in ``gradviz.draw``: ``"auto"``, None (nothing), a depth such as 2, patterns
            such as ``["encoder.*"]``, or a function of a module's path.
        theme: ``"auto"`` (as the notebook or the reader's system), ``"light"`` or ``"dark"``.
        height: in pixels.

    Returns:
        A View, or for ``mode="page"`` an OfflinePage. Both show themselves at the end of a cell.

    Raises:
        GradvizError: for a value that is not one of these; if the viewer was not built.
    """
    shown_of(graph, "show", "gradviz.show(…)")
    require_one_of("mode", mode, ("widget", "page"), "the viewer has two ways into a notebook")
    require_one_of("theme", theme, THEMES, "views have no other")
    require_height(height)
    if mode == "page":
        return _page(graph, None, fold, theme, height)
    from gradviz.view.widget import View

    return View(graph, fold=fold, theme=theme, height=height)


def save_page(
    graph: Graph | Watched, path: str | Path, *, title: str | None = None, fold: Fold = "auto", theme: Theme = "auto"
) -> Path:
    """Save the viewer with a graph as one HTML file, which needs no network, no server and no Python.

    Args:
        graph: what ``gradviz.trace`` returned, or what ``gradviz.watch`` gave.
        path: ends with .html or .htm; may begin with ``~``. A file of that name is replaced, at once and only when the
            new one is complete.
        title: of the page; by default it says how large the graph is.
        fold: what is closed at first, as in ``gradviz.show``.
        theme: ``"auto"`` (as the reader's system), ``"light"`` or ``"dark"``.

    Returns:
        The path, with ``~`` replaced by your home.

    Raises:
        GradvizError: for a value that is not one of these; if the viewer was not built or the file cannot be written.
    """
    shown_of(graph, "save", "gradviz.save_page(…, path)")
    require_one_of("theme", theme, THEMES, "pages have no other")
    return _page(graph, title, fold, theme).save(path)


def _page(graph: Graph | Watched, title: str | None, fold: Fold, theme: Theme, height: int = 520) -> OfflinePage:
    from gradviz.view.page import OfflinePage
    from gradviz.view.payload import encode

    payload = encode(shown_of(graph, "show", "gradviz.show(…)"), fold=fold)
    named = title or f"Backward graph: {payload.content['title']}"
    return OfflinePage(graph, payload.compressed(9), named, theme, height)
