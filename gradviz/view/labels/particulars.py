"""What labels and tooltips look up: the graph with everything that they need by key, worked out once per scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from gradviz.graph import DeadEnd, Graph, Hook, Leaf, Node
from gradviz.view.folding.part import Part, parts_of
from gradviz.view.folding.tape import Tape
from gradviz.view.labels.flow import Flow
from gradviz.view.shown import Shown

Detail = Literal["brief", "normal", "full"]
ORDINARY = ("not given", "a number")  # how the reasons begin why an argument gets no gradient that nobody expects to


class Particulars(NamedTuple):
    """The graph, how much to say of it, and what is usual in it.

    Args:
        graph: the graph.
        tape: its operations in order.
        detail: how much labels say.
        in_full: whether nothing is folded.
        hover: whether tooltips are written; they are left empty otherwise.
        classes: class name by module path.
        module_hooks: by module path.
        dtype: the most common dtype.
        devices: every device, the most common first.
        flow: what a backward did, empty where none was watched.
    """

    graph: Graph
    tape: Tape
    detail: Detail
    in_full: bool
    hover: bool
    classes: dict[str, str]
    module_hooks: dict[str, list[Hook]]
    dtype: str
    devices: list[str]
    flow: Flow

    def node(self, position: int) -> Node:
        """The node at a position of the tape."""
        return self.graph.nodes[self.tape.nodes[position]]

    def nodes(self, positions: Iterable[int]) -> list[Node]:
        """The nodes at these positions."""
        nodes, order = self.graph.nodes, self.tape.nodes
        return [nodes[order[position]] for position in positions]

    def dead_ends(self, positions: Iterable[int]) -> list[DeadEnd]:
        """The dead ends of these positions."""
        known = self.tape.dead_ends
        return [end for position in positions for end in known.get(position, ())] if known else []

    def telling_ends(self, positions: Iterable[int]) -> list[DeadEnd]:
        """The dead ends of these positions that a label tells: not those of numbers, or where nothing was given."""
        return [end for end in self.dead_ends(positions) if not (end.why or "").startswith(ORDINARY)]

    def hooks_of_leaf(self, place: int) -> list[Hook]:
        """The hooks of a leaf and of its node, by node index, each once."""
        leaf = self.tape.leaves.get(place)
        return list(dict.fromkeys((*self.graph.nodes[place].hooks, *(leaf.hooks if leaf else ()))))

    def hooks_of_modules(self, positions: Iterable[int], depth: int) -> list[Hook]:
        """The hooks of the modules that these positions lie in, but for modules less than ``depth`` levels deep."""
        if not self.module_hooks:
            return []
        paths: dict[str, None] = {}
        for innermost in dict.fromkeys(self.node(position).module or "" for position in positions):
            path = innermost
            while path and path not in paths and path.count(".") >= depth:
                paths[path] = None
                path = path.rpartition(".")[0]
        return [hook for path in paths for hook in self.module_hooks.get(path, ())]

    def hooks_without_place(self) -> list[Hook]:
        """The hooks of the model itself, of every module, and of modules in which this graph has no operation."""
        if not self.module_hooks:
            return []
        placed = set(self.hooks_of_modules(range(len(self.tape.nodes)), 0))
        return [hook for hook in self.graph.hooks if hook not in placed]


def look_up(shown: Shown, tape: Tape, detail: Detail, *, in_full: bool, hover: bool = True) -> Particulars:
    """Work out what labels look up."""
    graph = shown.graph
    dtypes: Counter[str] = Counter()
    devices: Counter[str] = Counter()
    for node in graph.nodes:
        for slot in node.slots:
            dtypes[slot.dtype] += 1
            devices[slot.device] += 1
    hooks: dict[str, list[Hook]] = {}
    for hook in graph.hooks:
        hooks.setdefault(hook.owner, []).append(hook)
    usual = next(iter(ranked(dtypes)), "")
    classes, flow = dict(graph.modules), Flow(shown)
    return Particulars(graph, tape, detail, in_full, hover, classes, hooks, usual, ranked(devices), flow)


def ranked(counts: Counter[str]) -> list[str]:
    """The counted texts, the most common first, equally common ones by name."""
    return sorted(counts, key=lambda text: (-counts[text], text))


def ghosts_inside(part: Part) -> list[Leaf]:
    """The parameters of a part's modules that the graph does not reach."""
    ghosts: list[Leaf] = []
    waiting = [part]
    while waiting:
        part = waiting.pop()
        ghosts += [missing.leaf for missing in part.ghosts]
        waiting += reversed(parts_of(part.children))
    return ghosts


def saved_inside(nodes: Iterable[Node]) -> tuple[int, int]:
    """How many storages these nodes have saved, and their bytes; one that is shared counts once."""
    held = {item.storage: item.bytes or 0 for node in nodes for item in node.saved if item.storage is not None}
    return len(held), sum(held.values())


def depth_of(path: str) -> int:
    """How many modules deep a path is, 0 for the top."""
    return path.count(".") + 1 if path else 0
