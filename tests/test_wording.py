"""Any text becomes text that can be shown, and says what it was; figures are short and never wrong about zero."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.wording import count, exact, figure, several, visible

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


def test_counts_and_short_lists() -> None:
    assert [count(number, "node") for number in (0, 1, 2_381)] == ["0 nodes", "1 node", "2,381 nodes"]
    assert [count(number, "box", "boxes") for number in (1, 2)] == ["1 box", "2 boxes"]
    assert several(["a", "b", "a", "c"]) == "a, b, c"
    assert several("abcde", 2) == "a, b and 3 more"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0"),
        (0.023412, "0.0234"),
        (6.0, "6"),
        (1234.5, "1230"),
        (-999_499.0, "-999000"),
        (999.9, "1e+03"),
        (999_999.0, "1e+06"),
        (1.2e-5, "1.2e-05"),
        (5e-324, "4.94e-324"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_figure_has_three_digits(number: float, shown: str) -> None:
    assert figure(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"), [(65536.0, "65536"), (0.001, "0.001"), (float("inf"), "inf"), (1e30, "1e+30")]
)
def test_what_somebody_chose_is_written_in_full(number: float, shown: str) -> None:
    assert exact(number) == shown
