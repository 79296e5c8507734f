"""The program that runs the Graphviz inside pygraphviz; it understands the options of ``dot`` that gradviz needs.

    python -I -S graphviz_child.py PACKAGES -Kdot -Gdpi=72 -Tsvg -o FILE [-Tpng -o FILE ...] < DOT

PACKAGES is the folder that pygraphviz lies in. The parent tells it, because ``-I -S`` keep everything else of the
user's environment out: variables, start-up files, modules that hide those of the standard library.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

UNUSABLE = 64  # exit status: there is no pygraphviz that works here
LONGEST = 300  # seconds; the parent ends this process much earlier, unless it was killed itself


def main(packages: str, *options: str) -> int:
    """Lay out the DOT text of standard input and write each format to its file; returns the exit status."""
    if hasattr(signal, "alarm"):
        signal.alarm(LONGEST)
    sys.path.append(packages)
    try:
        from pygraphviz import graphviz as library
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    engine, dpi = options[0].removeprefix("-K"), options[1].removeprefix("-Gdpi=")
    context = library.gvContextWithBuiltins()
    graph = library.agread(sys.stdin.buffer, None)
    library.agattr(graph, library.AGRAPH, b"dpi", dpi.encode())
    if library.gvLayout(context, graph, engine.encode()):
        return 1
    for kind, target in zip(options[2::3], options[4::3], strict=True):
        with Path(target).open("wb") as file:
            if library.gvRender(context, graph, kind.removeprefix("-T").encode(), file):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
