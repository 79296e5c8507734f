"""Times contestants against each other: in turns, each time on something new.

On a shared machine only what ran within the same second can be compared, so every round measures every contestant and
results are ratios within a round. The order changes from round to round. The clock counts the time of this process
alone, not what other programs take from the core meanwhile. Before each measurement all garbage is collected, so that
nobody pays for what another left behind; during it the collector works as it does for users.
"""

from __future__ import annotations

import gc
import multiprocessing
import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from benchmarks.machine import settle

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Subject = TypeVar("Subject")


def seconds_of(function: Callable[[], Result], clock: Callable[[], float] = time.process_time) -> tuple[float, Result]:
    """How long one call takes, and what it returns. Where child processes work, take ``time.perf_counter`` as clock."""
    gc.collect()
    start = clock()
    result = function()
    return clock() - start, result


def interleave(
    contestants: Mapping[str, Callable[[Subject], Any]], make: Callable[[], Subject], rounds: int
) -> dict[str, list[float]]:
    """Seconds of every contestant in every round, each on a subject of its own that ``make`` built before.

    One more round comes first and is not counted: it fills caches and loads what is loaded late.
    """
    names = list(contestants)
    order = random.Random(0)  # going round in a circle would give everyone the same neighbour each time
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds + 1):
        for name in order.sample(names, len(names)):
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
