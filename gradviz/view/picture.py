"""Picture: a Scene in every static format, laid out when first asked for and then kept.

Rules: a picture is whole or an error, never cut and never stale. A layout that does not get ready is tried again with
more folded; the picture says so, and a warning. A file appears under its name only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.recording import Watched
from gradviz.view.accepted import require_one_of, shown_of
from gradviz.view.compose import Detail, Fold, compose
from gradviz.view.dot import RANKS, Direction, write_dot
from gradviz.view.engine import SECONDS, LayoutFailedError, require_font, run_graphviz
from gradviz.view.files import destination, write_atomically
from gradviz.view.layout import Page, lay_out
from gradviz.view.notebook import formats_to_show
from gradviz.view.scene import Scene
from gradviz.view.svg import polish
from gradviz.view.text import write_text
from gradviz.view.theme import THEMES, ThemeName
from gradviz.view.warning import warn
from gradviz.wording import visible

DPI = 144  # of a PNG: sharp on screens of double density
NOTEBOOK_DPI = 96  # of a PNG in a notebook, which keeps it for good
LONGEST_SIDE, MOST_PIXELS = 32_000, 50_000_000  # of a PNG; cairo refuses sides beyond 32,767
_CLOSEST = 8  # how often more is folded before a layout is given up


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawing of a graph, made by ``gradviz.draw``. It shows itself in a notebook.

    Formats are attributes (``svg``, ``dot``, ``text``), methods (``png()``, ``pdf()``) or files (``save("a.svg")``).
    Layout happens in a child process, when a format first needs it.

    Args:
        scene: what is shown.
        refold: the same with more folded: 1 is a little closer than ``scene``, larger numbers are closer still.
        direction: where the gradient flows: ``"down"``, ``"up"``, ``"left"`` or ``"right"``.
        theme: ``"light"`` or ``"dark"``.
        seconds: time for one layout; after that more is folded.
    """

    scene: Scene
    refold: Callable[[int], Scene]
    direction: Direction = "down"
    theme: ThemeName = "light"
    seconds: float = SECONDS

    @cached_property
    def dot(self) -> str:
        """The graph as DOT text for any Graphviz, without positions, legend and notes; equal for equal scenes."""
        return write_dot(self.scene, THEMES[self.theme], self.direction)

    @cached_property
    def text(self) -> str:
        """The same boxes and arrows as plain text, for terminals and for diffs. Needs no Graphviz."""
        return write_text(self.scene)

    @cached_property
    def svg(self) -> str:
        """The picture as an SVG document with tooltips: no script, no link, nothing to load.

        Raises GradvizError if it cannot be laid out.
        """
        raw, scene = self._render("svg"), self._page.scene
        shown = f"{len(scene.boxes)} boxes and {len(scene.arrows)} arrows; the gradient flows {self.direction}."
        return polish(raw, visible(scene.title, 400), shown)

    def png(self, dpi: float | None = None) -> bytes:
        """The picture as PNG.

        Args:
            dpi: dots per inch, 144 by default. A picture that would get larger than programs can show gets fewer, with
                a warning if you asked for them.

        Raises:
            GradvizError: if it cannot be laid out, or if this machine has no font to draw text with.
        """
        require_font("PNG")
        width, height = self._page.width / 72, self._page.height / 72
        most = min(LONGEST_SIDE / max(width, height), (MOST_PIXELS / (width * height)) ** 0.5)
        if dpi is not None and dpi > most:
            warn(f"drawn at {most:.0f} dpi: at {dpi:g} dpi the PNG would be too large to show")
        return self._render("png", min(dpi or DPI, most))

    def pdf(self) -> bytes:
        """The picture as a PDF of one page, with real text. Raises GradvizError as ``png`` does."""
        require_font("PDF")
        return self._render("pdf")

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file, in the format that its name ends with.

        Args:
            path: ends with .svg, .png, .pdf, .dot, .gv (DOT too) or .txt; may begin with ``~``. A file of that name is
                replaced, at once and only when the new one is complete.

        Returns:
            The path, with ``~`` replaced by your home.

        Raises:
            GradvizError: if the name ends otherwise, if the picture cannot be laid out, or the file not be written.
        """
        formats: dict[str, Callable[[], str | bytes]] = {
            ".svg": lambda: self.svg,
            ".png": self.png,
            ".pdf": self.pdf,
            ".dot": lambda: self.dot,
            ".gv": lambda: self.dot,
            ".txt": lambda: self.text,
        }
        target = destination(path, "a picture", formats)
        write_atomically(target, formats[target.suffix.lower()]())
        return target

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, Any]:
        """SVG, PNG and text for a notebook: what it shows trusted, untrusted, without a kernel and on the web."""
        wanted = formats_to_show(include, exclude)
        bundle: dict[str, Any] = {}
        said = ""
        try:
            if "image/svg+xml" in wanted:
                bundle["image/svg+xml"] = self.svg
            if "image/png" in wanted:
                bundle["image/png"] = self.png(NOTEBOOK_DPI)
        except GradvizError as error:
            said = f"{error}\n\n"
        if "text/plain" in wanted:
            bundle["text/plain"] = said + self.text
        return bundle

    def __repr__(self) -> str:
        page: Page | None = self.__dict__.get("_page")  # there once it has been laid out
        scene = self.scene if page is None else page.scene
        asked, drawn = len(self.scene.boxes), len(scene.boxes)
        folded = f", folded from {asked} boxes" if drawn < asked else ""
        return f"<gradviz.Picture: {drawn} boxes, {len(scene.arrows)} arrows{folded}>"

    @cached_property
    def _page(self) -> Page:
        """The layout; where Graphviz does not get it ready, that of a scene with more folded, which says so."""
        fewest, reason = len(self.scene.boxes) + 1, ""
        for closer in range(_CLOSEST + 1):
            scene = self.refold(closer) if closer else self.scene
            if len(scene.boxes) >= fewest:
                continue
            fewest = len(scene.boxes)
            if closer:
                said = f"More is folded than was asked for: Graphviz {reason}."
                scene = scene._replace(notes=(*scene.notes, said))
            try:
                page = lay_out(scene, THEMES[self.theme], self.direction, self.seconds)
            except LayoutFailedError as error:
                reason = reason or str(error)
                continue
            if closer:
                asked = f"{len(self.scene.boxes)} boxes were asked for, but Graphviz {reason}"
                warn(f"more is folded than was asked for, to {fewest} boxes: {asked}")
            return page
        raise GradvizError(
            f"A picture of {len(self.scene.boxes)} boxes cannot be laid out",
            f"Graphviz {reason}, and fared no better with {fewest} boxes",
            "trace a part of the graph, or take the text, which needs no layout: gradviz.draw(graph).text",
        )

    def _render(self, kind: str, dpi: float = 72) -> bytes:
        page = self._page
        try:
            (output,) = run_graphviz(page.dot, "nop2", [kind], seconds=self.seconds, dpi=dpi)
        except LayoutFailedError as error:
            raise GradvizError(f"No {kind.upper()} was made", f"Graphviz {error}", "fold more and try again") from error
        return output


def draw(
    graph: Graph | Watched,
    *,
    fold: Fold = "auto",
    direction: Direction = "down",
    detail: Detail = "normal",
    theme: ThemeName = "light",
) -> Picture:
    """Draw a graph, by default folded to about two screens whatever its size.

    Args:
        graph: what ``gradviz.trace`` returned, or what ``gradviz.watch`` gave: then its last backward, with the
            gradients that arrived and what hooks did.
        fold: what is drawn closed: ``"auto"``, None (nothing), a depth such as 2 (modules deeper than that), patterns
            of module paths such as ``["encoder.*"]``, or a function that says it of a module's path.
        direction: where the gradient flows: ``"down"`` (the loss on top), ``"up"``, ``"left"`` or ``"right"``.
        detail: how much the boxes tell: ``"brief"``, ``"normal"`` or ``"full"``.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        GradvizError: for a value that is not one of these; for a watch in which no backward ran.
    """
    shown = shown_of(graph, "draw", "gradviz.draw(…)")
    require_one_of("direction", direction, RANKS, "pictures have no other")
    require_one_of("theme", theme, THEMES, "pictures have no other")

    kept: Fold = (
        tuple(fold) if isinstance(fold, Iterable) and not isinstance(fold, str) else fold
    )  # read more than once

    def refold(closer: int) -> Scene:
        return compose(shown, fold=kept, detail=detail, closer=closer)

    return Picture(refold(0), refold, direction, theme)
