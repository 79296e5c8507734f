"""Registrations: events of every way to register a hook, and the list of all hooks with how often they fired."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge, register_multi_grad_hook
from torch.nn.modules import module as torch_module

import gradviz
from gradviz.recording import HookRecord, HookRegistered, Source, Watched


def hook(*_: Any) -> None:
    pass


@pytest.fixture(autouse=True)
def _no_global_hooks() -> Iterator[None]:
    yield
    torch_module._global_is_full_backward_hook = None
    assert not torch_module._global_backward_hooks
    assert not torch_module._global_backward_pre_hooks


def registered(watched: Watched) -> list[HookRegistered]:
    assert watched.recording is not None
    return [event for event in watched.recording.events if isinstance(event, HookRegistered)]


def told(watched: Watched) -> list[tuple[str, str, str]]:
    return [(event.kind, event.owner, event.name) for event in registered(watched)]


def records(watched: Watched) -> tuple[HookRecord, ...]:
    assert watched.recording is not None
    return watched.recording.hooks


def test_every_way_to_register_on_tensors_and_nodes() -> None:
    w = torch.ones(2, requires_grad=True)
    with gradviz.watch(names={"w": w}) as watched:
        y = w * 2
        w.register_hook(hook)
        y.register_hook(hook)
        y.retain_grad()
        y.retain_grad()  # torch does nothing the second time
        w.retain_grad()  # nor for a leaf
        w.register_post_accumulate_grad_hook(hook)
        y.grad_fn.register_prehook(hook)
        y.grad_fn.register_hook(hook)
        register_multi_grad_hook((w, y), hook)
        register_multi_grad_hook((w, y), hook, mode="any")
        y.sum().backward()
    assert told(watched) == [
        ("tensor", "w", "hook"),
        ("tensor", "y", "hook"),
        ("retain_grad", "y", "retain_grad"),
        ("post_accumulate", "w", "hook"),
        ("node_pre", "n1", "hook"),
        ("node_post", "n1", "hook"),
        ("multi_grad", "w", "hook"),
        ("multi_grad", "w", "hook"),
    ]
    first = test_every_way_to_register_on_tensors_and_nodes.__code__.co_firstlineno
    assert registered(watched)[0].where == Source(
        "tests/capture/watch/test_registrations.py", first + 4, "test_every_way_to_register_on_tensors_and_nodes"
    )
    assert [event.where.line - first for event in registered(watched) if event.where] == [4, 5, 6, 9, 10, 11, 12, 13]
    assert [(one.hook.kind, one.hook.owner, one.fired) for one in records(watched)] == [
        ("tensor", "w", 1),
        ("tensor", "n1", 1),
        ("retain_grad", "n1", 1),
        ("post_accumulate", "w", 1),
        ("node_pre", "n1", 1),
        ("node_post", "n1", 1),
        ("multi_grad", "w", 1),
        ("multi_grad", "w", 1),
    ]
    assert [one.registered for one in records(watched)] == [event.where for event in registered(watched)]


def test_every_way_to_register_on_modules() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1), nn.Linear(1, 1))
    stranger = nn.Linear(1, 1)
    with gradviz.watch(model) as watched:
        handles = [
            model[0].register_full_backward_hook(hook),
            model[1].register_full_backward_pre_hook(hook),
            model[2].register_backward_hook(hook),
            stranger.register_full_backward_hook(hook),
            torch_module.register_module_full_backward_hook(hook),
            torch_module.register_module_full_backward_pre_hook(hook),
        ]
        for handle in handles[4:]:
            handle.remove()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Using .*non-full backward hook")
            model(torch.ones(1, 1, requires_grad=True)).sum().backward()
    assert told(watched)[:3] == [
        ("module_backward", "0", "hook"),
        ("module_backward_pre", "1", "hook"),
        ("module_backward_legacy", "2", "hook"),
    ]
    assert told(watched)[4:] == [
        ("module_backward", "every module", "hook"),
        ("module_backward_pre", "every module", "hook"),
    ]
    assert [one.fired for one in records(watched)] == [1, 1, 1, 0, 0, 0]


def test_what_was_there_before_has_no_line() -> None:
    w, idle = (torch.ones(2, requires_grad=True) for _ in range(2))
    w.register_hook(hook)
    idle.register_hook(hook)
    with gradviz.watch(names={"w": w, "idle": idle}) as watched:
        w.sum().backward()
        w.sum().backward()
    assert told(watched) == []
    assert [(one.hook.owner, one.registered, one.fired) for one in records(watched)] == [("w", None, 2)]


def test_one_line_in_a_loop_is_one_hook() -> None:
    w = torch.ones(2, requires_grad=True)
    with gradviz.watch() as watched:
        for _ in range(3):
            y = w * 2
            y.register_hook(hook)
            y.sum().backward()
    assert told(watched) == [("tensor", "y", "hook")] * 3
    assert [(one.hook.owner, one.fired) for one in records(watched)] == [("n1", 3)]


def test_a_hook_on_a_node_that_never_runs() -> None:
    w = torch.ones(2, requires_grad=True)
    with gradviz.watch() as watched:
        (w * 2).grad_fn.register_prehook(hook)
    assert told(watched) == [("unknown", "a node", "hook")]
    assert [one.fired for one in records(watched)] == [0]


def test_registering_still_works_as_ever() -> None:
    w = torch.ones(2, requires_grad=True)
    node = get_gradient_edge(w).node
    with gradviz.watch():
        handle = node.register_hook(hook)
        assert list(handle.hooks_dict_ref().values()) == [hook]
        handle.remove()
        assert not handle.hooks_dict_ref()
        with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
            torch.ones(2).register_hook(hook)
    assert "_register_hook" not in vars(torch.autograd.Function)


def test_dictionaries_of_hooks_do_not_outlive_their_graph() -> None:
    w = torch.ones(2, requires_grad=True)
    with gradviz.watch() as watched:
        for _ in range(3):
            handle = (w * 2).register_hook(hook)
            assert handle.hooks_dict_ref() is None
        w.sum().backward()
    assert [one.fired for one in records(watched)] == [0]
