"""The graphs that browser tests show, and what Python knows of them: which boxes are drawn, and inside which frames."""

from __future__ import annotations

from functools import cache

import gradviz
from gradviz.demo import demo_step
from gradviz.graph import Graph, Node
from gradviz.view.compose import compose
from gradviz.view.scene import Scene
from tests.view.builders import Builder, meta
from tests.view.test_hostile import HOSTILE

# The same graph in a kernel.
DEMO = (
    "import gradviz\n"
    "from gradviz.demo import demo_step\n"
    "model, loss = demo_step()\n"
    "graph = gradviz.trace(loss, model=model)"
)
# Would run, if they became markup, a style or a script; they leave a mark where a test can see it.
RUNNING = (
    "<script>window.__pwned=1</script>",
    "</script><script>window.__pwned=1</script>",
    "<img src=x onerror=window.__pwned=1>",
    '"><svg onload=window.__pwned=1>',
    "' onmouseover='window.__pwned=1",
    "</style><script>window.__pwned=1</script>",
    "]]><script>window.__pwned=1</script>",
    "<!--<script>",
    "javascript:window.__pwned=1",
    "${window.__pwned=1}",
    "{{constructor.constructor('window.__pwned=1')()}}",
)


@cache
def demo() -> Graph:
    """The demo model's: folded at first, with three frames open, frozen parameters, dead ends and a hook."""
    model, loss = demo_step()
    return gradviz.trace(loss, model=model)


@cache
def hostile() -> Graph:
    """Every hostile text as the name of a module, its class, an operation, a leaf and an argument; drawn in full."""
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number, text in enumerate((*RUNNING, *(text for text in HOSTILE if len(text) < 1000))):
        path = text.replace(".", "·") + f" {number}"
        builder.classes[path] = text
        last = builder.op(f"{text}Backward{number}", last, module=path)
        builder.leaf(f"{path}.{text}", last)
        builder.dead_end(last, text, text, text)
    return builder.graph(notes=RUNNING)


@cache
def wide(nodes: int) -> Graph:
    """So many nodes, half of them leaves, and no module to fold by."""
    builder = Builder()
    last = builder.op("MeanBackward0")
    for number in range(1, nodes // 2):
        last = builder.op(f"Op{number % 7}Backward0", last)
        builder.leaf(f"weight_{number}", last)
    builder.leaf("first", last)
    return builder.graph()


def single() -> Graph:
    """One node."""
    builder = Builder()
    builder.op("MeanBackward0")
    return builder.graph()


def empty() -> Graph:
    """No node at all."""
    return Graph((), (), ())


def reached_once() -> Graph:
    """A short chain with shapes that tell its boxes apart."""
    builder = Builder()
    first = builder.op("MeanBackward0", slots=(meta(),))
    second = builder.op("AddmmBackward0", first, slots=(meta(8, 4),))
    builder.leaf("weight", second, shape=(4, 4))
    builder.leaf("bias", second, shape=(4,))
    return builder.graph()


@cache
def scene(graph: Graph) -> Scene:
    """What is drawn at first."""
    return compose(graph)


def first_sight(graph: Graph) -> set[str]:
    """The keys of the boxes and frames that are drawn at first."""
    return keys(scene(graph))


def keys(drawn: Scene) -> set[str]:
    """The keys of the boxes and frames of a scene."""
    return {part.key for part in (*drawn.boxes, *drawn.groups)}


def inside(graph: Graph, title: str) -> set[str]:
    """The keys of all boxes in the open part with this title."""
    full = compose(graph, fold=None)
    within = {group.key for group in full.groups if group.title == title}
    assert within, [group.title for group in full.groups]
    for group in full.groups:  # parents come first
        if group.parent in within:
            within.add(group.key)
    return {box.key for box in full.boxes if box.group in within}


def key_of(graph: Graph, title: str) -> str:
    """The key of the box with this title that is drawn at first."""
    (key,) = [box.key for box in scene(graph).boxes if box.title == title]
    return key


def node_in(graph: Graph, module: str) -> str:
    """The one operation of a module."""
    (node,) = [node.id for node in graph if node.module == module]
    return node


def in_order(graph: Graph) -> list[Node]:
    """The nodes as the engine runs them."""
    return sorted(graph, key=lambda node: node.order)


def name_of(graph: Graph, node: Node) -> str:
    """What the viewer calls a node: by its operation, a leaf by its name."""
    names = {leaf.node: leaf.name for leaf in graph.leaves}
    return names.get(node.id) or node.op


def colour(text: str) -> tuple[int, int, int]:
    """``#rrggbb`` as numbers."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
