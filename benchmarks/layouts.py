"""How long does each layout engine take for the same boxes and arrows, and how often do its lines cross?

The boxes have the sizes that the viewer gives them; frames, which not every engine knows, are in one row alone. Every
layout is a process of its own, so that none finds warm what another left; its engine is loaded before the clock starts,
but for native Graphviz, whose start and output are in its figures. Lines cross as ``frontend/crossings.mjs`` counts
them, for all in the same way.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks import graphs
from benchmarks.figures import Spread, Target
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.engine import LayoutFailedError, run_graphviz
from gradviz.view.payload import encode

HERE = Path(__file__).with_name("frontend")
VIEWER = HERE.parent.parent / "frontend"
ENGINES = ("gradviz", "gradviz, with frames", "Graphviz", "Graphviz, WASM", "elk", "dagre")
# By name: what makes the graph, and whether it is folded as at first sight.
PICTURES: dict[str, tuple[Callable[[], Graph], bool]] = {
    "demo, folded": (graphs.demo, True),
    "ResNet-50": (graphs.convolutional, False),
    "12-layer GPT": (lambda: graphs.gpt(12), False),
    "DenseNet": (graphs.dense, False),
    "200 LSTM steps": (lambda: graphs.lstm(200), False),
    "chain, 2,000": (lambda: graphs.chain(2_000), False),
    "chain, 20,000": (lambda: graphs.chain(20_000), False),
}
SOON = 2.0  # seconds: what takes less is measured several times


def run(console: Console, *, quick: bool = False) -> list[Target]:
    """Print one row per engine, one column per graph."""
    if why := _missing():
        console.print(f"layouts are left out: {why}")
        return []
    rounds, patience = (1, 20.0) if quick else (3, 60.0)
    table = Table("engine", title=f"Layout, CPU seconds: median of {rounds} (one, from {SOON:g} s on), and crossings")
    cells: dict[str, list[str]] = {engine: [] for engine in ENGINES}
    with TemporaryDirectory() as folder:
        ours = _bundle(Path(folder))
        for name, (make, folded) in PICTURES.items():
            picture = _prepare(make(), folded, Path(folder), ours)
            given = json.loads(picture.read_text())
            boxes, arrows = len(given["sizes"]) // 2, len(given["arrows"]) // 2
            table.add_column(f"{name}\n{boxes:,} boxes\n{arrows:,} arrows", justify="right")
            for engine in ENGINES:
                cells[engine].append(_cell(engine, picture, ours, rounds, patience))
    for engine, row in cells.items():
        table.add_row(engine, *row)
    table.caption = f"Every layout has {patience:g} s. “cut”: arrows drawn as two stubs, which cross nothing."
    console.print(table)
    return []


def _missing() -> str:
    if shutil.which("node") is None:
        return "there is no Node"
    absent = [folder.parent.name for folder in (HERE / "node_modules", VIEWER / "node_modules") if not folder.is_dir()]
    return f"run `npm ci` in {' and '.join(absent)}" if absent else ""


def _bundle(folder: Path) -> Path:
    """The viewer's own layout as a module for Node."""
    target = folder / "ours.mjs"
    esbuild = VIEWER / "node_modules/.bin/esbuild"
    options = ["--bundle", "--format=esm", "--platform=node", "--log-level=error", f"--outfile={target}"]
    subprocess.run([esbuild, HERE / "engines.ts", *options], check=True)
    return target


def _prepare(graph: Graph, folded: bool, folder: Path, ours: Path) -> Path:
    """A file with the boxes and arrows of a graph, as the viewer measures them."""
    payload, picture = folder / "payload.json", folder / "picture.json"
    payload.write_text(json.dumps(encode(graph, fold="auto" if folded else None).content))
    picture.write_text(_node("prepare", payload, ours))
    return picture


def _node(task: str, *files: Path, seconds: float | None = None) -> str:
    """What a task of layouts.mjs prints."""
    command = ["node", str(HERE / "layouts.mjs"), task, *map(str, files)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds).stdout


def _cell(engine: str, picture: Path, ours: Path, rounds: int, patience: float) -> str:
    """Seconds and crossings of an engine, or why there are none."""
    seconds = []
    try:
        for _ in range(rounds):
            native = engine == "Graphviz"
            found = _native(picture, patience) if native else _in_node(engine, picture, ours, patience)
            seconds.append(found["seconds"])
            if found["seconds"] > SOON:
                break
    except subprocess.TimeoutExpired:
        return f"timed out\n({patience:g} s)"
    except LayoutFailedError as error:
        return f"timed out\n({patience:g} s)" if "within" in str(error) else str(error)
    except (GradvizError, subprocess.CalledProcessError) as error:
        return f"failed:\n{(getattr(error, 'stderr', '') or str(error)).strip()[:40]}"
    cut = f"\n{found['stubs']} cut" if found["stubs"] else ""
    return f"{Spread.of(seconds).median:.3g} s\n{found['crossings']:,.0f} cross{cut}"


def _in_node(engine: str, picture: Path, ours: Path, patience: float) -> dict[str, float]:
    found: dict[str, float] = json.loads(_node(engine, picture, ours, seconds=patience))
    return found


def _native(picture: Path, patience: float) -> dict[str, float]:
    dot = json.loads(_node("dot", picture))
    before = _children()
    (plain,) = run_graphviz(dot, "dot", ["plain"], seconds=patience)
    seconds = _children() - before
    drawn = picture.with_name("plain.txt")
    drawn.write_bytes(plain)
    return _in_node("plain", picture, drawn, patience) | {"seconds": seconds}


def _children() -> float:
    """Seconds that ended children have worked; where the system does not tell, what the clock says."""
    times = os.times()
    return times.children_user + times.children_system or time.perf_counter()
