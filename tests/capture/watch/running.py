"""Runs a program, with a watch or without, to its end or to an interruption, and tells everything that it left."""

from __future__ import annotations

import gc
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from gradviz import watch
from gradviz.recording import Watched
from tests.capture.watch.plain import plain, thing_facts, torch_state
from tests.capture.watch.programs.program import Program

Watching = Callable[[Program], AbstractContextManager[Any]]

WATCHES: dict[str, Watching] = {
    "for ever": lambda program: watch(*program.given, steps=None),
    "three steps": lambda program: watch(*program.given),
    "nothing given": lambda _: watch(steps=None, observe="*"),
}


def unwatched(_: Program) -> AbstractContextManager[Any]:
    return nullcontext()


class Stop(Exception):  # noqa: N818  # it stands for whatever the user's code may raise
    """Ends a block from within."""


class Outcome(NamedTuple):
    """What is the same with and without a watch (``facts``), and what the watch gave."""

    facts: dict[str, Any]
    watched: Watched | None


class Counting(TorchFunctionMode):
    """Counts calls of torch, keeps weak references to the tensors they return, and raises at one of them."""

    def __init__(self, stop_at: int | None = None, error: type[BaseException] = Stop) -> None:
        super().__init__()
        self.count, self.stop_at, self.error = 0, stop_at, error
        self.tensors: list[weakref.ref[Tensor]] = []

    def __torch_function__(
        self, func: Any, _: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        self.count += 1
        if self.count == self.stop_at:
            raise self.error("stopped")
        result = func(*args, **(kwargs or {}))
        self.tensors += [weakref.ref(one) for one in tree_leaves(result) if isinstance(one, Tensor)]
        return result


def run(build: Callable[[], Program], watching: Watching = unwatched, steps: int = 20) -> Outcome:
    """``steps`` steps of a new program inside a watch."""
    torch.manual_seed(0)
    program = build()
    number = torch._C._autograd._get_sequence_nr()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with watching(program) as watched:
            results = [plain(program.step()) for _ in range(steps)]
    return Outcome(_facts(program, results, said, number), watched)


def run_and_stop(
    build: Callable[[], Program], error: type[BaseException], call: int, watching: Watching = unwatched
) -> Outcome:
    """The same, left by an error that rises at one of torch's calls."""
    torch.manual_seed(0)
    program = build()
    number = torch._C._autograd._get_sequence_nr()
    results = []
    watched = None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with watching(program) as watched, Counting(call, error):
                while True:
                    results.append(plain(program.step()))
        except error as raised:
            raised.__traceback__ = None
    return Outcome(_facts(program, results, said, number), watched)


def calls_of(build: Callable[[], Program]) -> tuple[int, int]:
    """The number of calls of torch after the first and after the second step of a program."""
    torch.manual_seed(0)
    program = build()
    with warnings.catch_warnings(), Counting() as counting:
        warnings.simplefilter("ignore")
        program.step()
        first = counting.count
        program.step()
    return first, counting.count


def held(build: Callable[[], Program], watching: Watching = unwatched, steps: int = 4) -> tuple[list[int], list[str]]:
    """What lives without the collector's help: how many of the tensors made so far, at the end of each step; and which
    of the user's objects are left after the block, when the program is dropped.
    """
    torch.manual_seed(0)
    program = build()
    with no_collector(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alive = []
        with watching(program) as watched, Counting() as counting:
            for _ in range(steps):
                program.step()
                alive.append(len({id(one()) for one in counting.tensors if one() is not None}))
        things = [weakref.ref(part) for thing in program.given for part in _parts(thing)]
        things += counting.tensors
        del program, counting
        left = [type(thing).__qualname__ for one in things if (thing := one()) is not None]
        del watched
    return alive, left


@contextmanager
def no_collector() -> Iterator[None]:
    """Objects die here only by their reference counts."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _parts(thing: Any) -> list[Any]:
    if isinstance(thing, torch.nn.Module):
        return [*thing.modules(), *thing.parameters(), *thing.buffers()]
    return [thing, *(p for group in thing.param_groups for p in group["params"])]


def _facts(program: Program, results: list[Any], said: Any, number: int) -> dict[str, Any]:
    state = torch_state()
    state["numbers"] -= number  # of new nodes
    return {
        "results": results,
        "things": [thing_facts(thing) for thing in program.given],
        "state": plain(program.state()),
        "torch": state,
        "warnings": [[one.category.__name__, str(one.message)] for one in said],
    }
