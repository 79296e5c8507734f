"""``python -m benchmarks [PART ...]``: measure, and say which targets hold.

It ends with success either way: how fast a machine is today is no test.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.table import Table

from benchmarks import drawing, imports, layouts, lifetime, machine, memory, scale, tracing, viewing, watching
from benchmarks.figures import Target

PARTS = {
    "tracing": tracing.run,
    "scale": scale.run,
    "memory": memory.run,
    "imports": imports.run,
    "drawing": drawing.run,
    "lifetime": lifetime.run,
    "viewing": viewing.run,
    "layouts": layouts.run,
    "watching": watching.run,
}


def main() -> None:
    """Run the parts that were named, all if none was."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, and say which targets hold.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one or several of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="few rounds and short patience in viewing and layouts")
    given = parser.parse_args()
    parts = given.parts or list(PARTS)
    runs = PARTS | {part: partial(PARTS[part], quick=given.quick) for part in ("viewing", "layouts")}
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"there is no part {', '.join(unknown)}; there is {', '.join(PARTS)}")
    machine.settle()
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(machine.description())
    targets: list[Target] = []
    for part in parts:
        start = time.perf_counter()
        targets += runs[part](console)
        console.print(f"[dim]{part} took {time.perf_counter() - start:.0f} s[/]\n")
    if targets:
        console.print(verdict(targets))


def verdict(targets: Sequence[Target]) -> Table:
    """Which targets hold."""
    table = Table("target", "measured", "aimed for", "", title="Targets")
    for target in targets:
        bound = "at least" if target.at_least else "at most"
        held = "[green]PASS[/]" if target.holds else "[bold red]FAIL[/]"
        table.add_row(
            target.what, f"{target.measured:,.1f}{target.unit}", f"{bound} {target.limit:,g}{target.unit}", held
        )
    return table


if __name__ == "__main__":
    main()
