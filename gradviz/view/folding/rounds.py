"""Folds equal neighbours in the fold tree into repeats: the blocks of a model, the steps of an unrolled loop.

A repeat is drawn as its first round, the one nearest the loss; position ``p`` of it stands for the positions that lie
whole rounds further on. So its rounds must be equal in truth: in operations, leaf shapes, modules (class, and name up
to its digits) and in how they are wired inside. Other shapes may differ, as they do in a loop over a growing cache.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import partial

from gradviz.view.folding.part import Child, Part, is_single, parts_of, start_of, stop_of
from gradviz.view.folding.repeats import Run, tandem_repeats
from gradviz.view.folding.tape import Tape

WORTH = 6  # a repeat must save that many operations, or chains of views
_EFFORT = 64  # comparisons per position, before the search gives up on a hostile graph
_DIGITS = re.compile(r"\d+")


def fold_repeats(parts: list[Part], tape: Tape, classes: dict[str, str], *, everywhere: bool = False) -> None:
    """Replace runs of equal children by repeats, everywhere in the tree.

    Args:
        parts: all parts, parents before children, the top first; changed in place.
        tape: the operations in order.
        classes: class name by module path.
        everywhere: keep the other rounds of each repeat, and look for repeats in them and in closed parts too.
    """
    _name_equals(parts, tape, classes)
    ghosts = any(part.ghosts for part in parts)
    judge = _Judge(tape)
    waiting = parts[:1]
    while waiting:
        part = waiting.pop()
        if part.closed and not everywhere:
            continue
        children = part.children
        tokens = [child.token if isinstance(child, Part) else tape.tokens[child] for child in children]
        folded: list[Child] = []
        done = 0
        for run in tandem_repeats(tokens, partial(judge.rounds, children)):
            folded += children[done : run.start]
            repeat = _repeat(part, children, run, ghosts)
            if everywhere:
                repeat.others = _others(part, children, run)
                waiting += parts_of(repeat.others)
            folded.append(repeat)
            done = run.start + run.period * run.rounds
        if done:
            part.children = folded + children[done:]
        waiting += parts_of(part.children)


def _name_equals(parts: list[Part], tape: Tape, classes: dict[str, str]) -> None:
    """Give equal parts equal tokens: equal children, wired in the same way, in modules of the same class and name."""
    numbers: dict[Hashable, int] = {}
    leaving: dict[Part, list[tuple[int, int]]] = {}
    for part in reversed(parts[1:]):
        start, stop = part.start, part.stop
        wiring, further, tokens = [], [], []
        for child in part.children:
            if isinstance(child, Part):
                tokens.append(child.token)
                ways = leaving.pop(child)
            else:
                tokens.append(tape.tokens[child])
                ways = [(child, way) for way in tape.out[child] if way >= 0]
            for way in ways:
                if start <= way[1] < stop:
                    wiring.append((way[0] - start, way[1] - start))
                else:
                    further.append(way)
        name = _DIGITS.sub("#", part.path.rpartition(".")[2])
        key = (part.kind, classes.get(part.path), name, part.closed, tuple(tokens), tuple(wiring))
        part.token = ~numbers.setdefault(key, len(numbers))
        leaving[part] = further


class _Judge:
    """Judges runs: how many rounds are equal in truth, and whether folding them is worth it."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.left = _EFFORT * len(tape.nodes)

    def rounds(self, children: list[Child], run: Run) -> int:
        """How many rounds of this run to fold."""
        first = children[run.start : run.start + run.period]
        start, stop = start_of(first[0]), stop_of(first[-1])
        modules = not all(map(is_single, first))
        size = stop - start if modules else run.period  # a chain of views is one box, as an operation is
        rounds = run.rounds if modules and run.period == 1 else self._alike(start, stop - start, run.rounds)
        enough = rounds >= (2 if modules else 3) and (rounds - 1) * size >= WORTH
        return rounds if enough else 0

    def _alike(self, start: int, length: int, rounds: int) -> int:
        """How many rounds from the first on have its inner edges."""
        out, stop = self.tape.out, start + length
        for number in range(1, rounds):
            shift = number * length
            if self.left < 0:
                return number
            self.left -= length
            for position in range(start, stop):
                for way, other in zip(out[position], out[position + shift], strict=True):
                    if way >= 0 and (other - way != shift if start <= way < stop else start <= other - shift < stop):
                        return number
        return rounds


def _repeat(parent: Part, children: list[Child], run: Run, ghosts: bool) -> Part:
    stop = run.start + run.period * run.rounds
    first, last = children[run.start : run.start + run.period], children[stop - run.period : stop]
    if ghosts:
        for place in range(run.start + run.period, stop):
            _hand_over_ghosts(children[place], first[(place - run.start) % run.period])
    repeat = Part("repeat", parent.path, start_of(first[0]), stop_of(last[-1]), first, times=run.rounds)
    repeat.names = (_names(first), _names(last))
    only = first[0]
    if run.period == 1 and isinstance(only, Part) and only.kind == "module":  # its frame and that of the repeat are one
        repeat.path, repeat.children, repeat.ghosts, repeat.closed = only.path, only.children, only.ghosts, only.closed
    return repeat


def _others(parent: Part, children: list[Child], run: Run) -> list[Child]:
    """The rounds of a run after the first: each a child as it is, or a section of several."""
    rounds: list[Child] = []
    for number in range(2, run.rounds + 1):
        begin = run.start + (number - 1) * run.period
        inside = children[begin : begin + run.period]
        if run.period == 1:
            rounds += inside
        else:
            rounds.append(round_section(parent.path, inside, number, run.rounds))
    return rounds


def round_section(path: str, children: list[Child], number: int, rounds: int) -> Part:
    """One round of several children, by itself, in the module at ``path``; the first is nearest the loss."""
    part = Part("section", path, start_of(children[0]), stop_of(children[-1]), children)
    part.title = f"round {number:,} of {rounds:,}"
    return part


def _names(children: list[Child]) -> tuple[str, ...]:
    return tuple(part.path for part in parts_of(children) if not is_single(part))


def _hand_over_ghosts(child: Child, other: Child) -> None:
    """Give the ghosts of a part to the equal part that is drawn in its place."""
    pairs = [(child, other)]
    while pairs:
        child, other = pairs.pop()
        if isinstance(child, Part) and isinstance(other, Part):
            other.ghosts += child.ghosts
            pairs += zip(child.children, other.children, strict=False)
