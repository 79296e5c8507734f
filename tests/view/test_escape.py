"""Any text becomes what Graphviz reads as text."""

from __future__ import annotations

import pytest

from gradviz.view.escape import TOOLTIP, label, left_lines, tooltip


def test_what_graphviz_would_read_is_written_so_that_it_does_not() -> None:
    assert label(r'<b> & "\N"') == r'&lt;b&gt; &amp; "\\N"'
    assert label("") == "&#160;"
    assert left_lines(["a & b", r"\N"]) == r"a &amp; b\l\\N\l"
    assert tooltip((r'<b> & "\N"', "next")) == r'&lt;b&gt; &amp; "\\\\N"\nnext'


@pytest.mark.parametrize("character", ["x", "&", "<", '"', "\\", "🎉", "\x00"])
def test_a_quoted_string_stays_below_what_graphviz_can_read(character: str) -> None:
    written = tooltip((character * 10_000,) * 3)
    assert len(written.replace('"', r"\"").encode()) < 16_384
    assert "…" in written


def test_a_tooltip_tells_all_that_it_can() -> None:
    assert tooltip(("x" * (TOOLTIP - 1), "")) == "x" * (TOOLTIP - 1) + r"\n"
