"""Writes the box of whatever is drawn as one: an operation, a chain of views or a closed part."""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.view.folding.leaves import leaves_inside
from gradviz.view.folding.part import Child, Part
from gradviz.view.labels import boxes
from gradviz.view.labels.closed import closed
from gradviz.view.labels.particulars import Particulars
from gradviz.view.scene import Box


def cell(facts: Particulars, child: Child, positions: Sequence[int], path: str, group: str | None) -> Box:
    """The box of a child, which stands for these positions, its own first, in the frame of the module at ``path``."""
    if not isinstance(child, Part):
        return boxes.operation(facts, positions, group)
    if child.kind == "view":
        return boxes.chain(facts, child, positions, group)
    return closed(facts, child, positions, leaves_inside(facts.tape, positions), path, group)
