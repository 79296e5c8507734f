"""Graphviz runs in a child that never outlives its time, and its outputs are all there or none is taken."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gradviz.errors import GradvizError
from gradviz.view import engine
from gradviz.view.engine import LayoutFailedError, has_font, run_graphviz

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts stand in for Graphviz")

Fake = Callable[[str], Path]
GOOD = """#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then shift; cat > "$1" <<END
<svg></svg>
END
  fi
  shift
done
"""


def test_one_run_gives_all_formats_in_order() -> None:
    svg, png, pdf, dot, plain = run_graphviz("digraph { a -> b }", "dot", ["svg", "png", "pdf", "dot", "plain"])
    assert svg.startswith(b"<?xml")
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    assert dot.startswith(b"digraph")
    assert plain.startswith(b"graph ")


def test_equal_text_gives_equal_bytes() -> None:
    first, second = (run_graphviz('digraph { a -> b [label="x"] }', "dot", ["svg", "png"]) for _ in range(2))
    assert first == second


def test_dots_per_inch_scale_a_png() -> None:
    def width(dpi: float) -> int:
        (png,) = run_graphviz("digraph { a }", "dot", ["png"], dpi=dpi)
        return int.from_bytes(png[16:20], "big")

    assert width(288) == pytest.approx(4 * width(72), abs=4)


def test_the_named_program_goes_first(fake_dot: Fake) -> None:
    fake_dot(GOOD)
    assert run_graphviz("digraph { a }", "dot", ["svg"]) == [b"<svg></svg>\n"]


def test_a_dot_on_the_path_serves_where_there_is_no_pygraphviz(fake_dot: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_dot(GOOD)
    program.rename(program.with_name("dot"))
    monkeypatch.delenv("GRADVIZ_DOT")
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    assert run_graphviz("digraph { a }", "dot", ["svg"]) == [b"<svg></svg>\n"]


def test_a_pygraphviz_that_cannot_be_loaded_is_passed_over(
    fake_dot: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = fake_dot(GOOD)
    program.rename(program.with_name("dot"))
    broken = tmp_path / "packages" / "pygraphviz"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('libgvc is missing')")
    monkeypatch.delenv("GRADVIZ_DOT")
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(str(broken.parent))
    assert run_graphviz("digraph { a }", "dot", ["svg"]) == [b"<svg></svg>\n"]


def test_without_any_graphviz_the_error_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GradvizError, match=r"no Graphviz to draw with[\s\S]*pip install pygraphviz"):
        run_graphviz("digraph { a }", "dot", ["svg"])


def test_a_named_program_that_does_not_exist_is_not_replaced_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADVIZ_DOT", "/nowhere/dot")
    with pytest.raises(GradvizError, match=r"/nowhere/dot: No such file"):
        run_graphviz("digraph { a }", "dot", ["svg"])


def test_variables_and_modules_of_the_user_do_not_reach_the_child(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pathlib.py").write_text("raise SystemExit('not the standard library')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (svg,) = run_graphviz("digraph { a }", "dot", ["svg"])
    assert b"</svg>" in svg


@pytest.mark.parametrize(
    ("script", "message"),
    [
        pytest.param("#!/bin/sh\necho 'syntax error' >&2\nexit 3\n", "ended with status 3: syntax error", id="error"),
        pytest.param("#!/bin/sh\nkill -SEGV $$\n", "crashed (signal 11)", id="crash"),
        pytest.param("#!/bin/sh\nexit 0\n", "wrote nothing: it said nothing", id="no output"),
        pytest.param("#!/bin/sh\nexec tail -f /dev/null\n", "did not finish within 0.2 s", id="hangs"),
        pytest.param("#!/bin/sh\nwhile :; do :; done\n", "did not finish within 0.2 s", id="loops"),
        pytest.param(GOOD.replace("</svg>", "<g"), "wrote only a part of the SVG (is the disk full?)", id="a cut file"),
        pytest.param(GOOD + "exit 1\n", "ended with status 1: it said nothing", id="output, then an error"),
    ],
)
def test_what_goes_wrong_is_said(script: str, message: str, fake_dot: Fake) -> None:
    fake_dot(script)
    with pytest.raises(LayoutFailedError) as caught:
        run_graphviz("digraph { a }", "dot", ["svg"], seconds=0.2 if "within" in message else 20)
    assert str(caught.value) == message


def test_no_process_outlives_the_time(fake_dot: Fake, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    fake_dot(f"#!/bin/sh\ntail -f /dev/null &\necho $! > {note}\nwait\n")
    with pytest.raises(LayoutFailedError):
        run_graphviz("digraph { a }", "dot", ["svg"], seconds=2)
    deadline = time.monotonic() + 30
    while runs(int(note.read_text())):  # a killed process may take a while to go
        assert time.monotonic() < deadline


def runs(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] not in "ZX"


def test_bad_dot_is_an_error_and_not_a_picture() -> None:
    with pytest.raises(LayoutFailedError, match="ended with status 1"):
        run_graphviz("digraph { a -> ", "dot", ["svg"])


def test_no_file_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fake_dot: Fake) -> None:
    monkeypatch.setattr(engine.tempfile, "tempdir", str(tmp_path))
    run_graphviz("digraph { a }", "dot", ["svg"])
    fake = fake_dot("#!/bin/sh\nkill -SEGV $$\n")
    with pytest.raises(LayoutFailedError):
        run_graphviz("digraph { a }", "dot", ["svg"])
    assert list(tmp_path.iterdir()) == [fake]


def test_a_machine_without_fonts_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty = tmp_path / "fonts.conf"
    empty.write_text('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
    monkeypatch.setenv("FONTCONFIG_FILE", str(empty))
    has_font.cache_clear()
    assert has_font() is False
    has_font.cache_clear()
