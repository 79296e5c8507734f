"""The viewer's own tests pass under Node, and the built viewer in gradviz/view/static is what its sources give."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parent.parent / "frontend"


@pytest.fixture(scope="module")
def node() -> str:
    """The Node that runs them; without it they are skipped, but not in CI."""
    program = shutil.which("node")
    if program and (FRONTEND / "node_modules/esbuild").is_dir():
        return program
    reason = "frontend/node_modules is not installed: run `make viewer`" if program else "there is no Node"
    return (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)


def run(*command: str) -> str:
    ran = subprocess.run(
        command, cwd=FRONTEND, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def test_the_unit_tests_of_the_viewer_pass(node: str) -> None:
    run(node, "build.mjs", "--test")
    files = sorted(map(str, (FRONTEND / "build/test").rglob("*.test.js")))
    assert files
    # By name: what a folder or a pattern means to `node --test` changes with its version.
    told = run(node, "--test", "--test-reporter=tap", *files)
    assert "\n# fail 0\n" in told
    assert "\n# pass 0\n" not in told


def test_the_committed_viewer_is_what_its_sources_give(node: str) -> None:
    assert "bytes" in run(node, "build.mjs", "--compare")
