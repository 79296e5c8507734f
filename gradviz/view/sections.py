"""Cuts a stretch that neither modules nor repeats shorten into consecutive sections, and those again if they are many."""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.view.part import Child, Part, parts_of, start_of, stop_of


def cut(parent: Part, children: Sequence[Child], weights: Sequence[int], most: int, branches: int) -> list[Child]:
    """The children, wrapped in sections of about equal weight.

    Args:
        parent: the part that the sections lie in.
        children: what is cut, in order.
        weights: how many boxes each child takes.
        most: the weight that a section may have (a single child may weigh more).
        branches: how many sections may stand side by side; more are gathered into larger ones.
    """
    sections = [_section(parent, list(children[a:b])) for a, b in _groups(weights, most)]
    while len(sections) > branches:
        groups = _groups([1] * len(sections), branches)
        sections = [_section(parent, list(sections[a:b])) for a, b in groups]
    _name(sections, f"{parent.key}.", "section ")
    return list(sections)


def _groups(loads: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Consecutive ranges of about equal load, none much above ``most``."""
    total = sum(loads)
    count = -(-total // most)
    groups: list[tuple[int, int]] = []
    begin = load = 0
    for place, weight in enumerate(loads):
        # a group ends where its middle child would pass the even share of all groups so far
        if place > begin and (load + weight / 2) * count > total * (len(groups) + 1):
            groups.append((begin, place))
            begin = place
        load += weight
    groups.append((begin, len(loads)))
    return groups


def _section(parent: Part, children: list[Child]) -> Part:
    return Part("section", parent.path, start_of(children[0]), stop_of(children[-1]), children)


def _name(sections: list[Part], key: str, title: str) -> None:
    """Number the sections, and those inside them: section 2 of 9 holds sections 2.1, 2.2, …"""
    waiting = [(sections, key, title)]
    while waiting:
        sections, key, title = waiting.pop()
        for number, section in enumerate(sections, 1):
            section.key, section.title = f"{key}{number}", f"{title}{number} of {len(sections)}"
            inner = [child for child in parts_of(section.children) if not child.key]
            waiting.append((inner, f"{section.key}.", f"{title}{number}."))
