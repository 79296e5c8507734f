"""Finds the built viewer: a JavaScript file for each of its hosts, made from ``frontend/``, part of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from gradviz.errors import GradvizError

STATIC = Path(__file__).with_name("static")


def viewer_script(host: Literal["widget", "page"]) -> str:
    """The JavaScript for a host. Raises GradvizError if it was not built or cannot be read."""
    file = STATIC / f"{host}.js"
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise GradvizError(
            "The viewer cannot be shown",
            f"{file} cannot be read: {error.strerror or error}",
            "install gradviz again, or in a checkout run `npm ci && npm run build` in frontend/; "
            "gradviz.draw(graph) needs no such file",
        ) from None
