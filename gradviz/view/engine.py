"""Runs Graphviz; nothing else in gradviz does.

Rules: always in a child process, because a layout may hang, crash or take all memory; never longer than it was given;
nothing is returned unless the child ended well and every output is there.

The engine is the ``dot`` that the environment variable GRADVIZ_DOT names; else the Graphviz that pygraphviz carries, so
that equal graphs give equal pictures; else a ``dot`` on PATH.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from gradviz.errors import GradvizError
from gradviz.view.graphviz_child import UNUSABLE

SECONDS = 20.0  # for one run
_CHILD = Path(__file__).with_name("graphviz_child.py")
_REMEDY = "`pip install pygraphviz` (its wheels carry Graphviz), or install Graphviz and name its dot in GRADVIZ_DOT"
_ENDS = {"svg": b"</svg>", "png": b"IEND\xaeB`\x82", "pdf": b"%%EOF", "dot": b"}", "plain": b"stop"}  # of whole files
_PROBE = 'digraph { node [fontname=Helvetica width=0 margin=0] a [label="iiiiiiii"] b [label="WWWWWWWW"] }'


class LayoutFailedError(Exception):
    """Graphviz ran but gave no picture. The message follows the word "Graphviz": "did not finish within 20 s"."""


class _UnusableError(Exception):
    """This Graphviz cannot be run at all; another one may."""


def run_graphviz(
    dot: str, layout: str, formats: Sequence[str], *, seconds: float = SECONDS, dpi: float = 72
) -> list[bytes]:
    """Lay a graph out once and render it to one or more formats.

    Args:
        dot: DOT text.
        layout: ``"dot"``, or ``"nop2"`` for text in which everything has its position already.
        formats: what Graphviz calls ``svg``, ``png``, ``pdf``, ``dot`` (with positions) and ``plain``.
        seconds: after so many the child is killed.
        dpi: of PNG. Leave it at 72 for all else, which it would only scale.

    Raises:
        LayoutFailedError: if Graphviz crashed, ended with an error or took too long.
        GradvizError: if there is no Graphviz.
    """
    reasons = []
    for command in _commands():
        try:
            return _run(command, dot, layout, formats, seconds, dpi)
        except _UnusableError as error:
            reasons.append(f"{command[-1]}: {error}")
    why = "; ".join(reasons) or "neither pygraphviz nor a `dot` on PATH was found"
    raise GradvizError("There is no Graphviz to draw with", why, _REMEDY)


@lru_cache(maxsize=1)
def has_font() -> bool:
    """Whether Graphviz finds any font; without one every letter is the same empty frame. Asked once per process."""
    (plain,) = run_graphviz(_PROBE, "dot", ["plain"])
    widths = {line.split()[4] for line in plain.decode().splitlines() if line.startswith("node ")}
    return len(widths) > 1


def require_font(kind: str) -> None:
    """Raise GradvizError, for this kind of picture, where Graphviz finds no font; SVG needs none."""
    try:
        found = has_font()
    except LayoutFailedError:
        return  # the picture itself will say what is wrong
    if not found:
        raise GradvizError(
            f"No {kind} was made",
            "this machine has no font, so that every letter would be an empty frame",
            "install one (`apt-get install fonts-dejavu-core`), or take SVG, which is drawn with the reader's fonts",
        )


def _commands() -> Iterator[list[str]]:
    chosen = os.environ.get("GRADVIZ_DOT")
    if chosen:
        yield [chosen]
        return
    spec = find_spec("pygraphviz")  # finds it without loading it
    # In a frozen program, sys.executable is that program and not Python.
    if spec and spec.origin and sys.executable and not getattr(sys, "frozen", False):
        yield [sys.executable, "-I", "-S", str(_CHILD), str(Path(spec.origin).parent.parent)]
    found = shutil.which("dot")
    if found:
        yield [found]


def _run(command: list[str], dot: str, layout: str, formats: Sequence[str], seconds: float, dpi: float) -> list[bytes]:
    with tempfile.TemporaryDirectory(prefix="gradviz-") as folder:
        targets = {kind: Path(folder, f"out.{kind}") for kind in formats}
        outputs = [part for kind, target in targets.items() for part in (f"-T{kind}", "-o", str(target))]
        status, errors = _wait([*command, f"-K{layout}", f"-Gdpi={dpi:g}", *outputs], dot, seconds)
        if status == UNUSABLE:
            raise _UnusableError(_last_line(errors))
        if status < 0:
            raise LayoutFailedError(f"crashed (signal {-status})")
        if status:
            raise LayoutFailedError(f"ended with status {status}: {_last_line(errors)}")
        try:
            written = {kind: target.read_bytes() for kind, target in targets.items()}
        except FileNotFoundError:
            raise LayoutFailedError(f"wrote nothing: {_last_line(errors)}") from None
        for kind, content in written.items():
            if not content.rstrip().endswith(_ENDS[kind]):  # Graphviz does not notice a full disk
                raise LayoutFailedError(f"wrote only a part of the {kind.upper()} (is the disk full?)")
        return list(written.values())


def _wait(command: list[str], dot: str, seconds: float) -> tuple[int, str]:
    """Exit status and standard error of a child that is gone, with its own children, when this returns or raises."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise _UnusableError(error.strerror or str(error)) from error
    with process:
        try:
            _, errors = process.communicate(dot.encode(), timeout=seconds)
        except BaseException as error:
            _kill(process)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise LayoutFailedError(f"did not finish within {seconds:g} s") from None
            raise
    return process.returncode, errors.decode(errors="replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # all of them: a `dot` may be a script around the real one


def _last_line(errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip() and not line.startswith("Fontconfig")]
    return lines[-1] if lines else "it said nothing"
