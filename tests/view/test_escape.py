"""Any text becomes text that can be shown, and says what it was."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.view.escape import TOOLTIP, label, left_lines, tooltip, visible

ANY_TEXT = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("encoder.0.weight", "encoder.0.weight"),
        ("日本語 emoji 🎉 עברית e\u0301", "日本語 emoji 🎉 עברית e\u0301"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x00\x1b[31m\x7f\x85", r"\x00\x1b[31m\x7f\x85"),
        ("\udc80", r"\udc80"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\ufeff\ufffe\uffff", r"\ufeff\ufffe\uffff"),
        ("a\xa0b", r"a\xa0b"),
        ("o" + "\u0301" * 5, "o" + "\u0301" * 3 + r"\u0301" * 2),
        ("", ""),
    ],
)
def test_hidden_characters_are_spelled_out_and_others_stay(text: str, shown: str) -> None:
    assert visible(text, 100) == shown


def test_a_long_name_keeps_both_ends() -> None:
    assert visible("encoder.layers.0.self_attn.out_proj.weight", 21) == "encoder.la…roj.weight"


@given(ANY_TEXT, st.integers(1, 40))
def test_visible_text_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(visible(text, limit)) <= limit


@given(ANY_TEXT)
def test_visible_text_has_no_control_character_and_can_be_encoded(text: str) -> None:
    shown = visible(text, 2000)
    shown.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in shown)
    assert visible(shown, 2000) == shown


@given(ANY_TEXT)
def test_text_without_a_hidden_character_is_not_touched(text: str) -> None:
    if text.isprintable() and not any(unicodedata.category(character) in ("Mn", "Me") for character in text):
        assert visible(text, 2000) == text


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
