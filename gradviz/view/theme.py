"""HOW a picture looks: the one table from role to colour, shape and line, for Graphviz and for the browser alike.

No two roles share a shape *and* a line, so a picture can be read without its colours; no two share a colour either.
Every text has a contrast of at least 4.5 to 1 to what lies under it, every outline one of 3 to 1 to the paper
(WCAG 2.2; tests/view/test_theme.py).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from gradviz.view.scene import Role

ThemeName = Literal["light", "dark"]
Line = Literal["solid", "dashed", "dotted", "bold", "double"]

Signal = Literal["zero", "nonfinite", "missing"]  # what stands out about a gradient that was watched

FONT = "Helvetica,Arial,sans-serif"


class Paint(NamedTuple):
    """Colours as ``#rrggbb``: the area, its outline, and the text upon it."""

    fill: str
    line: str
    text: str


class Look(NamedTuple):
    """How one role is drawn.

    ``name`` is the role's name in the legend. ``shape`` is a word of Graphviz, or one of its boxes: ``"round"`` has
    round corners, ``"cut"`` a line across each. A *bold* line is thicker, a *double* one is drawn twice. ``light`` and
    ``dark`` are the colours.
    """

    name: str
    shape: str
    line: Line
    light: Paint
    dark: Paint


class Theme(NamedTuple):
    """Colours of one theme: the paper, texts on it, arrows, repeats, badges, frames by depth, and boxes.

    ``hook`` paints the badge of a hook, ``signals`` those of gradients that stand out, ``badge`` all that name no role
    (devices).
    """

    paper: str
    text: str
    faint: str
    arrow: str
    accent: str
    hook: Paint
    badge: Paint
    frames: tuple[str, str]
    frame_line: str
    boxes: dict[Role, Paint]
    signals: dict[Signal, Paint]


def badge_paint(badge: str, theme: Theme) -> Paint:
    """The colours of a badge: those of the role that it names ("2 dead ends"), as far as it names one."""
    if badge.startswith("hook"):
        return theme.hook
    signals = (signal for words, signal in SIGNALS if badge.removesuffix("s").endswith(words))
    for signal in signals:
        return theme.signals[signal]
    roles = (role for words, role in BADGES if badge.removesuffix("s").endswith(words))
    return next((theme.boxes[role] for role in roles), theme.badge)


def outline_paint(badges: tuple[str, ...], theme: Theme) -> Paint | None:
    """The colours that outline a box with such badges: those of a gradient that stands out, where it is not counted."""
    known = dict(SIGNALS)
    return next((theme.signals[known[badge]] for badge in badges if badge in known), None)


def _look(name: str, shape: str, line: Line, light: str, dark: str) -> Look:
    return Look(name, shape, line, Paint(*light.split()), Paint(*dark.split()))


# Colours: fill, outline, text; in the light theme, then in the dark one.
LOOKS: dict[Role, Look] = {
    "root": _look("root", "round", "bold", "#4f46e5 #312e81 #ffffff", "#5b54e8 #c7d2fe #ffffff"),
    "op": _look("operation", "round", "solid", "#f1f5f9 #7688a1 #1e293b", "#2b3647 #7f93ad #e8edf4"),
    "view": _look("view", "round", "dashed", "#fafbfc #74849b #475569", "#202a38 #7f90a8 #b6c2d2"),
    "in_place": _look("in place", "hexagon", "solid", "#fef3c7 #b45309 #6b3a08", "#45340f #e5a520 #fde9b0"),
    "custom": _look("custom function", "component", "solid", "#f3e8ff #9333ea #581c87", "#3d2460 #b77af5 #eddcff"),
    "checkpoint": _look("checkpoint", "cylinder", "solid", "#ccfbf1 #0f766e #134e4a", "#0f3f3c #2dbfae #c5f6ee"),
    "compiled": _look("compiled region", "box", "bold", "#475569 #1e293b #ffffff", "#aab6c6 #e8edf4 #111827"),
    "remote": _look("remote", "round", "dotted", "#fce7f3 #be185d #831843", "#4a1735 #ee6aa9 #fcd9ea"),
    "parameter": _look("parameter", "box", "solid", "#d9f5e3 #15803d #14532d", "#123d29 #37b06a #cdf5dc"),
    "input": _look("input tensor", "note", "solid", "#dbeafe #2563eb #1e3a8a", "#16315e #5b97f5 #d8e7ff"),
    "frozen": _look("frozen", "box", "double", "#e0f2fe #0e7490 #164e63", "#10394a #3aa6c4 #cdeefa"),
    "unreached": _look("not reached", "box", "dashed", "#ffffff #7d8795 #5f6b7a", "#151a22 #77839a #9aa7ba"),
    "dead_end": _look("no gradient", "cut", "solid", "#fee2e2 #dc2626 #991b1b", "#4a1a1c #f16a6a #fdd6d6"),
    "module": _look("closed module", "tab", "solid", "#e0e7ff #5357d6 #312e81", "#292d63 #868cf5 #dfe3ff"),
    "repeat": _look("repeated", "round", "double", "#ddd9fb #5b46c9 #3b2a9b", "#352c73 #a597f5 #e6e1ff"),
    "section": _look("closed section", "folder", "solid", "#e5e7eb #626b79 #374151", "#333a46 #8d98a9 #dde3ea"),
}

# How badges that speak of a role end, in the singular.
BADGES: tuple[tuple[str, Role], ...] = (
    ("root", "root"),
    ("dead end", "dead_end"),
    ("frozen", "frozen"),
    ("not reached", "unreached"),
    ("custom", "custom"),
    ("checkpoint", "checkpoint"),
    ("compiled", "compiled"),
    ("remote", "remote"),
    ("in place", "in_place"),
)

# How badges of gradients that stand out end, in the singular.
SIGNALS: tuple[tuple[str, Signal], ...] = (
    ("zero grad", "zero"),
    ("turns zero here", "zero"),
    ("vanishes here", "zero"),
    ("non-finite grad", "nonfinite"),
    ("turns non-finite here", "nonfinite"),
    ("explodes here", "nonfinite"),
    ("without grad", "missing"),
)

THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        paper="#ffffff",
        text="#1e293b",
        faint="#5f6b7a",
        arrow="#7c8aa0",
        accent="#4f46e5",
        hook=Paint("#ffedd5", "#c2410c", "#8a2d0b"),
        badge=Paint("#e2e8f0", "#64748b", "#334155"),
        frames=("#f8f9fd", "#f1f3fa"),
        frame_line="#c3cad9",
        boxes={role: look.light for role, look in LOOKS.items()},
        signals={
            "zero": Paint("#fde047", "#a16207", "#422006"),
            "nonfinite": Paint("#dc2626", "#991b1b", "#ffffff"),
            "missing": Paint("#1f2937", "#0b1220", "#ffffff"),
        },
    ),
    "dark": Theme(
        paper="#151a22",
        text="#e8edf4",
        faint="#9aa7ba",
        arrow="#77859b",
        accent="#a5b4fc",
        hook=Paint("#5a2a0c", "#f2914a", "#ffe1c7"),
        badge=Paint("#384456", "#8d9db3", "#dde5ef"),
        frames=("#1a202b", "#202735"),
        frame_line="#3d485b",
        boxes={role: look.dark for role, look in LOOKS.items()},
        signals={
            "zero": Paint("#facc15", "#fde047", "#3b2a02"),
            "nonfinite": Paint("#dc2626", "#fca5a5", "#ffffff"),
            "missing": Paint("#cbd5e1", "#f1f5f9", "#1e293b"),
        },
    ),
}
