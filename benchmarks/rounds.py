"""Times contestants against each other: in turns, each time on something new.

On a shared machine only what ran within the same second can be compared, so every round measures every contestant and
results are ratios within a round. The order changes from round to round. Before each measurement all garbage is
collected, so that nobody pays for what another left behind; during it the collector works as it does for users.
"""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from benchmarks.machine import settle

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Subject = TypeVar("Subject")


def seconds_of(function: Callable[[], Any]) -> tuple[float, Any]:
    """How long one call takes, and what it returns."""
    gc.collect()
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def interleave(
    contestants: Mapping[str, Callable[[Subject], Any]], make: Callable[[], Subject], rounds: int
) -> dict[str, list[float]]:
    """Seconds of every contestant in every round, each on a subject of its own that ``make`` built before.

    One more round comes first and is not counted: it fills caches and loads what is loaded late.
    """
    names = list(contestants)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds + 1):
        first = turn % len(names)
        for name in [*names[first:], *names[:first]]:
            subject = make()
            elapsed, result = seconds_of(partial(contestants[name], subject))
            del result, subject
            if turn:
                seconds[name].append(elapsed)
    return seconds


def in_child(function: Callable[Arguments, Result], *arguments: Arguments.args, **keywords: Arguments.kwargs) -> Result:
    """What ``function`` returns in a new, settled process. Its memory starts clean; a crash there is an error here."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context, initializer=settle) as pool:
        return pool.submit(function, *arguments, **keywords).result()
