"""Every role can be told from every other, with and without colours, and every text can be read."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from gradviz.view.scene import Role
from gradviz.view.theme import LOOKS, SIGNALS, THEMES, Paint, Signal, Theme, ThemeName, badge_paint, outline_paint

EVERY_THEME = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, 1.4.3."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_role_has_a_look_and_a_name_of_its_own() -> None:
    assert set(LOOKS) == set(get_args(Role))
    assert len({look.name for look in LOOKS.values()}) == len(LOOKS)
    assert set(THEMES) == set(get_args(ThemeName))


def test_roles_differ_without_colours() -> None:
    assert len({(look.shape, look.line) for look in LOOKS.values()}) == len(LOOKS)


@EVERY_THEME
def test_roles_differ_in_colour(theme: Theme) -> None:
    for part in ("fill", "line"):
        assert len({getattr(paint, part) for paint in theme.boxes.values()}) == len(theme.boxes)


@EVERY_THEME
def test_texts_can_be_read(theme: Theme) -> None:
    for paint in (*theme.boxes.values(), *theme.signals.values(), theme.hook, theme.badge):
        assert contrast(paint.text, paint.fill) >= 4.5, paint
    for text, ground in product((theme.text, theme.faint, theme.accent), (theme.paper, *theme.frames)):
        assert contrast(text, ground) >= 4.5, (text, ground)


@EVERY_THEME
def test_outlines_and_arrows_stand_out(theme: Theme) -> None:
    paints = (*theme.boxes.values(), *theme.signals.values())
    lines = [*(paint.line for paint in paints), theme.arrow, theme.accent]
    for line, ground in product(lines, (theme.paper, *theme.frames)):
        assert contrast(line, ground) >= 3, (line, ground)


@pytest.mark.parametrize(
    ("badge", "role"),
    [
        ("root", "root"),
        ("2 roots", "root"),
        ("1 dead end", "dead_end"),
        ("3 dead ends", "dead_end"),
        ("4 frozen", "frozen"),
        ("5 not reached", "unreached"),
        ("6 custom", "custom"),
        ("7 in place", "in_place"),
    ],
)
def test_a_badge_has_the_colours_of_the_role_it_names(badge: str, role: Role) -> None:
    theme = THEMES["light"]
    assert badge_paint(badge, theme) == theme.boxes[role]


@pytest.mark.parametrize("badge", ["hook", "hook ×3"])
def test_hooks_have_colours_of_their_own(badge: str) -> None:
    theme = THEMES["dark"]
    assert badge_paint(badge, theme) == theme.hook
    assert theme.hook not in theme.boxes.values()


@EVERY_THEME
@pytest.mark.parametrize(("words", "signal"), SIGNALS)
def test_a_gradient_that_stands_out_has_colours_of_its_own(words: str, signal: Signal, theme: Theme) -> None:
    paint = theme.signals[signal]
    assert badge_paint(words, theme) == badge_paint(f"3 {words}s", theme) == paint
    assert paint not in (*theme.boxes.values(), theme.hook, theme.badge)
    assert outline_paint(("hook", words), theme) == paint
    assert outline_paint((f"3 {words}s", "hook"), theme) is None  # in a box that stands for several, it is one of them


@EVERY_THEME
def test_what_stands_out_differs(theme: Theme) -> None:
    assert set(theme.signals) == set(get_args(Signal)) == {signal for _, signal in SIGNALS}
    assert len({paint.fill for paint in theme.signals.values()}) == len(theme.signals)


def test_any_other_badge_is_grey() -> None:
    theme = THEMES["light"]
    assert badge_paint("cuda:0", theme) == theme.badge == Paint("#e2e8f0", "#64748b", "#334155")
