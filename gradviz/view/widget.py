"""The viewer as a widget in a notebook: its state is traits, so Python, the browser and other widgets change it alike.

Only ids and settings come back from the browser; the graph goes there once. A value that a view does not take is
refused with a reason, whoever sets it. The only user of anywidget.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording import Watched
from gradviz.view.accepted import shown_of
from gradviz.view.folding.choice import Fold
from gradviz.view.folds import FoldTree
from gradviz.view.payload import encode
from gradviz.view.picture import Picture, draw
from gradviz.view.reach import upstream_first
from gradviz.view.script import viewer_script
from gradviz.view.shown import Shown
from gradviz.view.theme import ThemeName
from gradviz.view.traits import take_folds, take_highlight, take_nodes, take_setting, take_step
from gradviz.view.warning import warn

if TYPE_CHECKING:
    from gradviz.view.panel import Panel

MOST_BOXES = 20_000  # that are unfolded at once: what a browser draws fluently


class View(anywidget.AnyWidget):
    """A graph in the interactive viewer, made by ``gradviz.show``. It shows itself in a notebook.

    Everything below can be set and observed (``view.observe(function, "selected")``), and linked to other widgets
    (``traitlets.link((view, "selected"), (other, "selected"))``).

    Args:
        graph: what is shown.
        fold: what is closed at first; see ``gradviz.show``.
        theme: ``"auto"`` (as the notebook), ``"light"`` or ``"dark"``.
        height: in pixels.

    Attributes:
        selected: ids of the selected nodes; see ``select`` for names.
        folds: what was opened and closed, by the viewer's own keys; see ``fold`` and ``unfold``.
        color_by: ``"role"``, ``"module"``, ``"device"``, ``"dtype"`` or ``"saved"`` (bytes).
        highlight: what stands out: None, or ``{"kind": "upstream", "ids": ["n3"]}``; kinds are ``"upstream"``,
            ``"downstream"``, ``"both"`` and ``"between"`` (two ids). See ``highlight_path``.
        step: how many nodes of the backward have run, None while it is not stepped through.
        query: what is searched.
        payload: the graph, as the browser gets it.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    payload = traitlets.Bytes(read_only=True).tag(sync=True)
    selected = traitlets.Tuple().tag(sync=True)
    folds: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    color_by = traitlets.Unicode("role").tag(sync=True)
    highlight = traitlets.Any(default_value=None, allow_none=True).tag(sync=True)
    step = traitlets.Int(default_value=None, allow_none=True).tag(sync=True)
    query = traitlets.Unicode().tag(sync=True)
    theme = traitlets.Unicode("auto").tag(sync=True)
    height = traitlets.Int(520).tag(sync=True)

    def __init__(self, graph: Graph | Watched, *, fold: Fold = "auto", theme: str = "auto", height: int = 520) -> None:
        self._given, self._shown = graph, shown_of(graph, "show", "gradviz.show(…)")
        self._graph = self._shown.graph
        self._still_theme: ThemeName = "dark" if theme == "dark" else "light"
        payload = encode(self._shown, fold=fold)
        self._tree, self._sent = FoldTree(self._graph, payload), payload.compressed()
        super().__init__(_esm=viewer_script("widget"), theme=theme, height=height)

    @traitlets.default("payload")
    def _first_payload(self) -> bytes:
        return self._sent

    @cached_property
    def _still(self) -> Picture:
        """The picture of a saved notebook, folded whatever the view's ``fold``: an SVG stays there for good."""
        return draw(self._given, theme=self._still_theme)

    @property
    def graph(self) -> Graph:
        """The graph that is shown."""
        return self._graph

    @property
    def shown(self) -> Shown:
        """The graph, with what was watched of its backward."""
        return self._shown

    def select(self, *names: str, reveal: bool = True) -> None:
        """Select nodes, instead of those that were; without names, none.

        Args:
            names: names or aliases of leaves, or ids of nodes; a leaf's name wins over a node's id.
            reveal: whether to open what hides them.

        Raises:
            GradvizError: for an unknown name, and for a leaf that the graph does not reach.
        """
        nodes = tuple(dict.fromkeys(map(self._node, names)))
        folds = self.folds
        for node in nodes if reveal else ():
            folds = self._tree.revealed(folds, node)
        with self.hold_sync():
            self.folds, self.selected = folds, nodes

    def fold(self, *paths: str) -> None:
        """Draw modules as one box each, by their paths or patterns of them (as in fnmatch); all for none.

        Raises GradvizError, with the nearest paths, if nothing matches.
        """
        self.folds = self._tree.folded(self.folds, paths)

    def unfold(self, *paths: str, rounds: bool = False) -> None:
        """Open modules, and what they lie in, by their paths or patterns of them (as in fnmatch); all for none.

        All is at most 20,000 boxes: what would need more stays closed, with a warning.

        Args:
            paths: for example ``"encoder.layers.3"`` or ``"encoder.*"``.
            rounds: whether repeats among them show every round, instead of one for all.

        Raises:
            GradvizError: with the nearest paths, if nothing matches.
        """
        if paths:
            self.folds = self._tree.unfolded(self.folds, paths, rounds=rounds)
            return
        self.folds, whole = self._tree.unfolded_all(rounds=rounds, most=MOST_BOXES)
        if not whole:
            warn(f"not all is unfolded: a view opens at most {MOST_BOXES:,} boxes at once")

    def highlight_path(self, a: str, b: str | None = None) -> None:
        """Let every path between two nodes stand out, or every path from one to the loss: all that is upstream of it.

        Args:
            a: the name or alias of a leaf, or the id of a node.
            b: another one, upstream or downstream of ``a``.

        Raises:
            GradvizError: for an unknown name, for a leaf that the graph does not reach, and if no path joins them.
        """
        first = self._node(a)
        if b is None:
            self.highlight = {"kind": "upstream", "ids": [first]}
            return
        ends = upstream_first(self._graph, first, self._node(b))
        if ends is None:
            raise GradvizError(
                f"No path joins {a!r} and {b!r}",
                "neither is upstream of the other, so no gradient flows from one to the other",
                "give two nodes of one path, or one alone for its paths to the loss",
            )
        self.highlight = {"kind": "between", "ids": list(ends)}

    def highlight_downstream(self, *names: str) -> None:
        """Let all stand out that the gradient of these nodes flows to. Names and errors are those of ``select``."""
        self.highlight = {"kind": "downstream", "ids": list(map(self._node, names))} if names else None

    def clear(self) -> None:
        """Select and highlight nothing, search for nothing, leave the steps; what is open stays open."""
        with self.hold_sync():
            self.selected, self.highlight, self.query, self.step = (), None, "", None

    def panel(self) -> Panel:
        """Plain ipywidgets that control this view and tell what is selected, to be placed beside it or elsewhere."""
        from gradviz.view.panel import Panel

        return Panel(self)

    def _node(self, name: str) -> str:
        """The id of the node with this name. The graph knows names."""
        if not isinstance(name, str):
            raise GradvizError(
                f"{name!r} is no name",
                "nodes are named by text, one by one",
                "pass several names as several arguments: view.select('a', 'b')",
            )
        path = self._graph.path_to(name)
        if not path:
            raise GradvizError(
                f"Nothing in this graph can be shown for {name!r}",
                "the graph does not reach this leaf",
                "see graph.leaf(name) for what it is",
            )
        return path[-1].id

    @traitlets.validate("selected")
    def _take_selected(self, proposal: dict[str, Any]) -> tuple[str, ...]:
        return tuple(take_nodes(self._graph, proposal["value"], "selected"))

    @traitlets.validate("folds")
    def _take_folds(self, proposal: dict[str, Any]) -> dict[str, str]:
        return take_folds(self._tree, proposal["value"])

    @traitlets.validate("highlight")
    def _take_highlight(self, proposal: dict[str, Any]) -> dict[str, Any] | None:
        return take_highlight(self._graph, proposal["value"])

    @traitlets.validate("step")
    def _take_step(self, proposal: dict[str, Any]) -> int | None:
        return take_step(self._shown.steps, proposal["value"])

    @traitlets.validate("color_by", "theme", "height")
    def _take_setting(self, proposal: dict[str, Any]) -> Any:
        return take_setting(proposal["trait"].name, proposal["value"])

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None, **_: Any
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget; and for where no kernel runs, the folded graph as SVG and text.

        Not as HTML: viewers that clean HTML would show an empty place instead of the picture. It takes about 0.2 s to
        draw, once; the browser has had the graph since the widget was made, and reads it meanwhile. (A thread that
        draws ahead was slower: it and the making of the widget wait for each other.)
        """
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        wanted = set(include or (*data, "image/svg+xml", "text/plain")) - set(exclude or ())
        still = wanted & {"image/svg+xml", "text/plain"}
        if still:
            data |= self._still._repr_mimebundle_(still)
        return {kind: shown for kind, shown in data.items() if kind in wanted}, metadata

    def __repr__(self) -> str:
        return f"<gradviz.View: {len(self._graph)} nodes, {len(self.selected)} selected>"
