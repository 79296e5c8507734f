"""The viewer as one HTML file that loads nothing: for a browser, or for a notebook that is shared.

The graph lies in the page as base64, so no label can end the script around it. The page's security policy lets the one
script run that it was written with and what that unpacks (as a Blob), and nothing be loaded. Equal graphs give equal
bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gradviz.graph import Graph
from gradviz.recording import Watched
from gradviz.view.files import destination, write_atomically
from gradviz.view.notebook import formats_to_show
from gradviz.view.picture import Picture, draw
from gradviz.view.script import viewer_script
from gradviz.wording import visible

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}' blob:; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{schemes}">
<title>{title}</title>
<style>html, body {{ height: 100%; margin: 0; }}</style>
</head>
<body>
<noscript><p>{title}</p><p>This page draws its graph with JavaScript, which is switched off.</p></noscript>
<div id="gradviz" data-theme="{theme}"></div>
<script type="application/octet-stream;base64" id="gradviz-payload">{payload}</script>
<script>{script}</script>
</body>
</html>
"""
_SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}

# In a notebook. One that is not trusted, or a site that shows notebooks, takes out the frame and the style; then the
# picture is seen, which the style hides only right behind a frame. `allow-downloads`: "Save SVG" is a download.
_FRAME = (
    "<style>iframe.gradviz + img.gradviz {{ display: none !important; }}</style>"
    '<iframe class="gradviz" title="{title}" sandbox="allow-scripts allow-downloads" allow="clipboard-write" '
    'srcdoc="{page}" width="100%" height="{height}" style="border: 0"></iframe>'
)
_STILL = '<img class="gradviz" alt="{title}" src="data:image/svg+xml;base64,{svg}">'


@dataclass(frozen=True, eq=False, repr=False)
class OfflinePage:
    """The viewer with one graph, whole and offline, made by ``gradviz.show(graph, mode="page")``.

    It shows itself in a notebook, without a kernel too, but tells Python nothing of what is selected there.

    Args:
        graph: what is shown.
        payload: the same, as the viewer reads it, compressed.
        title: of the page.
        theme: ``"auto"`` (as the reader's system), ``"light"`` or ``"dark"``.
        height: of its frame in a notebook, in pixels.
    """

    graph: Graph | Watched
    payload: bytes
    title: str
    theme: str = "auto"
    height: int = 520

    @cached_property
    def html(self) -> str:
        """The page. Raises GradvizError if the viewer was not built."""
        script = viewer_script("page")
        digest = hashlib.sha256(script.encode()).digest()
        return _PAGE.format(
            policy=_POLICY.format(script=_base64(digest)),
            schemes=_SCHEMES[self.theme],
            title=self._title,
            theme=self.theme,
            payload=_base64(self.payload),
            script=script,
        )

    def save(self, path: str | Path) -> Path:
        """Write the page to a file.

        Args:
            path: ends with .html or .htm; may begin with ``~``. A file of that name is replaced, at once and only when
                the new one is complete.

        Returns:
            The path, with ``~`` replaced by your home.

        Raises:
            GradvizError: if the name ends otherwise, the viewer was not built, or the file cannot be written.
        """
        target = destination(path, "a page", (".html", ".htm"))
        write_atomically(target, self.html)
        return target

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, Any]:
        """The page in a frame of its own, a picture for where frames are taken out, and text."""
        wanted = formats_to_show(include, exclude, ("text/html", "text/plain"))
        bundle = self._still._repr_mimebundle_({"text/plain", *(["image/svg+xml"] if "text/html" in wanted else [])})
        svg = bundle.pop("image/svg+xml", None)
        if "text/html" in wanted:
            frame = _FRAME.format(title=self._title, page=html.escape(self.html), height=self.height)
            still = "" if svg is None else _STILL.format(title=self._title, svg=_base64(svg.encode()))
            bundle["text/html"] = frame + still
        return {kind: shown for kind, shown in bundle.items() if kind in wanted}

    def __repr__(self) -> str:
        return f"<gradviz.OfflinePage: {self.title}>"

    @cached_property
    def _still(self) -> Picture:
        """The picture for where no script may run, folded whatever the page is."""
        return draw(self.graph, theme="dark" if self.theme == "dark" else "light")

    @cached_property
    def _title(self) -> str:
        return html.escape(visible(self.title, 200))


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
