"""Dropping a traced deep graph never crashes the interpreter, never leaks, and frees by the next statement.

Each case runs in a process of its own, which would die by a segmentation fault.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from tests.capture.deep.cases import CASES

Run = Callable[[str, bool], tuple[int, str]]

# Without what is tested here these overflow the stack: the others are to be believed.
FATAL = [
    "built-in · traced once · no backward · dropped loss, middle",
    "mixed · traced grown · backward · dropped nodes after tensors",
    "views · traced above first · retained first · dropped graph, loss",
    "comb · traced shared · retained first · dropped loss, middle",
    "in a thread",
    "made in a thread that has ended",
    "in a cycle",
    "in a traceback",
    "interrupted in a deep walk",
    "interrupted in the description",
]

keeps_wrappers = pytest.mark.skipif(
    torch.__version__ < "2.13.dev0", reason="before torch 2.13 nothing is needed, and nothing is done"
)


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs a case by its name, protected or not; returns how its process ended, and what it wrote on its way."""
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.capture.deep.server"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert server.stdin
    assert server.stdout

    def ask(name: str, protected: bool) -> tuple[int, str]:
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps([name, protected]) + "\n")
        server.stdin.flush()
        status, said = json.loads(server.stdout.readline())
        return status, said

    yield ask
    server.stdin.close()
    server.stdout.close()
    assert server.wait(60) == 0


def _param(name: str) -> object:
    newer = "interrupted" in name or "nodes after tensors" in name  # before, a custom node was not held by its wrapper
    return pytest.param(name, marks=keeps_wrappers) if newer else name


@pytest.mark.parametrize("name", list(map(_param, CASES)))
def test_deep(run: Run, name: str) -> None:
    assert run(name, True) == (0, "")


@keeps_wrappers
@pytest.mark.parametrize("name", FATAL)
def test_deep_and_unprotected_is_fatal(run: Run, name: str) -> None:
    assert run(name, False)[0] == -signal.SIGSEGV
