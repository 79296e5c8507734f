"""How many bytes does a Graph take for each of its nodes?

Counted twice: what Python still holds of all that was allocated during the trace once model and loss are gone, and the
sizes of all objects that the Graph consists of. The first includes what a trace leaves elsewhere, the second what
existed before.
"""

from __future__ import annotations

import gc
import tracemalloc

from rich.console import Console
from rich.table import Table

import gradviz
from benchmarks.figures import Target
from benchmarks.models import transformer, workloads
from benchmarks.rounds import in_child
from benchmarks.sizes import deep_size


def run(console: Console) -> list[Target]:
    """Print one row per model."""
    names = [workload.name for workload in workloads()]
    table = Table("model", "nodes", "allocated per node", "objects per node", title="Memory of a Graph")
    targets = []
    for index, name in enumerate(names):
        nodes, allocated, objects = in_child(bytes_per_node, index)
        table.add_row(name, f"{nodes:,}", f"{allocated:,.0f} B", f"{objects:,.0f} B")
        if name == transformer().name:
            targets.append(Target(f"memory of the Graph of {name}, per node", max(allocated, objects), 1000, " B"))
    console.print(table)
    return targets


def bytes_per_node(index: int) -> tuple[int, float, float]:
    """The nodes of a model's graph, and the bytes of each, counted in the two ways."""
    workload = workloads()[index]
    gradviz.trace(workload.loss(), model=workload.model)  # fills the caches that no Graph owns
    loss = workload.loss()
    gc.collect()
    tracemalloc.start()
    graph = gradviz.trace(loss, model=workload.model)
    del loss, workload
    gc.collect()
    allocated, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    nodes = len(graph.nodes)
    return nodes, allocated / nodes, deep_size(graph) / nodes
