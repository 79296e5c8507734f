"""The table of colours and shapes as the viewer gets it: ``gradviz.view.theme`` is its only source."""

from __future__ import annotations

from typing import Any

from gradviz.view.theme import BADGES, LOOKS, SIGNALS, THEMES, Theme


def write_looks() -> dict[str, Any]:
    """Looks by role, both themes, and which badges speak of which role."""
    return {
        "roles": {
            role: {
                "name": look.name,
                "shape": look.shape,
                "line": look.line,
                "light": look.light._asdict(),
                "dark": look.dark._asdict(),
            }
            for role, look in LOOKS.items()
        },
        **{name: _theme(theme) for name, theme in THEMES.items()},
        "badges": [list(badge) for badge in BADGES],
    }


def _theme(theme: Theme) -> dict[str, Any]:
    return {
        "paper": theme.paper,
        "text": theme.text,
        "faint": theme.faint,
        "arrow": theme.arrow,
        "accent": theme.accent,
        "hook": theme.hook._asdict(),
        "badge": theme.badge._asdict(),
        "frames": list(theme.frames),
        "frameLine": theme.frame_line,
    }


def write_signals() -> dict[str, Any]:
    """How gradients that stand out are painted; sent only where gradients were watched."""
    signals: dict[str, Any] = {"words": [list(signal) for signal in SIGNALS]}
    for name, theme in THEMES.items():
        signals[name] = {signal: paint._asdict() for signal, paint in theme.signals.items()}
    return signals
