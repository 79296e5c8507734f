"""The command line: ``gradviz demo``."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gradviz import __version__
from gradviz.errors import GradvizError
from gradviz.graph import Graph, Leaf
from gradviz.view.files import write_atomically

app = typer.Typer(
    name="gradviz",
    help="Shows what PyTorch's autograd really built.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)


@app.callback(invoke_without_command=True)
def _gradviz(version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False) -> None:
    if version:
        Console().print(__version__)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the files; made where it is missing.")] = Path("demo"),
) -> None:
    """Trace a small real model and leave its graph as SVG, PNG, DOT and JSON, and as a page to explore."""
    # Torch warns at import where NumPy is missing; it works without, and a first look need not begin with that.
    warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
    from gradviz.api import trace
    from gradviz.demo import demo_step
    from gradviz.view.picture import draw
    from gradviz.view.viewing import save_page

    console = Console()
    try:
        model, loss = demo_step()
        graph = trace(loss, model=model)
        picture = draw(graph)
        out.mkdir(parents=True, exist_ok=True)
        files = [picture.save(out / f"graph.{suffix}") for suffix in ("svg", "png", "dot")]
        files.append(save_page(graph, out / "graph.html", title="gradviz demo"))
        data = out / "graph.json"
        write_atomically(data, json.dumps(graph.to_dict(), indent=1))
    except (GradvizError, OSError) as error:
        Console(stderr=True).print(f"[bold red]gradviz demo failed.[/] {escape(str(error))}")
        raise typer.Exit(1) from error
    console.print(_summary(graph))
    console.print("Wrote " + ", ".join(f"[bold]{escape(str(file))}[/]" for file in (*files, data)))


def _summary(graph: Graph) -> Table:
    table = Table("what", "count", "which", title="The demo model's backward graph")
    kinds = Counter(node.kind for node in graph.nodes)
    operations = Counter(node.op for node in graph.nodes if node.kind != "leaf")
    frequent = ", ".join(f"{op} ×{count}" for op, count in operations.most_common(3))
    rows = [
        ("operations", len(graph.nodes) - kinds["leaf"], frequent),
        ("parameters that learn", *_named([leaf for leaf in graph.leaves if leaf.node is not None and leaf.parameter])),
        ("parameters that are frozen", *_named([leaf for leaf in graph.leaves if not leaf.requires_grad])),
        ("parameters out of reach", *_named([x for x in graph.leaves if x.requires_grad and x.node is None])),
        (
            "arguments without gradient",
            len(graph.dead_ends),
            ", ".join(f"{e.source} {e.name}" for e in graph.dead_ends),
        ),
        ("hooks", *_hooks(graph)),
        ("bytes saved for backward", graph.saved_bytes, "each storage counted once"),
    ]
    for what, count, which in rows:
        table.add_row(what, f"{count:,}", escape(which))
    return table


def _named(leaves: list[Leaf]) -> tuple[int, str]:
    names = [leaf.name or "unnamed" for leaf in leaves]
    return len(names), ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _hooks(graph: Graph) -> tuple[int, str]:
    hooks = [*(hook for node in graph.nodes for hook in node.hooks), *graph.hooks]
    return len(hooks), ", ".join(f"{hook.name} on {hook.owner} ({hook.where})" for hook in hooks)
