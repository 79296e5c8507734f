"""Light and dark: the paper and the boxes have the colours of the theme, and follow the system at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gradviz.view.theme import LOOKS, THEMES, ThemeName
from tests.browser import graphs
from tests.browser.hands import Viewer

Opens = Callable[..., Viewer]


def test_a_page_follows_the_systems_theme_at_once(page_of: Opens) -> None:
    view = page_of(graphs.reached_once())
    other: dict[ThemeName, ThemeName] = {"light": "dark", "dark": "light"}
    for theme in other:
        view.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        view.until_colour(None, graphs.colour(THEMES[theme].paper))
        view.until_colour("n0", graphs.colour(getattr(LOOKS["root"], theme).fill))
        view.until_colour("n1:n2", graphs.colour(getattr(LOOKS["parameter"], theme).fill))
        view.keep_picture(theme)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_can_be_of_one_theme_whatever_the_system_prefers(page_of: Opens, theme: ThemeName) -> None:
    view = page_of(graphs.reached_once(), theme=theme)
    for preferred in ("light", "dark"):
        view.page.emulate_media(color_scheme=preferred, reduced_motion="reduce")
        view.until_colour(None, graphs.colour(THEMES[theme].paper))


def test_with_reduced_motion_a_box_is_at_once_where_it_will_be(page_of: Opens) -> None:
    graph = graphs.demo()
    view = page_of(graph)
    key = graphs.key_of(graph, "norm2: LayerNorm")
    view.double_click(key)
    view.until_shown(*graphs.inside(graph, "norm2: LayerNorm"))
    first = view.screen_of("n0")
    view.until_still()
    assert view.screen_of("n0") == first
