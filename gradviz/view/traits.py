"""What the traits of a view take: everything else is refused with a reason, whether Python or a browser sets it."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from typing import Any

import traitlets

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.accepted import THEMES, require_height, require_one_of

COLORS = ("role", "module", "device", "dtype", "saved", "gradient")
HIGHLIGHTS = ("upstream", "downstream", "both", "between")
_FOLDS = ("open", "closed", "unrolled")


class RefusedError(GradvizError, traitlets.TraitError):
    """A value that a view does not take. A TraitError too: on one, traitlets leaves every trait as it was."""


def take_nodes(graph: Graph, ids: Iterable[Any], trait: str) -> list[str]:
    """Ids of nodes of this graph."""
    taken = list(ids)
    for each in taken:
        if not isinstance(each, str) or each not in graph:
            raise RefusedError(
                f"There is no node with the id {each!r}",
                f"{trait} holds ids of this graph's nodes, such as 'n0'",
                "for the names of leaves use view.select(name) or view.highlight_path(name)",
            )
    return taken


def take_folds(known: Container[object], folds: dict[Any, Any]) -> dict[str, str]:
    """States of parts, by keys that are known."""
    for key, state in folds.items():
        if key not in known or state not in _FOLDS:
            raise RefusedError(
                f"folds cannot hold {key!r}: {state!r}",
                "it holds the viewer's own keys, each open, closed or unrolled",
                "use view.fold(path) and view.unfold(path)",
            )
    return folds


def take_highlight(graph: Graph, value: Any) -> dict[str, Any] | None:
    """None, or a kind of highlight with ids of nodes: two for between, else at least one."""
    if value is None:
        return None
    kind, ids = (value.get("kind"), value.get("ids")) if isinstance(value, dict) else (None, None)
    fits = isinstance(value, dict) and set(value) == {"kind", "ids"} and kind in HIGHLIGHTS
    fits = fits and isinstance(ids, list | tuple)
    if not fits or not ids or (kind == "between" and len(ids) != 2):
        raise RefusedError(
            f"highlight={value!r} is not understood",
            f"it has a kind ({', '.join(HIGHLIGHTS)}) and ids, two of them for between",
            "write {'kind': 'downstream', 'ids': ['n3']}, or use view.highlight_path(name)",
        )
    return {"kind": kind, "ids": take_nodes(graph, ids, "highlight")}


def take_step(steps: int, step: int | None) -> int | None:
    """None, or a number of nodes that have run."""
    if step is not None and (isinstance(step, bool) or not 0 <= step <= steps):
        raise RefusedError(
            f"step={step} is not possible",
            f"this backward runs {steps} nodes",
            f"use 0 to {steps}, or None to leave the steps",
        )
    return step


def take_setting(name: str, value: Any) -> Any:
    """A value of ``color_by``, ``theme`` or ``height``."""
    choices: dict[str, Collection[str]] = {"color_by": COLORS, "theme": THEMES}
    try:
        if name == "height":
            require_height(value)
        else:
            require_one_of(name, value, choices[name], "it is none of those that a view has")
    except GradvizError as error:
        raise RefusedError(error.what, error.why, error.remedy) from None
    return value
