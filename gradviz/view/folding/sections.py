"""Cuts a stretch that neither modules nor repeats shorten into sections: a short one nearest the loss, then even ones.

The first is short so that it can be opened, and shows operations, however long the stretch is. A section that is still
too long is cut again when it is opened.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.view.folding.part import Child, Part, is_single, start_of, stop_of


def cut_loose(parent: Part, children: Sequence[Child], weights: Sequence[int], first: int, most: int) -> list[Child]:
    """The children, with long stretches of single operations wrapped in sections; parts stay as they are.

    Arguments are those of ``cut``; ``most`` holds for each stretch. The first section is very short, to leave room for
    the parts; where there are none, nothing is wrapped.
    """
    if all(map(is_single, children)):
        return list(children)
    ranges: list[tuple[int, int]] = []
    begin = 0
    for place in range(len(children) + 1):
        if place == len(children) or not is_single(children[place]):
            if sum(weights[begin:place]) * 2 > first:
                ranges += _ranges(weights, begin, place, first if ranges else first // 3, first, most)
            begin = place + 1
    return _wrapped(parent, children, ranges)


def cut(parent: Part, children: Sequence[Child], weights: Sequence[int], first: int, most: int) -> list[Child]:
    """The children, all wrapped in sections.

    Args:
        parent: the part that the sections lie in.
        children: what is cut, in order.
        weights: how many boxes each child takes.
        first: the weight of the first section; the others weigh more only where ``most`` demands it.
        most: how many sections there may be, at least 2.
    """
    return _wrapped(parent, children, _ranges(weights, 0, len(children), first, first, most))


def _ranges(
    weights: Sequence[int], begin: int, end: int, first: int, following: int, most: int
) -> list[tuple[int, int]]:
    """A range of the weight ``first``, and then even ones of about ``following``, or more where they are too many."""
    head = begin + _head(weights[begin:end], first)
    rest = weights[head:end]
    pieces = min(most - 1, -(-sum(rest) // following))
    return [(begin, head), *((head + a, head + b) for a, b in (_even(rest, pieces) if rest else ()))]


def _wrapped(parent: Part, children: Sequence[Child], ranges: list[tuple[int, int]]) -> list[Child]:
    stem = f"{parent.title.partition(' of ')[0]}." if parent.kind == "section" else "section "
    result: list[Child] = []
    done = 0
    for number, (begin, end) in enumerate(ranges, 1):
        inside = list(children[begin:end])
        section = Part("section", parent.path, start_of(inside[0]), stop_of(inside[-1]), inside)
        section.key, section.title = f"{parent.key}.{number}", f"{stem}{number} of {len(ranges)}"
        result += [*children[done:begin], section]
        done = end
    return [*result, *children[done:]]


def _head(weights: Sequence[int], most: int) -> int:
    """How many items weigh at most so much together; at least one."""
    load = 0
    for place, weight in enumerate(weights):
        load += weight
        if load > most and place:
            return place
    return len(weights)


def _even(weights: Sequence[int], pieces: int) -> list[tuple[int, int]]:
    """Consecutive ranges of about equal weight."""
    total = sum(weights)
    groups: list[tuple[int, int]] = []
    begin = load = 0
    for place, weight in enumerate(weights):
        # a group ends where the middle of the next item would pass the even share of all groups so far
        if place > begin and (load + weight / 2) * pieces > total * (len(groups) + 1):
            groups.append((begin, place))
            begin = place
        load += weight
    return [*groups, (begin, len(weights))]
