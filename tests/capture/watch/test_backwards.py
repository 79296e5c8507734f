"""Every way into the engine is seen, with its graph; nothing is changed by that, and nothing is held."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor, nn
from torch.autograd import grad as early_grad
from torch.autograd.graph import GradientEdge
from torch.utils.checkpoint import checkpoint

from gradviz import watch
from gradviz.errors import GradvizError
from gradviz.recording import Backward, BackwardRan, Watched


def leaf(value: float = 1.0) -> Tensor:
    return torch.full((4,), value, requires_grad=True)


def backwards(watched: Watched) -> tuple[Backward, ...]:
    assert watched.recording is not None
    assert len(watched.graphs) == len(watched.recording.backwards)
    return watched.recording.backwards


def told(watched: Watched) -> list[tuple[str, bool, int]]:
    """Kind, whether nested, and how many nodes ran, of each."""
    return [(one.kind, one.nested, len(one.executed)) for one in backwards(watched)]


def closure() -> None:
    x = nn.Parameter(torch.ones(4))
    optimizer = torch.optim.SGD([x], 0.1)

    def again() -> Tensor:
        loss = x.sum()
        loss.backward()
        return loss

    optimizer.step(again)


def checkpointed() -> None:
    checkpoint(lambda x: x * 2, leaf(), use_reentrant=True).sum().backward()


WAYS: dict[str, tuple[Callable[[], Any], list[tuple[str, bool, int]]]] = {
    "Tensor.backward": (lambda: leaf().sum().backward(), [("backward", False, 2)]),
    "autograd.backward": (lambda: torch.autograd.backward(leaf().sum()), [("backward", False, 2)]),
    "autograd.grad": (lambda: torch.autograd.grad((x := leaf()).sum(), x), [("grad", False, 1)]),
    "grad imported earlier": (lambda: early_grad((x := leaf()).sum(), x), [("grad", False, 1)]),
    "closure": (closure, [("backward", False, 2)]),
    "reentrant checkpoint": (checkpointed, [("backward", False, 3), ("backward", True, 2)]),
    "torch.func.grad": (lambda: torch.func.grad(lambda x: x.sum())(torch.ones(4)), [("grad", False, 1)]),
    "jacobian": (lambda: torch.autograd.functional.jacobian(torch.sum, torch.ones(4)), [("grad", False, 3)]),
    "a leaf": (lambda: torch.ones((), requires_grad=True).backward(), [("backward", False, 1)]),
    "two losses": (lambda: torch.autograd.backward(((x := leaf()).sum(), x.prod())), [("backward", False, 3)]),
    "batched": (
        lambda: torch.autograd.grad((x := leaf()) * 2, x, torch.ones(3, 4), is_grads_batched=True),
        [("grad", False, 1)],
    ),
    "an edge": (
        lambda: torch.autograd.backward(GradientEdge((leaf() * 2).sum().grad_fn, 0), torch.ones(())),
        [("backward", False, 3)],
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_into_the_engine(way: str) -> None:
    run, expected = WAYS[way]
    with watch(steps=None) as watched:
        run()
    assert told(watched) == expected
    assert all(one.gradients and None not in [found.size for found in one.gradients] for one in backwards(watched))


def test_events_lead_to_backwards_and_back() -> None:
    x = leaf()
    with watch() as watched:
        with pytest.raises(RuntimeError):
            torch.ones(1).backward()
        x.sum().backward()
        checkpointed()
    assert watched.recording is not None
    events = watched.recording.events
    ran = [event for event in events if isinstance(event, BackwardRan)]
    assert [event.backward for event in ran] == [None, 0, 1, 2]
    assert [events[one.event] for one in backwards(watched)] == ran[1:]
    assert {event.where.function for event in ran if event.where} <= {
        "test_events_lead_to_backwards_and_back",
        "checkpointed",
    }


def test_the_line_that_called() -> None:
    with watch() as watched:
        leaf().sum().backward()
        line = test_the_line_that_called.__code__.co_firstlineno + 2
    assert str(backwards(watched)[0].where) == f"tests/capture/watch/test_backwards.py:{line}"


def test_what_requires_no_gradient_is_refused_by_torch_alone() -> None:
    with watch() as watched, pytest.raises(RuntimeError, match="does not require grad"):
        torch.ones(1).backward()
    assert backwards(watched) == ()
    with pytest.raises(GradvizError, match="There is no graph"):
        _ = watched.graph


def test_one_loss_of_two_without_gradient() -> None:
    with watch() as watched, pytest.raises(RuntimeError, match="element 1 of tensors does not require grad"):
        torch.autograd.backward((leaf().sum(), torch.ones(())))
    (one,) = backwards(watched)
    assert one.executed == ()
    assert one.error is not None
    assert one.error.startswith("RuntimeError: element 1 of tensors")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_in_a_hook_goes_on_and_is_told(error: type[BaseException]) -> None:
    x = leaf()
    y = x * 2

    def fail(_: Tensor) -> None:
        raise error("stop")

    y.register_hook(fail)
    with watch() as watched, pytest.raises(error, match="stop"):
        (y * 3).sum().backward()
    (one,) = backwards(watched)
    assert (one.executed, one.error) == (("n0", "n1"), f"{error.__name__}: stop")
    assert x.grad is None


def test_a_second_backward_over_a_freed_graph() -> None:
    x = leaf()
    loss = (x * x).sum()
    with watch() as watched:
        loss.backward()
        with pytest.raises(RuntimeError, match="a second time"):
            loss.backward()
    first, second = backwards(watched)
    assert (first.error, len(first.executed)) == (None, 3)
    assert second.error is not None


def test_equal_backwards_share_one_graph() -> None:
    net = nn.Linear(3, 2)
    with watch(net) as watched:
        for _ in range(3):
            net(torch.ones(1, 3)).sum().backward()
        net(torch.ones(2, 3)).sum().backward()
    first, second, third, other = watched.graphs
    assert first is second is third
    assert other is not first


def test_the_graph_is_that_of_the_last_backward_that_was_not_nested() -> None:
    with watch() as watched:
        checkpointed()
    assert [node.op for node in watched.graph.nodes] == ["SumBackward0", "CheckpointFunctionBackward", "AccumulateGrad"]


class Double(torch.autograd.Function):
    alive: ClassVar[weakref.WeakSet[Any]] = weakref.WeakSet()

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        Double.alive.add(ctx)
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (_,) = ctx.saved_tensors
        return gradient * 2


def run_and_fail(x: Tensor) -> None:
    y = Double.apply(x)
    y.register_hook(lambda _: 1 / 0)
    y.sum().backward()


@pytest.mark.parametrize("observe", [None, "*"])
def test_nothing_is_held_while_the_watch_lasts(observe: str | None) -> None:
    held: list[weakref.ref[Any]] = []
    gc.collect()
    gc.disable()
    try:
        with watch(steps=None, observe=observe):
            x = leaf()
            y = Double.apply(x)
            loss = y.sum()
            loss.backward()
            held += map(weakref.ref, (x, y, loss, x.grad))
            del x, y, loss
            assert [one() for one in held] == [None] * 4
            assert not Double.alive
            x = leaf()
            held = [weakref.ref(x)]
            torch.autograd.grad(Double.apply(x).sum(), x)
            with suppress(ZeroDivisionError):
                run_and_fail(x)
            del x
            assert held[0]() is None
            assert not Double.alive
    finally:
        gc.enable()


def test_saved_tensors_are_freed_as_the_engine_goes() -> None:
    saved: list[weakref.ref[Tensor]] = []
    seen: list[int] = []

    def look(_: Tensor) -> None:
        seen.append(sum(one() is not None for one in saved))

    x = leaf()
    x.register_hook(look)
    with watch():
        y = x
        for _ in range(3):
            factor = torch.full((4,), 2.0)
            saved.append(weakref.ref(factor))
            y = y * factor
            y.register_hook(look)
            del factor
        y.sum().backward()
    assert seen == [3, 2, 1, 0]


def test_the_gradient_is_not_copied_more_than_without_a_watch() -> None:
    """AccumulateGrad takes over a gradient that nobody else holds, instead of copying it."""

    def taken_over() -> bool:
        x, addresses = leaf(), []
        y = x * 2
        y.grad_fn.register_hook(lambda results, _: addresses.append(results[0].data_ptr()))
        y.sum().backward()
        return bool(x.grad is not None and x.grad.data_ptr() == addresses[0])

    plain = taken_over()
    with watch(steps=None):
        assert taken_over() is plain
    with watch(steps=None, observe="*"):
        assert taken_over() is plain


def test_a_deep_graph_can_be_dropped() -> None:
    x = leaf()
    y = x
    for _ in range(60_000):
        y = y * 1.0
    with watch() as watched:
        y.sum().backward()
    del y
    (one,) = backwards(watched)
    assert len(one.executed) == len(one.gradients) == 60_002
    assert {found.size.norm for found in one.gradients[1:] if found.size} == {2.0}


def test_compiled_autograd_is_traced_but_not_observed() -> None:
    compiled_autograd = pytest.importorskip("torch._dynamo.compiled_autograd")
    x = leaf()
    with watch() as watched, compiled_autograd._enable(lambda graph: graph):
        (x * 2).sum().backward()
    (one,) = backwards(watched)
    assert one.gradients == ()
    assert len(watched.graph.nodes) == 3
    assert x.grad is not None
    assert x.grad.tolist() == [2.0] * 4


def test_threads_that_share_leaves_have_their_own_recordings() -> None:
    x, found = leaf(), dict[float, Watched]()
    barrier = threading.Barrier(2, timeout=60)

    def work(factor: float) -> None:
        with watch(steps=None) as watched:
            for _ in range(20):
                loss = (x * factor).sum()
                barrier.wait()
                loss.backward()
        found[factor] = watched

    threads = [threading.Thread(target=partial(work, factor)) for factor in (2.0, 3.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for factor, watched in found.items():
        for one in backwards(watched):
            assert [one.size.norm for one in one.gradients if one.size] == [1.0, 2.0, 2 * factor]
            assert one.executed == ("n0", "n1", "n2")


def test_nested_watches_see_the_same() -> None:
    x = leaf()
    with watch() as outer, watch() as inner:
        (x * 3).sum().backward()
    assert backwards(outer)[0].gradients == backwards(inner)[0].gradients
    assert len(backwards(outer)[0].gradients) == 3
