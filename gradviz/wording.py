r"""Words that every stage uses: counts, short lists and figures; and any text made safe to show.

Names come from user code and may hold any character, in any number. What cannot be seen, would move the cursor or turn
the reading direction, is no character in XML, or piles up accents beyond three, is shown as Python would write it
(``\n``, ``\x1b``, ``\u202e``). All else stays, and nothing is dropped without an ellipsis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, ``1 node`` or ``2,381 nodes``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def several(items: Iterable[str], most: int = 3) -> str:
    """The first few of the distinct items, and how many more there are."""
    distinct = list(dict.fromkeys(items))
    more = len(distinct) - most
    return ", ".join(distinct[:most]) + (f" and {more:,} more" if more > 0 else "")


def figure(number: float) -> str:
    """A measured number with three significant digits: ``0.0234``, ``1230``, ``1.2e-05``, ``inf``, ``nan``."""
    rounded = f"{number:.3g}"
    return f"{float(rounded):.0f}" if 1e3 <= abs(number) < 999_500 else rounded


def exact(number: float) -> str:
    """A number that somebody chose, in full: ``65536``, ``0.001``."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _spelled(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
