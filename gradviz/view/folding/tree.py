"""The fold tree: every call of a module as a part, nested by path, and repeats. It says what can be folded.

A module that was called several times has one part per call. No recursion: how deep modules nest is up to user code.
"""

from __future__ import annotations

from collections.abc import Callable

from gradviz.graph import Graph, Leaf
from gradviz.view.folding.part import Child, Missing, Part, parts_of, stop_of
from gradviz.view.folding.rounds import fold_repeats
from gradviz.view.folding.tape import Tape

DEEPEST = 64  # levels of modules; what lies deeper keeps its path but gets no frames of its own


def fold_tree(
    graph: Graph,
    tape: Tape,
    closed: Callable[[str], bool] | None = None,
    *,
    repeats: bool = True,
    views: bool = True,
    rounds: bool = False,
) -> Part:
    """The part that holds everything.

    Args:
        graph: the graph that the tape was read from.
        tape: its operations in order.
        closed: says of a module's path whether it must stay closed. Rounds of a repeat agree in it.
        repeats: whether to look for repeats.
        views: whether to fold chains of views.
        rounds: whether to keep every round of a repeat, and to look for repeats in closed parts too.
    """
    parts, by_path = _calls(graph, tape, closed)
    for leaf in graph.leaves:
        if leaf.node is None:
            home = _home(leaf, by_path)
            home.ghosts.append(Missing(leaf, home.path))
    if views:
        parts += _chains(parts, tape)
    if repeats:
        fold_repeats(parts, tape, dict(graph.modules), everywhere=rounds)
    _number(parts[0])
    return parts[0]


def _calls(graph: Graph, tape: Tape, closed: Callable[[str], bool] | None) -> tuple[list[Part], dict[str, Part]]:
    """Every call of a module as a part, parents before children, and the first part of each path."""
    top = Part("module", "", 0)
    parts, by_path = [top], {"": top}
    stack, names = [top], [""]
    marks: dict[str, bool] = {}
    current: str | None = None
    for position, place in enumerate(tape.nodes):
        path = graph.nodes[place].module
        if path != current:
            current = path
            steps = ["", *path.split(".", DEEPEST)] if path else [""]
            common = 1
            while common < len(steps) and common < len(names) and steps[common] == names[common]:
                common += 1
            for part in stack[common:]:
                part.stop = position
            del stack[common:], names[common:]
            for depth in range(common, len(steps)):
                inner = ".".join(steps[1 : depth + 1])
                if closed is not None and inner not in marks:
                    marks[inner] = closed(inner)
                part = Part("module", inner, position, closed=marks.get(inner, False))
                stack[-1].children.append(part)
                stack.append(part)
                names.append(steps[depth])
                parts.append(part)
                by_path.setdefault(inner, part)
        stack[-1].children.append(position)
    for part in stack:
        part.stop = len(tape.nodes)
    return parts, by_path


def _chains(parts: list[Part], tape: Tape) -> list[Part]:
    """Replace the chains of views among the children of these parts by parts, which are returned."""
    found: list[Part] = []
    for part in parts if tape.chains else ():
        children: list[Child] = []
        for child in part.children:
            if isinstance(child, int) and child in tape.chains:
                stop = tape.chains[child]
                chain = Part("view", part.path, child, stop, [*range(child, stop)], closed=True)
                found.append(chain)
                children.append(chain)
            elif isinstance(child, Part) or not children or stop_of(children[-1]) <= child:
                children.append(child)
        part.children = children
    return found


def _home(leaf: Leaf, by_path: dict[str, Part]) -> Part:
    """The innermost part whose module holds the leaf."""
    steps = (leaf.name or "").split(".")[:-1]
    for depth in range(min(len(steps), DEEPEST), 0, -1):
        part = by_path.get(".".join(steps[:depth]))
        if part is not None:
            return part
    return by_path[""]


def _number(top: Part) -> None:
    """Give every part its key, parents before children."""
    waiting, count = [top], 0
    while waiting:
        part = waiting.pop()
        part.key = f"g{count}"
        count += 1
        waiting += reversed(parts_of(part.children))
