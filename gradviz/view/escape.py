"""Writes any text so that Graphviz reads it as text, by the rules that were observed in 2.43 and 14.1.5."""

from __future__ import annotations

from gradviz.wording import visible

TOOLTIP = 3000  # characters of up to 5 bytes; Graphviz before 15 takes a string of 16,384 bytes for a syntax error


def label(text: str) -> str:
    """Visible text for any label, plain or HTML-like: Graphviz decodes entities, then expands backslashes."""
    return _entities(text).replace("\\", "\\\\") or "&#160;"


def left_lines(lines: list[str]) -> str:
    """Visible lines for a plain label, each starting at the left."""
    return "".join(rf"{label(line)}\l" for line in lines)


def tooltip(lines: tuple[str, ...]) -> str:
    """Any lines for a tooltip, in which Graphviz expands backslashes twice. Cut where it must be."""
    text = "\n".join(visible(line, TOOLTIP) for line in lines)
    if len(text) > TOOLTIP:
        text = text[: TOOLTIP - 1] + "…"
    return _entities(text).replace("\\", "\\\\\\\\").replace("\n", "\\n")


def _entities(text: str) -> str:
    # "<" too: the graphviz package takes a whole string "<...>" for HTML.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
