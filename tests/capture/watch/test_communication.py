"""What DistributedDataParallel does to gradients: its communication hook, and the reducer that has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gradviz
from gradviz.graph import Hook
from gradviz.recording import HookRegistered
from tests.capture.watch.test_hook_effects import effects

pytestmark = pytest.mark.skipif(not dist.is_available(), reason="torch was built without distributed")


@pytest.fixture
def model() -> Iterator[DistributedDataParallel]:
    own = not dist.is_initialized()  # the zoo may have left its group of one process open
    if own:
        dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    linear = nn.Linear(1, 1)
    nn.init.ones_(linear.weight)
    try:
        yield DistributedDataParallel(linear)
    finally:
        if own:
            dist.destroy_process_group()


def triples(state, bucket):  # type: ignore[no-untyped-def]  # noqa: ARG001  # torch reads annotations
    future: torch.futures.Future[torch.Tensor] = torch.futures.Future()
    future.set_result(bucket.buffer() * 3)
    return future


def line() -> str:
    return f"tests/capture/watch/test_communication.py:{triples.__code__.co_firstlineno}"


@pytest.mark.parametrize("inside", [False, True], ids=["before", "inside"])
def test_a_communication_hook(model: DistributedDataParallel, inside: bool) -> None:
    if not inside:
        model.register_comm_hook(None, triples)
    with gradviz.watch(model) as watched:
        if inside:
            model.register_comm_hook(None, triples)
        model(torch.full((1, 1), 2.0)).sum().backward()
    assert model.module.weight.grad.tolist() == [[6]]
    assert model.module.bias.grad.tolist() == [3]
    hook = Hook("communication", "", "triples", line())
    found = {one.node: one for one in effects(watched)}
    assert all(one.hook == hook for one in found.values())
    weight, bias = (found[watched.graph.leaf(name).node] for name in ("weight", "bias"))
    assert [(one.before[0].norm, one.after[0].norm) for one in (weight, bias)] == [(2, 6), (1, 3)]
    assert (weight.registered is not None) == inside
    assert watched.recording is not None
    (record,) = watched.recording.hooks
    assert record == (hook, weight.registered, 1)
    registered = [event for event in watched.recording.events if isinstance(event, HookRegistered)]
    assert [event.kind for event in registered] == (["communication"] if inside else [])
    assert all(one.started == len(watched.recording.backwards[0].executed) for one in found.values())


def test_a_reducer_without_one_is_an_unknown_hook(model: DistributedDataParallel) -> None:
    with gradviz.watch(model) as watched:
        model(torch.full((1, 1), 2.0)).sum().backward()
    found = effects(watched)
    assert {one.hook for one in found} == {Hook("unknown", "", "DistributedDataParallel", None)}
    assert sorted(one.after[0].norm for one in found) == [1, 2]
    assert model._comm_hooks == []
