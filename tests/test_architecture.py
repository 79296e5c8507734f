"""The import rules hold, and each of them is able to fail.

A rule that nobody saw broken may be a typing error. So faults are planted in a copy of the package, and import-linter
must name the very rule that each of them breaks. Files that are still to come (recording, checks …) are planted too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = "Each layer knows only the layers below it"
TABLE = "Inside the package nobody imports names through gradviz/__init__.py"
TORCH = "Only capture and the demo's model import torch"
NETWORKX = "Only graph imports networkx"
GRAPHVIZ = "Only view/dot.py imports graphviz, only the child process pygraphviz"
ANYWIDGET = "Only view/widget.py imports anywidget"
CHECKS = "Checks are strangers to each other"
OBSERVERS = "Observers are strangers to each other"

# Bound by design never to reach torch, in whichever way.
FREE_OF_TORCH = ["errors", "graph", "recording", "diagnosis", "difference", "checks", "view"]

BYSTANDERS = [
    "capture.measure",
    "capture.observers.other",
    "capture.planted",
    "checks.optimizer.other",
    "checks.unused.other",
    "checks.unused.planted",
    "diagnosis",
    "recording",
    "view.planted",
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the package's sources and the rules, to plant faults in."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "gradviz", tmp_path / "gradviz", ignore=shutil.ignore_patterns("__pycache__", "static"))
    return tmp_path


def plant(copy: Path, module: str, line: str) -> None:
    """Append `line` to a module of the copy, which is made, with the packages around it, where there is none."""
    *packages, name = module.split(".")
    folder = copy
    for package in packages:
        folder /= package
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    file = folder / name / "__init__.py" if (folder / name).is_dir() else folder / f"{name}.py"
    with file.open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")


def plant_bystanders(copy: Path) -> None:
    """Add innocent files for the planted lines to import."""
    for module in BYSTANDERS:
        plant(copy, f"gradviz.{module}", "")


def lint(copy: Path) -> tuple[int, set[str], str]:
    """The exit status of import-linter on the copy, the names of the broken contracts, and all that it printed."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache', '--no-logo'])"
    ran = subprocess.run(
        # Not the script `lint-imports`: this finds the copy (in the working folder) whatever is installed.
        [sys.executable, "-c", program],
        cwd=copy,
        env=os.environ | {"COLUMNS": "300", "NO_COLOR": "1", "PYTHONPATH": str(copy), "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    output = ran.stdout + ran.stderr
    return ran.returncode, {line.split(" BROKEN")[0] for line in ran.stdout.splitlines() if " BROKEN" in line}, output


def test_the_package_keeps_every_rule(copy: Path) -> None:
    status, broken, output = lint(copy)
    assert (status, broken) == (0, set()), output
    assert "Contracts: 8 kept, 0 broken." in output


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        # Layers: upwards, sideways, inside a function, and a file that has no layer.
        ("gradviz.graph.planted", "import gradviz.capture.planted", LAYERS),
        ("gradviz.errors", "from gradviz import graph", LAYERS),
        ("gradviz.recording", "from gradviz import diagnosis", LAYERS),
        ("gradviz.capture.planted", "from gradviz.view import planted", LAYERS),
        ("gradviz.view.planted", "def draw(): from gradviz.capture import planted", LAYERS),
        ("gradviz.checks.unused.planted", "from gradviz.capture import planted", LAYERS),
        ("gradviz.capture.planted", "from gradviz.checks.unused import planted", LAYERS),
        ("gradviz.api", "from gradviz import cli", LAYERS),
        ("gradviz.utils", "", LAYERS),
        # The table of names would hide what is imported through it.
        ("gradviz.view.planted", "from gradviz import trace", TABLE),
        ("gradviz.graph.planted", "import gradviz", TABLE),
        # Outside libraries, each with one home.
        ("gradviz", "import torch", TORCH),
        ("gradviz.api", "import torch.nn as nn", TORCH),
        ("gradviz.view.planted", "import networkx", NETWORKX),
        ("gradviz.capture.planted", "from networkx import MultiDiGraph", NETWORKX),
        ("gradviz.view.planted", "import graphviz", GRAPHVIZ),
        ("gradviz.view.planted", "def draw(): from pygraphviz import AGraph", GRAPHVIZ),
        ("gradviz.graph.planted", "import pygraphviz", GRAPHVIZ),
        ("gradviz.view.picture", "from graphviz import Source", GRAPHVIZ),
        ("gradviz.view.dot", "import pygraphviz", GRAPHVIZ),
        ("gradviz.view.planted", "from anywidget import AnyWidget", ANYWIDGET),
        # Neighbours.
        ("gradviz.checks.unused.planted", "from gradviz.checks.unused import other", CHECKS),
        ("gradviz.checks.unused.planted", "from gradviz.checks.optimizer import other", CHECKS),
        ("gradviz.capture.observers.planted", "from gradviz.capture.observers import other", OBSERVERS),
    ],
)
def test_a_planted_fault_breaks_its_rule(copy: Path, module: str, line: str, contract: str) -> None:
    plant_bystanders(copy)
    plant(copy, module, line)
    status, broken, output = lint(copy)
    assert (status, broken) == (1, {contract}), output
    assert module in output.partition("Broken contracts")[2]


@pytest.mark.parametrize("name", FREE_OF_TORCH)
def test_torch_is_caught_in_every_stage_that_must_not_reach_it(copy: Path, name: str) -> None:
    plant(copy, f"gradviz.{name}", "import torch")
    status, broken, output = lint(copy)
    assert (status, broken) == (1, {TORCH}), output


@pytest.mark.parametrize("name", FREE_OF_TORCH)
def test_torch_is_caught_when_it_is_reached_through_capture(copy: Path, name: str) -> None:
    plant(copy, "gradviz.capture.planted", "import torch")
    plant(copy, f"gradviz.{name}", "from gradviz.capture import planted")
    status, broken, output = lint(copy)
    assert (status, broken) == (1, {LAYERS}), output


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("gradviz.capture.planted", "import torch"),
        ("gradviz.graph.planted", "import networkx"),
        ("gradviz.view.dot", "import graphviz"),
        ("gradviz.view.graphviz_child", "import pygraphviz"),
        ("gradviz.view.widget", "import anywidget"),
        ("gradviz.checks.unused.planted", "from gradviz.recording import Cut"),
        ("gradviz.capture.observers.planted", "from gradviz.capture import measure"),
        ("gradviz.testing", "from gradviz import api"),
        ("gradviz.distributed.planted", "from gradviz.capture import measure"),
    ],
)
def test_what_the_design_allows_breaks_nothing(copy: Path, module: str, line: str) -> None:
    plant_bystanders(copy)
    plant(copy, module, line)
    status, broken, output = lint(copy)
    assert (status, broken) == (0, set()), output


def test_nobody_imports_by_string() -> None:
    """Import-linter reads import statements only; the table of names is the one place that may do without."""
    by_string = re.compile(r"\b(import_module|__import__|run_module)\b")
    sources = sorted((ROOT / "gradviz").rglob("*.py"))
    users = [file.relative_to(ROOT) for file in sources if by_string.search(file.read_text(encoding="utf-8"))]
    assert users == [Path("gradviz/__init__.py")]


HEAVY = ["IPython", "anywidget", "graphviz", "ipywidgets", "networkx", "numpy", "pygraphviz", "rich", "torch", "typer"]


def loaded_by(statement: str) -> set[str]:
    """Which of HEAVY are loaded in a fresh interpreter after `statement`."""
    program = f"import sys\n{statement}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    return set(ran.stdout.split())


def test_import_gradviz_loads_nothing_heavy() -> None:
    assert loaded_by("import gradviz; gradviz.__version__; dir(gradviz)") == set()


def test_the_probe_sees_what_is_loaded() -> None:
    assert "networkx" in loaded_by("import networkx")


def test_a_graph_can_be_read_without_torch() -> None:
    assert not loaded_by("from gradviz import Graph") & {"torch", "IPython", "graphviz", "pygraphviz", "rich"}
