"""What does an import add to ``import torch``?

Every measurement is a new interpreter that has imported torch already.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Spread, Target

ROUNDS = 7
OURS, FIRST_USE = "import gradviz", "import gradviz; gradviz.trace"
PEERS = ("torchviz", "torchlens")
_PROGRAM = """
import time, torch
start = time.perf_counter()
{statement}
print(time.perf_counter() - start)
"""


def run(console: Console) -> list[Target]:
    """Print one row per statement."""
    statements = [OURS, FIRST_USE, *(f"import {peer}" for peer in PEERS if find_spec(peer))]
    seconds: dict[str, list[float]] = {statement: [] for statement in statements}
    for turn in range(ROUNDS):
        first = turn % len(statements)
        for statement in [*statements[first:], *statements[:first]]:
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
