"""What one run of the engine reaches, as far as the graph tells."""

from __future__ import annotations

from collections.abc import Iterable

from gradviz.capture.cutting.following import Following
from gradviz.capture.cutting.reach import Reach
from gradviz.capture.origins import Origins
from gradviz.capture.run import Run
from gradviz.capture.walk import ACCUMULATE_GRAD, Walk

_NO_FORMULA = "WarnNotImplemented"  # torch gives this node to an operation without derivative: its backward only warns


def reached_leaves(run: Run, reach: Reach) -> int:
    """The leaves that gradients come to; none beyond an operation without a formula."""
    walk, leaves = run.walk, 0
    if walk is None:
        return 0
    for place in _not_beyond(walk, _without_formula(walk)):
        if type(walk.nodes[place]) is ACCUMULATE_GRAD:
            leaves |= reach.leaf(walk.nodes[place].variable)
    return leaves


def mark_unknown_formulas(run: Run, following: Following, origins: Origins) -> int:
    """The bits of cuts at nodes whose backward gives nothing."""
    walk, marked = run.walk, 0
    if walk is None or not (stops := _without_formula(walk)):
        return 0
    made = origins.of(walk)
    for place in stops:
        site = following.ledger.site("no_formula", _NO_FORMULA, made[place].source, None)
        site.times += 1
        marked |= following.ledger.cut(site, following.reach.below(walk.nodes[place]))
    return marked


def _without_formula(walk: Walk) -> list[int]:
    nodes = enumerate(walk.nodes)
    return [place for place, node in nodes if type(node).__name__ == "CppFunction" and _NO_FORMULA in node.name()]


def _not_beyond(walk: Walk, stops: list[int]) -> Iterable[int]:
    """The nodes that are reached without passing ``stops``."""
    if not stops:
        return range(len(walk.nodes))
    seen = {*walk.roots, *stops}
    waiting = [root for root in walk.roots if root not in stops]
    while waiting:
        for target in walk.targets[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen
