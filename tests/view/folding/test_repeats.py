from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.view.folding.repeats import LONG, Run, tandem_repeats


def everything(run: Run) -> int:
    return run.rounds


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", []),
        ("a", []),
        ("abc", []),
        ("aa", [Run(0, 1, 2)]),
        ("xaaay", [Run(1, 1, 3)]),
        ("ababab", [Run(0, 2, 3)]),
        ("abcabx", []),
        ("aabaab", [Run(0, 3, 2)]),
        ("aaaabaaaabaaaab", [Run(0, 5, 3)]),
        ("xababababy", [Run(1, 2, 4)]),
        ("aabb", [Run(0, 1, 2), Run(2, 1, 2)]),
        ("abababa", [Run(0, 2, 3)]),
    ],
)
def test_the_longest_run_wins_and_then_the_shortest_period(text: str, runs: list[Run]) -> None:
    assert tandem_repeats([ord(letter) for letter in text], everything) == runs


def test_a_run_that_is_not_accepted_gives_way_to_the_next() -> None:
    tokens = [ord(letter) for letter in "aaaabaaaab"]
    assert tandem_repeats(tokens, lambda run: run.rounds if run.rounds > 2 else 0) == [Run(0, 1, 4), Run(5, 1, 4)]


def test_fewer_rounds_may_be_accepted() -> None:
    assert tandem_repeats([7] * 10, lambda run: min(run.rounds, 4)) == [Run(0, 1, 4), Run(4, 1, 4), Run(8, 1, 2)]


@pytest.mark.parametrize("period", [1, 2, 17, 500])
def test_steps_of_a_long_loop_are_found(period: int) -> None:
    rounds = 4 * LONG // period
    tokens = [-1, -2, *(number % period for number in range(period * rounds)), -3]
    assert tandem_repeats(tokens, everything) == [Run(2, period, rounds)]


def test_a_long_sequence_without_repeats_has_none() -> None:
    chance = random.Random(0)
    tokens = [chance.randrange(1000) for _ in range(4 * LONG)]
    assert tandem_repeats(tokens, lambda run: run.rounds if run.period * run.rounds > 8 else 0) == []


@given(st.lists(st.integers(0, 3), max_size=60))
def test_runs_are_in_order_and_their_rounds_equal(tokens: list[int]) -> None:
    end = 0
    for start, period, rounds in tandem_repeats(tokens, everything):
        assert start >= end
        assert rounds >= 2
        end = start + period * rounds
        assert end <= len(tokens)
        assert tokens[start:end] == tokens[start : start + period] * rounds


@given(st.lists(st.integers(0, 3), max_size=40))
def test_no_repeat_is_left_between_runs(tokens: list[int]) -> None:
    ends = [0, *(run.start + run.period * run.rounds for run in tandem_repeats(tokens, everything))]
    starts = [*(run.start for run in tandem_repeats(tokens, everything)), len(tokens)]
    for end, start in zip(ends, starts, strict=True):
        rest = tokens[end:start]
        for place in range(len(rest)):
            for period in range(1, (len(rest) - place) // 2 + 1):
                assert rest[place : place + period] != rest[place + period : place + 2 * period]
