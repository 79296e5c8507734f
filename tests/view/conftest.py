"""Scenes that the tests of renderers share, made by hand: no torch, no trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from gradviz.view import script
from gradviz.view.scene import Arrow, Box, Group, Role, Scene


@pytest.fixture
def specimen() -> Scene:
    """Every role once, all kinds of badges and arrows, and frames in frames."""
    roles: tuple[Role, ...] = get_args(Role)
    boxes = [
        Box(
            key=role,
            role=role,
            title=f"the {role}",
            lines=("(32, 64)",),
            badges={"op": ("hook ×3", "cuda:0"), "module": ("2 dead ends", "1 frozen")}.get(role, ()),
            tooltip=(f"all of {role}", "in two lines"),
            group={"view": "inner", "in_place": "outer", "custom": "inner", "repeat": "rounds"}.get(role),
        )
        for role in roles
    ]
    arrows = [Arrow("root", role, "self") for role in roles[1:]]
    arrows += [Arrow("op", "custom", "tensors ×4", 4), Arrow("view", "in_place", "", 11, again=True)]
    groups = (
        Group("outer", None, "module", "encoder: Encoder"),
        Group("inner", "outer", "section", "operations 3 to 9"),
        Group("rounds", None, "repeat", "h.0 … h.11", 12),
    )
    return Scene("16 nodes, 5 parameters", tuple(boxes), tuple(arrows), groups, ("One note.", "Another note."))


@pytest.fixture
def chain() -> Callable[[int], Scene]:
    """Makes a scene of so many boxes in a row."""

    def make(count: int) -> Scene:
        boxes = tuple(Box(f"n{at}", "op", f"Op{at}") for at in range(count))
        return Scene(f"chain of {count}", boxes, tuple(Arrow(f"n{at}", f"n{at + 1}") for at in range(count - 1)), ())

    return make


@pytest.fixture
def fake_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes an executable script stand in for Graphviz."""

    def make(script: str) -> Path:
        program = tmp_path / "fake-dot"
        program.write_text(script)
        program.chmod(0o755)
        monkeypatch.setenv("GRADVIZ_DOT", str(program))
        return program

    return make


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two small files in the place of the built viewer, so that no test here needs Node."""
    folder = tmp_path / "static"
    folder.mkdir()
    folder.joinpath("widget.js").write_text("export default {};\n", encoding="utf-8")
    folder.joinpath("page.js").write_text("/* the viewer é */\n", encoding="utf-8")
    monkeypatch.setattr(script, "STATIC", folder)
    return folder
