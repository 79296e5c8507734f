"""Reads what a user asks for with ``fold=`` and settles what is open, also when a renderer asks for less."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple, TypeAlias

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.folding.measure import Opened, count_boxes
from gradviz.view.folding.opening import Budget, open_all, open_within
from gradviz.view.folding.part import Part
from gradviz.view.folding.tape import Tape
from gradviz.view.folding.tree import fold_tree

Fold: TypeAlias = "Literal['auto'] | int | Iterable[str] | Callable[[str], bool] | None"

READABLE = Budget(boxes=150, lines=145)  # about two screens
SMALL = 40  # nodes of a graph that is drawn in full
_REMEDY = (
    "use 'auto', None (fold nothing), a depth such as 2, a list of patterns such as ['encoder.*'], "
    "or a function of a module's path"
)


class Choice(NamedTuple):
    """What is open. ``in_full``: nothing is folded, so also every leaf and dead end gets a box of its own."""

    top: Part
    opened: Opened
    in_full: bool
    notes: tuple[str, ...] = ()


def choose(graph: Graph, tape: Tape, fold: Fold, closer: int, *, views: bool = True, rounds: bool = False) -> Choice:
    """Settle what is open.

    Args:
        graph: the graph that the tape was read from.
        tape: its operations in order.
        fold: see ``compose``.
        closer: how many steps to close beyond that; each step leaves at most two fifths of the boxes.
        views: whether to fold chains of views where anything is folded.
        rounds: whether to keep every round of a repeat.
    """
    if not _is_count(closer):
        raise GradvizError(f"closer={closer!r} is not a number of steps", "it counts 0, 1, 2, …", "pass a whole number")
    closed, notes = _rule(fold)
    automatic = isinstance(fold, str)  # any other text has just been refused
    in_full = fold is None or (automatic and len(graph.nodes) <= SMALL)
    top = fold_tree(graph, tape, closed, repeats=not in_full, views=views and not in_full, rounds=rounds)
    opened = open_within(top, tape, READABLE) if automatic and not in_full else open_all(top)
    if closer and in_full:
        top = fold_tree(graph, tape, views=views)
    for _ in range(closer):
        boxes = min(count_boxes(opened, tape) * 2 // 5, 4 * READABLE.boxes)
        lines = READABLE.lines if boxes <= READABLE.boxes else sys.maxsize
        opened = open_within(top, tape, Budget(boxes, lines)) if boxes > 2 else {}
    return Choice(top, opened, in_full and not closer, tuple(notes()))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _rule(fold: Any) -> tuple[Callable[[str], bool] | None, Callable[[], list[str]]]:
    """Whether a module's path must stay closed, and what to say when all paths have been asked for."""
    if fold is None or (isinstance(fold, str) and fold == "auto"):
        return None, list
    if isinstance(fold, str):
        raise GradvizError(
            f"fold={fold!r} is one text", "only 'auto' has a meaning of its own", f"write fold=[{fold!r}]"
        )
    if _is_count(fold):
        return lambda path: path.count(".") >= fold, list
    if callable(fold):
        return lambda path: bool(fold(path)), list
    patterns = list(fold) if isinstance(fold, Iterable) else [fold]
    if isinstance(fold, bytes) or not all(isinstance(pattern, str) for pattern in patterns):
        raise GradvizError(f"fold={fold!r} cannot be understood", "it says which modules are drawn closed", _REMEDY)
    matched: set[str] = set()

    def closed(path: str) -> bool:
        found = [pattern for pattern in patterns if fnmatchcase(path, pattern)]
        matched.update(found)
        return bool(found)

    return closed, lambda: [
        f"No module in this graph matches {p!r}." for p in dict.fromkeys(patterns) if p not in matched
    ]
