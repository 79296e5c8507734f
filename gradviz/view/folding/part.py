"""A part: a stretch of the tape that is drawn as one box or opened into a frame. Parts nest into the fold tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from gradviz.graph import Leaf


class Missing(NamedTuple):
    """A parameter that the graph does not reach, and the path of the innermost module around it that has a part."""

    leaf: Leaf
    home: str


@dataclass(slots=True, eq=False, repr=False)
class Part:
    """A stretch of the tape that can be drawn as one box, or opened into a frame around its children.

    ``start`` and ``stop`` are positions; of a repeat they span all ``times`` rounds, while its children are those
    of the first round, which ends at ``round_stop``. A *view* part is a chain of views, always closed. ``path`` is
    the path of the module; of a repeat, that of the module that its first round consists of, or that it lies in.
    ``names`` of a repeat are the module paths in its first and in its last round. ``closed`` parts may not be
    opened. ``ghosts`` are parameters of the module that the graph does not reach. ``title`` is that of a section;
    other parts are named by their paths. Equal parts have equal ``token``. ``others`` of a repeat are its rounds after
    the first, each as one child, where they were kept.
    """

    kind: Literal["module", "repeat", "section", "view"]
    path: str
    start: int
    stop: int = 0
    children: list[Child] = field(default_factory=list)
    key: str = ""
    times: int = 1
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    closed: bool = False
    ghosts: list[Missing] = field(default_factory=list)
    token: int = -1
    title: str = ""
    others: list[Child] = field(default_factory=list)

    @property
    def round_stop(self) -> int:
        """The position after the first round."""
        return self.start + (self.stop - self.start) // self.times


Child: TypeAlias = "int | Part"  # a position of the tape, or a part


def is_single(child: Child) -> bool:
    """Whether a child is one operation, or a chain of views, which is drawn like one."""
    return not isinstance(child, Part) or child.kind == "view"


def start_of(child: Child) -> int:
    """The first position of a child."""
    return child.start if isinstance(child, Part) else child


def stop_of(child: Child) -> int:
    """The position after a child."""
    return child.stop if isinstance(child, Part) else child + 1


def parts_of(children: Sequence[Child]) -> list[Part]:
    """Those of the children that are parts."""
    return [child for child in children if isinstance(child, Part)]
