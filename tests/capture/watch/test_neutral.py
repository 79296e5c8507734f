"""Watching changes nothing: what a program computes, and leaves, is bit for bit the same with and without a watch."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.capture.watch.plain import differences, installed, torch_state
from tests.capture.watch.programs.catalogue import PROGRAMS
from tests.capture.watch.programs.program import Program
from tests.capture.watch.running import WATCHES, Outcome, Stop, Watching, calls_of, held, run, run_and_stop

every_program = pytest.mark.parametrize("build", PROGRAMS.values(), ids=PROGRAMS)
every_watch = pytest.mark.parametrize("watching", WATCHES.values(), ids=WATCHES)


@cache
def plain_run(build: Callable[[], Program]) -> Outcome:
    run(build, steps=2)  # torch warns of some things once in a process
    return run(build)


@every_program
def test_a_program_repeats_itself(build: Callable[[], Program]) -> None:
    plain = plain_run(build)
    assert differences(run(build).facts, plain.facts) == []


@every_watch
@every_program
def test_twenty_steps_are_the_same(build: Callable[[], Program], watching: Watching) -> None:
    plain = plain_run(build)
    watched = run(build, watching)
    assert differences(watched.facts, plain.facts) == []
    assert watched.watched is not None
    assert watched.watched.recording is not None
    assert watched.watched.graphs


@pytest.mark.parametrize(("part", "error"), [(0.1, Stop), (0.5, KeyboardInterrupt), (0.9, Stop)])
@every_program
def test_a_block_that_is_left_in_its_second_step_leaves_the_same(
    build: Callable[[], Program], part: float, error: type[BaseException]
) -> None:
    first, second = calls_of(build)
    call = first + 1 + int(part * (second - first))
    plain = run_and_stop(build, error, call)
    before = installed()
    watched = run_and_stop(build, error, call, WATCHES["for ever"])
    after = installed()
    assert differences(watched.facts, plain.facts) == []
    assert [key for key, value in before.items() if after.get(key) != value] == []
    assert watched.watched is not None
    assert watched.watched.recording is not None
    last = watched.watched.recording.events[-1]
    assert (type(last).__name__, last.type, last.ended) == ("ExceptionRaised", error.__name__, True)


@every_program
def test_nothing_stays_installed(build: Callable[[], Program]) -> None:
    run(build, WATCHES["for ever"], steps=2)  # torch loads some of its modules when they are used
    before, state = installed(), torch_state()
    run(build, WATCHES["for ever"], steps=2)
    after = installed()
    assert [key for key, value in before.items() if after.get(key) != value] == []
    assert sorted(after.keys() - before.keys()) == []
    assert _without_numbers(torch_state()) == _without_numbers(state)


@every_watch
@every_program
def test_nothing_is_held(build: Callable[[], Program], watching: Watching) -> None:
    held(build)  # fills what torch keeps by itself
    assert held(build, watching) == held(build)


def test_a_watch_and_its_parts_die_with_the_block() -> None:
    def living() -> list[str]:
        return sorted(type(one).__qualname__ for one in gc.get_objects() if type(one).__module__ in _OWN)

    gc.collect()
    before = living()
    gc.disable()
    try:
        run(PROGRAMS["user_hooks"], WATCHES["for ever"], steps=3)
        assert living() == before
    finally:
        gc.enable()


_OWN = [f"gradviz.capture.{name}" for name in ("watch", "session", "calls", "run", "backwards", "origins", "known")]


def _without_numbers(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in {"numbers", "random"}}
