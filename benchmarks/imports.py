"""What does an import add to ``import torch``?

Every measurement is a new interpreter that has imported torch already. Packages that load nothing before they are used
are measured at their first use, too.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Spread, Target

ROUNDS = 5
OURS, FIRST_USE = "import gradviz", "from gradviz import trace"
PEERS = {"torchviz": "from torchviz import make_dot", "torchlens": "from torchlens.debug import walk_grad_fn"}
_PROGRAM = """
import time, torch
start = time.process_time()
{statement}
print(time.process_time() - start)
"""


def run(console: Console) -> list[Target]:
    """Print one row per statement."""
    statements = [OURS, FIRST_USE, *(use for peer, use in PEERS.items() if find_spec(peer))]
    seconds: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(ROUNDS):
        for statement in statements:
            seconds[statement].append(_seconds(statement))
    table = Table("statement", "added to import torch", title=f"Imports: median of {ROUNDS} (quartiles)")
    spreads = {name: Spread.of([value * 1e3 for value in values]) for name, values in seconds.items()}
    for statement, spread in spreads.items():
        table.add_row(statement, spread.text(" ms"))
    console.print(table)
    return [Target(f"{name}, on top of torch", spreads[name].median, 100, " ms") for name in (OURS, FIRST_USE)]


def _seconds(statement: str) -> float:
    program = [sys.executable, "-W", "ignore", "-c", _PROGRAM.format(statement=statement)]
    return float(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
