r"""Makes any text safe to show: names come from user code and may hold any character, in any number.

What cannot be seen, would move the cursor or turn the reading direction, is no character in XML, or piles up accents
beyond three, is shown as Python would write it (``\n``, ``\x1b``, ``\u202e``). All else stays, and nothing is dropped
without an ellipsis. The rules of Graphviz below were observed in 2.43 and 14.1.5.
"""

from __future__ import annotations

import re

TOOLTIP = 3000  # characters of up to 5 bytes; Graphviz before 15 takes a string of 16,384 bytes for a syntax error

# A fixed table, not str.isprintable: that one follows the Unicode version of the Python that happens to run.
_HIDDEN = (
    "\x00-\x1f\x7f-\xa0\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe"
    "\uffff\U000e0000-\U000e0fff"
)
_MARK = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_SPELLED = re.compile(f"[{_HIDDEN}]|(?<=[{_MARK}][{_MARK}][{_MARK}])[{_MARK}]")


def visible(text: str, limit: int) -> str:
    """The text with every hidden character spelled out, at most ``limit`` characters long.

    A longer one loses its middle to an ellipsis: the two ends of a parameter's name tell most.
    """
    if len(text) > 2 * limit:
        text = text[:limit] + text[-limit:]  # both ends are long enough to hide this seam under the ellipsis
    shown = _SPELLED.sub(_spelled, text)
    if len(shown) <= limit:
        return shown
    head = limit // 2
    return f"{shown[:head]}…{shown[len(shown) - (limit - head - 1) :]}"


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


def _spelled(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
