"""Graphs made by hand for the tests of the view stage, and what must hold for every scene. No torch, no trace."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from gradviz.graph import DeadEnd, Edge, Graph, Hook, Leaf, Node, Root, TensorMeta
from gradviz.view.folding.measure import Opened
from gradviz.view.folding.part import Part, parts_of
from gradviz.view.scene import Scene

HOSTILE = ("", ".", "..", "." * 5_000, "x" * 10_000, "a\nb", "a.b", "a", "a.", ".a", "0", "<b>&\"'", "h.0", "h.1", "h")


def meta(*shape: int, dtype: str = "float32", device: str = "cpu") -> TensorMeta:
    return TensorMeta(shape, dtype, device)


class Builder:
    """Makes a graph from the loss on: every operation names the earlier ones from which gradients flow into it."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.dead_ends: list[DeadEnd] = []
        self.leaves: list[Leaf] = []
        self.classes: dict[str, str] = {}
        self.hooks: list[Hook] = []
        self.slots: Counter[int] = Counter()

    def op(self, op: str = "MulBackward0", *sources: int, module: str | None = None, **facts: Any) -> int:
        number = len(self.nodes)
        known = {
            "kind": "op",
            "module_inferred": False,
            "where": None,
            "function": None,
            "arguments": (),
            "slots": (meta(2, 3),),
        }
        known |= {"saved": (), "hooks": (), "order": number} | facts
        node = Node(id=f"n{number}", op=op, module=module, **known)
        self.nodes.append(node)
        for source in sources:
            self.edge(source, number)
        return number

    def edge(self, source: int, target: int, name: str | None = "self") -> None:
        self.edges.append(Edge(f"n{source}", self.slots[source], f"n{target}", 0, name))
        self.slots[source] += 1

    def dead_end(
        self, source: int, name: str | None = "other", tensor: str | None = None, why: str | None = None
    ) -> None:
        self.dead_ends.append(DeadEnd(f"n{source}", self.slots[source], name, tensor, why))
        self.slots[source] += 1

    def leaf(self, name: str | None, *users: int, shape: tuple[int, ...] = (3,), **facts: Any) -> int | None:
        """A leaf with an edge from each of its users; without users, a parameter that the graph does not reach."""
        number = self.op("AccumulateGrad", *users, kind="leaf", slots=(meta(*shape),)) if users else None
        node = None if number is None else f"n{number}"
        known = {
            "aliases": (),
            "parameter": True,
            "is_leaf": True,
            "requires_grad": True,
            "retains_grad": False,
        } | facts
        known = {"meta": meta(*shape), "grad": None, "version": 0, "hooks": ()} | known
        self.leaves.append(Leaf(name=name, node=node, **known))
        return number

    def graph(self, *roots: int, notes: tuple[str, ...] = ()) -> Graph:
        edges = sorted(self.edges, key=lambda edge: (int(edge.source[1:]), edge.source_slot))
        access = [("", f"[{number}]") if len(roots) > 1 else ("", "") for number in range(len(roots) or 1)]
        return Graph(
            tuple(Root(way, "tensor", f"n{root}", 0, meta()) for way, root in zip(access, roots or (0,), strict=True)),
            tuple(self.nodes),
            tuple(edges),
            tuple(self.dead_ends),
            tuple(sorted(self.leaves, key=lambda leaf: leaf.node is None)),
            tuple(self.classes.items()),
            tuple(self.hooks),
            notes,
        )


def linear(builder: Builder, path: str, *sources: int, size: int = 4) -> int:
    """The two operations and two parameters of a Linear; returns the one that leads on to its input."""
    addmm = builder.op("AddmmBackward0", *sources, module=path)
    builder.leaf(f"{path}.bias", addmm, shape=(size,))
    transpose = builder.op("TBackward0", addmm, module=path, kind="view")
    builder.leaf(f"{path}.weight", transpose, shape=(size, size))
    builder.classes[path] = "Linear"
    return addmm


def chain(*ops: str, module: str | None = None) -> Graph:
    """Operations in a row."""
    slots = (meta(2, 3),)
    nodes = (Node(f"n{at}", op, "op", module, False, None, None, (), slots, (), (), at) for at, op in enumerate(ops))
    edges = (Edge(f"n{at}", 0, f"n{at + 1}", 0, "self") for at in range(len(ops) - 1))
    return Graph((Root(("", ""), "tensor", "n0", 0, meta()),), tuple(nodes), tuple(edges))


def blocks(count: int, prefix: str = "h") -> Builder:
    """A loss on top of equal residual blocks, each of a norm and two Linears."""
    builder = Builder()
    last = builder.op("MeanBackward0")
    builder.classes |= {"": "Model", prefix: "ModuleList"}
    for number in reversed(range(count)):
        path = f"{prefix}.{number}"
        builder.classes |= {path: "Block", f"{path}.mlp": "MLP"}
        add = builder.op("AddBackward0", last, module=path)
        up = linear(builder, f"{path}.mlp.up", add)
        gelu = builder.op("GeluBackward0", up, module=f"{path}.mlp")
        down = linear(builder, f"{path}.mlp.down", gelu)
        last = builder.op("NativeLayerNormBackward0", down, module=f"{path}.norm")
        builder.classes[f"{path}.norm"] = "LayerNorm"
        builder.leaf(f"{path}.norm.weight", last, shape=(4,))
        builder.edge(add, last)
    builder.leaf("embedding.weight", builder.op("EmbeddingBackward0", last), shape=(9, 4))
    return builder


_PATHS = st.sampled_from([None, "a", "a.b", "a.b.c", "h.0", "h.1", "h.2", "h.0.x", "h.1.x", *HOSTILE])
_NAMES = st.sampled_from([None, "w", "a.w", "h.0.x.w", *HOSTILE])
_STEP = st.tuples(
    st.sampled_from(["MulBackward0", "AddBackward0", "ViewBackward0", "CloneBackward0"]),
    _PATHS,
    st.sets(st.integers(1, 6)),
)
_STRETCH = st.tuples(st.lists(_STEP, min_size=1, max_size=5), st.integers(1, 9))
_PLACES = st.sets(st.integers(0, 500), min_size=1, max_size=3)

# Random graphs as short recipes: repeats in repeats, hostile and nested modules, shared leaves, dead ends, roots.
RECIPES = st.fixed_dictionaries(
    {
        "stretches": st.lists(_STRETCH, min_size=1, max_size=3),
        "times": st.integers(1, 9),
        "irregular": st.sampled_from([0, 0, 200]),
        "leaves": st.lists(st.tuples(_NAMES, _PLACES, st.booleans()), max_size=5),
        "ghosts": st.lists(st.tuples(_NAMES, st.booleans()), max_size=6),
        "dead_ends": st.lists(st.integers(0, 500), max_size=4),
        "roots": st.sets(st.integers(0, 500), max_size=2),
    }
)


def cook(recipe: dict[str, Any]) -> Graph:
    """The graph that a recipe describes."""
    builder = Builder()
    for _ in range(recipe["times"]):
        for steps, times in recipe["stretches"]:
            for op, path, ways in steps * times:
                sources = {len(builder.nodes) - way for way in ways if way <= len(builder.nodes)}
                builder.op(op, *sorted(sources), module=path, kind="view" if op == "ViewBackward0" else "op")
    chance = random.Random(1)
    for _ in range(recipe["irregular"]):
        builder.op(chance.choice("ABCDE"), max(0, len(builder.nodes) - chance.randint(1, 3)))
    count = len(builder.nodes)
    for name, users, parameter in recipe["leaves"]:
        builder.leaf(name, *sorted({user % count for user in users}), parameter=parameter)
    for name, requires_grad in recipe["ghosts"]:
        builder.leaf(name, requires_grad=requires_grad)
    for source in recipe["dead_ends"]:
        builder.dead_end(source % count)
    return builder.graph(*sorted({root % count for root in recipe["roots"]}))


def ranks(scene: Scene) -> int:
    """Boxes on the longest path; fails where the arrows make a cycle (those from round to round left out)."""
    following: dict[str, list[str]] = {}
    waiting: Counter[str] = Counter()
    for arrow in scene.arrows:
        if not arrow.again:
            following.setdefault(arrow.source, []).append(arrow.target)
            waiting[arrow.target] += 1
    ready = [box.key for box in scene.boxes if not waiting[box.key]]
    rank = dict.fromkeys(ready, 1)
    for key in ready:
        for target in following.get(key, ()):
            rank[target] = max(rank.get(target, 1), rank[key] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    assert len(ready) == len(scene.boxes), "the arrows make a cycle"
    return max(rank.values(), default=0)


def assert_faithful(graph: Graph, scene: Scene) -> None:
    """What holds for every scene of a graph: all of it is there, and nothing else."""
    boxes = {box.key: box for box in scene.boxes}
    groups = {group.key: group for group in scene.groups}
    assert len(boxes) == len(scene.boxes)
    assert len(groups) == len(scene.groups)
    assert not boxes.keys() & groups.keys()
    assert all(box.group is None or box.group in groups for box in scene.boxes)
    known: set[str | None] = {None}
    for group in scene.groups:
        assert group.parent in known, "frames come before what lies in them"
        known.add(group.key)
    assert {node for box in scene.boxes for node in box.nodes} == {node.id for node in graph.nodes}
    assert all(arrow.source in boxes and arrow.target in boxes for arrow in scene.arrows)
    assert len({(a.source, a.target, a.again) for a in scene.arrows}) == len(scene.arrows)
    assert_edges(graph, scene)
    ranks(scene)


def assert_edges(graph: Graph, scene: Scene) -> None:
    """Every edge is inside a closed box, or counted in the arrow between the boxes of its ends."""
    cells = {node: box for box in scene.boxes if ":" not in box.key for node in box.nodes}
    copies = {(box.key.partition(":")[0], node): box for box in scene.boxes if ":" in box.key for node in box.nodes}
    members = {box.key: set(box.nodes) for box in scene.boxes}
    drawn: Counter[tuple[str, str]] = Counter()
    for edge in graph.edges:
        source = cells[edge.source]
        is_leaf = graph[edge.target].kind == "leaf"  # drawn beside each operation that uses it
        target = copies.get((source.key, edge.target), source) if is_leaf else cells[edge.target]
        if source.key.startswith("n") or target.key != source.key:  # an operation, in all rounds, has its own name
            drawn[source.key, target.key] += 1
        else:
            assert edge.target in members[source.key]
    told: Counter[tuple[str, str]] = Counter()
    for arrow in scene.arrows:
        told[arrow.source, arrow.target] += arrow.edges
    assert told + Counter() == drawn


def outline(part: Part, opened: Opened | None = None) -> list[Any]:
    """A part as nested lists: a module's path, a repeat's rounds or a section's title, then the children."""
    head: Any = {"module": part.path, "repeat": part.times, "section": part.title, "view": "views"}[part.kind]
    children: Iterable[Any] = part.children if opened is None else opened.get(part, ())
    return [head, *(outline(child, opened) if isinstance(child, Part) else child for child in children)]


def all_parts(top: Part) -> list[Part]:
    """Every part of a tree, parents first."""
    found = [top]
    for part in found:
        found += parts_of(part.children)
    return found
