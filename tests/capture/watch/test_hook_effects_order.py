"""Effects beyond one hook: order, branches, retained gradients, runs inside runs, threads, and what is never seen."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from typing import Any

import pytest
import torch
from torch.autograd.graph import register_multi_grad_hook
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import gradviz
from tests.capture.watch.test_hook_effects import effects, same


def ones() -> torch.Tensor:
    return torch.ones(2, requires_grad=True)


def test_hooks_and_nodes_have_one_order() -> None:
    a = ones()
    with gradviz.watch() as watched:
        b = a * 2
        b.retain_grad()
        b.register_hook(lambda g: g + 1)
        b.grad_fn.register_prehook(lambda _: None)
        b.grad_fn.register_hook(lambda *_: None)
        b.sum().backward()
    assert watched.recording is not None
    assert watched.recording.backwards[0].executed == ("n0", "n1", "n2")
    found = effects(watched)
    assert [(one.hook.kind, one.started) for one in found] == [
        ("tensor", 1),
        ("retain_grad", 1),
        ("node_pre", 2),
        ("node_post", 2),
    ]
    assert all(one.node == one.hook.owner == "n1" for one in found)
    assert same(found[1].before, 2)
    assert same(found[1].after, 2)
    assert b.grad.tolist() == [2, 2]


def test_a_retained_gradient_is_added_to() -> None:
    a = ones()
    b = a * 2
    b.retain_grad()
    loss = (b * 3).sum()
    with gradviz.watch() as watched:
        loss.backward(retain_graph=True)
        loss.backward()
    assert b.grad.tolist() == [6, 6]
    assert [len(effects(watched, run)) for run in (0, 1)] == [1, 1]
    assert same(effects(watched, 0)[0].after, 3)
    assert same(effects(watched, 1)[0].before, 3)
    assert same(effects(watched, 1)[0].after, 6)
    assert watched.recording is not None
    assert [record.fired for record in watched.recording.hooks] == [2]


def test_autograd_grad_captures_behind_hooks_and_retains() -> None:
    a = ones()
    with gradviz.watch() as watched:
        b = a * 2
        b.retain_grad()
        b.register_hook(lambda g: g * 5)
        (gradient,) = torch.autograd.grad((b * 3).sum(), [b])
    assert gradient.tolist() == [15, 15]
    assert [one.hook.kind for one in effects(watched)] == ["tensor", "retain_grad"]
    assert same(effects(watched)[0].after, 15)
    assert same(effects(watched)[1].after, 15)


def test_a_change_in_place_reaches_the_sibling() -> None:
    a = ones()
    with gradviz.watch() as watched:
        b, d = a * 2, a * 3
        s = (b + d) * 1
        d.register_hook(lambda _: None)
        d.register_hook(change)
        s.sum().backward()
    assert a.grad.tolist() == [500, 500]
    plain, changed = effects(watched)
    assert (plain.in_place, plain.reached) == (False, ())
    assert (changed.in_place, changed.replaced, changed.returned_none) == (True, False, True)
    assert same(changed.before, 1)
    assert same(changed.after, 100)
    graph = watched.graph
    sibling = [node.id for node in graph.nodes if node.op == "MulBackward0" and node.id != changed.node]
    parents = {edge.target for edge in graph.edges if graph[edge.source].op == "AddBackward0"}
    assert set(changed.reached) == parents - {changed.node}
    assert changed.reached[0] in sibling


def change(gradient: torch.Tensor) -> None:
    gradient.mul_(100)


def test_a_change_in_place_reaches_through_sums_of_sums() -> None:
    a, b, c = ones(), ones(), ones()
    names = {"a": a, "b": b, "c": c}
    a.register_hook(change)
    loss = (((a + b) + c) * 1).sum()
    with gradviz.watch(names=names) as watched:
        loss.backward()
    (effect,) = effects(watched)
    inner = next(edge.target for edge in watched.graph.edges if edge.source == "n2" and edge.source_slot == 0)
    others = {watched.graph.leaf(name).node for name in ("b", "c")}
    assert set(effect.reached) == {inner, *others}
    assert all(watched.graph[node].op == "AddBackward0" for node in ("n2", inner))


def test_a_value_of_its_own_reaches_nobody() -> None:
    a = ones()
    with gradviz.watch() as watched:
        d = a * 3
        d.register_hook(change)
        (a * 2 + d * 2).sum().backward()
    (effect,) = effects(watched)
    assert effect.in_place
    assert effect.reached == ()


def test_a_change_that_torch_does_not_count() -> None:
    a = ones()
    a.register_hook(behind_torch)
    with gradviz.watch() as watched:
        (a * 2).sum().backward()
    (effect,) = effects(watched)
    assert a.grad.tolist() == [10, 10]
    assert (effect.in_place, effect.replaced) == (True, False)
    assert same(effect.after, 10)


def behind_torch(gradient: torch.Tensor) -> None:
    gradient.data.mul_(5)


def test_nan_is_no_change() -> None:
    a = ones()
    a.register_hook(lambda _: None)
    with gradviz.watch() as watched:
        (a * torch.tensor([float("nan"), 1.0])).sum().backward()
    (effect,) = effects(watched)
    assert not effect.in_place


def test_a_hook_of_a_dropped_tensor() -> None:
    a = ones()
    with gradviz.watch() as watched:
        loss = dropped(a).sum()
        gc.collect()
        loss.backward()
    assert a.grad.tolist() == [14, 14]
    (effect,) = effects(watched)
    assert (effect.hook.kind, effect.hook.name) == ("tensor", "seven_times")
    assert effect.registered is not None
    assert effect.registered.function == "dropped"


def dropped(a: torch.Tensor) -> torch.Tensor:
    b = a + 0
    b.register_hook(seven_times)
    return b * 2


def seven_times(gradient: torch.Tensor) -> torch.Tensor:
    return gradient * 7


def test_a_multi_grad_hook_of_two_tensors_is_one_hook() -> None:
    a, b = ones(), ones()
    with gradviz.watch(names={"a": a, "b": b}) as watched:
        register_multi_grad_hook((a, b), lambda _: None)
        (a * 2 + b * 3).sum().backward()
    (effect,) = effects(watched)
    assert (effect.hook.kind, effect.hook.owner) == ("multi_grad", "a")
    assert same(effect.before, 2, 3)
    assert watched.recording is not None
    (record,) = watched.recording.hooks
    assert record == (effect.hook, effect.registered, 1)
    assert [event.kind for event in watched.recording.events if hasattr(event, "owner")] == ["multi_grad"]


def test_the_same_function_twice() -> None:
    a = ones()
    a.register_hook(seven_times)
    a.register_hook(seven_times)
    with gradviz.watch() as watched:
        a.sum().backward()
    assert [one.after[0].largest for one in effects(watched) if one.after[0]] == [7, 49]
    assert list(a._backward_hooks.values()) == [seven_times, seven_times]


def test_a_hook_removes_another() -> None:
    a = ones()
    handles: list[Any] = []
    a.register_hook(lambda _: handles[0].remove())
    handles.append(a.register_hook(seven_times))
    with gradviz.watch() as watched:
        a.sum().backward()
    assert a.grad.tolist() == [7, 7]  # the engine had read the dictionary by then
    assert [one.removed for one in effects(watched)] == [False, False]
    assert len(a._backward_hooks) == 1


def test_a_backward_inside_a_hook() -> None:
    a = ones()

    def inner(_: torch.Tensor) -> None:
        if not nested:
            nested.append(True)
            with torch.enable_grad():
                (a * 10).sum().backward()

    nested: list[bool] = []
    a.register_hook(inner)
    with gradviz.watch(names={"a": a}) as watched:
        (a * 2).sum().backward()
    assert a.grad.tolist() == [12, 12]
    assert watched.recording is not None
    assert [run.nested for run in watched.recording.backwards] == [False, True]
    (outer,), (within,) = effects(watched, 0), effects(watched, 1)
    assert same(outer.before, 2)
    assert same(within.before, 10)
    assert outer.hook == within.hook
    assert list(a._backward_hooks.values()) == [inner]


def test_watches_in_watches() -> None:
    a = ones()
    a.register_hook(seven_times)
    with gradviz.watch() as outer, gradviz.watch() as inner:
        a.sum().backward()
    assert effects(outer) == effects(inner)
    assert len(effects(outer)) == 1
    assert list(a._backward_hooks.values()) == [seven_times]


def test_another_thread_over_the_same_leaf_is_not_recorded() -> None:
    a = ones()
    calls: list[int] = []

    def hook(_: torch.Tensor) -> None:
        calls.append(threading.get_ident())
        if len(calls) == 1:
            thread = threading.Thread(target=lambda: (a * 9).sum().backward())
            thread.start()
            thread.join()

    a.register_hook(hook)
    with gradviz.watch() as watched:
        (a * 2).sum().backward()
    assert len(set(calls)) == 2
    (effect,) = effects(watched)
    assert same(effect.before, 2)
    assert a.grad.tolist() == [11, 11]


def test_two_watched_threads_share_a_leaf() -> None:
    a = ones()
    a.register_hook(seven_times)
    meet = threading.Barrier(2, timeout=20)
    found: list[Any] = [None, None]

    def meeting(_: torch.Tensor) -> None:
        meet.wait()

    def step(number: int) -> None:
        with gradviz.watch() as watched:
            b = a * (number + 1)
            b.register_hook(meeting)  # both runs have begun here
            b.sum().backward()
        found[number] = effects(watched)

    threads = [threading.Thread(target=step, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(2):
        assert [one.hook.name.rpartition(".")[2] for one in found[number]] == ["meeting", "seven_times"]
        assert same(found[number][1].before, number + 1)
    assert list(a._backward_hooks.values()) == [seven_times]
    assert a.grad.tolist() == [21, 21]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_no_exception_passes_through(error: type[BaseException]) -> None:
    def stop(_: torch.Tensor) -> None:
        raise error

    a = ones()
    a.register_hook(stop)
    with gradviz.watch() as watched, pytest.raises(error):
        a.sum().backward()
    assert effects(watched)[0].error == f"{error.__name__}: "
    assert list(a._backward_hooks.values()) == [stop]


def test_torch_quotes_the_users_name() -> None:
    def resizes(gradient: torch.Tensor) -> torch.Tensor:
        return gradient[:1]

    a = ones()
    a.register_hook(resizes)
    with gradviz.watch(), pytest.raises(RuntimeError, match="hook 'resizes' has changed the size of value"):
        a.sum().backward()


class Seen(TorchFunctionMode):
    """Counts what a mode of the user's sees."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.functions.append(func)
        return func(*args, **(kwargs or {}))


class Dispatched(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.functions: list[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.functions.append(func)
        return func(*args, **(kwargs or {}))


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph:UserWarning")
@pytest.mark.parametrize("mode", [Seen, Dispatched])
def test_measuring_is_seen_by_no_mode_and_no_counter(mode: Any) -> None:
    def run() -> tuple[list[Any], list[int]]:
        a = ones()
        versions: list[int] = []
        a.register_hook(seven_times)
        a.register_post_accumulate_grad_hook(lambda p: versions.append(p.grad._version))
        b = a * 2
        b.register_hook(lambda g: versions.append(g._version))
        b.retain_grad()
        loss = b.sum()
        with mode() as seen:
            torch.autograd.backward(loss, create_graph=True)
            a.grad = None  # it refers to itself now
        versions.append(torch._C._autograd._get_sequence_nr() - loss.grad_fn._sequence_nr())
        return seen.functions, versions

    plain = run()
    with gradviz.watch():
        watched = run()
    assert watched == plain


def nothing(*_: Any) -> None:
    pass


def test_nothing_is_held_by_the_watch() -> None:
    class Held:
        pass

    with gradviz.watch() as watched:
        held = Held()
        alive = weakref.ref(held)
        a = ones()
        b = a * 2
        b.register_hook(functools.partial(nothing, held))
        loss = b.sum()
        loss.backward()
        gradient = weakref.ref(a.grad)
        del held, a, b, loss
        assert alive() is None
        assert gradient() is None
    assert len(effects(watched)) == 1
