"""Gathers parameters that the graph does not reach, so that a frozen backbone is one box and never two hundred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from gradviz.graph import Leaf
from gradviz.view.folding.part import Missing

MOST = 3  # boxes of one role in one frame


class Ghost(NamedTuple):
    """One box for parameters that the graph does not reach. ``title`` is their common name within the frame."""

    role: Literal["frozen", "unreached"]
    title: str
    leaves: tuple[Leaf, ...]


def gather(missing: Sequence[Missing]) -> list[Ghost]:
    """The boxes for the missing parameters of one part: by role, then by the module inside that holds them.

    At most three per role: more are gathered into one, titled by the first and the last.
    """
    ghosts: list[Ghost] = []
    roles: tuple[Literal["frozen", "unreached"], ...] = ("frozen", "unreached")
    for role in roles:
        groups: dict[str, list[Leaf]] = {}
        for leaf, home in missing:
            if leaf.requires_grad == (role == "unreached"):
                groups.setdefault(_head(leaf, home), []).append(leaf)
        if len(groups) > MOST:
            names = list(groups)
            groups = {f"{names[0]} … {names[-1]}": [leaf for group in groups.values() for leaf in group]}
        ghosts += [Ghost(role, title, tuple(group)) for title, group in groups.items()]
    return ghosts


def _head(leaf: Leaf, path: str) -> str:
    """The leaf's name below ``path``, or the first step of it if it lies deeper."""
    if leaf.name is None:
        return "unnamed"
    name = leaf.name
    if path and name.startswith(f"{path}."):
        name = name[len(path) + 1 :]
    head, dot, _ = name.partition(".")
    return head if dot else name
