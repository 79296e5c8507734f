"""Hooks on tensors that were gone before the watch began: said to be unseen, or found by a dry run."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import gradviz
from gradviz.graph import Hook
from gradviz.recording import HookRecord
from tests.capture.watch.test_hook_effects import effects


def seven_times(gradient: torch.Tensor) -> torch.Tensor:
    return gradient * 7


def before_node(_: Any) -> None:
    pass


def built() -> tuple[torch.Tensor, torch.Tensor]:
    a = torch.ones(2, requires_grad=True)
    b = a + 0  # nobody saves it
    b.register_hook(seven_times)
    loss = (b * 2).sum()
    loss.grad_fn.register_prehook(before_node)
    return a, loss


def test_the_watch_says_that_they_cannot_be_seen() -> None:
    a, loss = built()
    with gradviz.watch() as watched:
        loss.backward()
    assert a.grad.tolist() == [14, 14]
    assert [one.hook.name for one in effects(watched)] == ["before_node"]
    assert watched.recording is not None
    assert [note for note in watched.recording.notes if "observe='dead hooks'" in note]


def test_none_is_missing_where_the_forward_was_watched() -> None:
    with gradviz.watch() as watched:
        _, loss = built()
        loss.backward()
    assert watched.recording is not None
    assert watched.recording.notes == ()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what torch._dynamo loads
def test_a_dry_run_finds_them() -> None:
    a, loss = built()
    with gradviz.watch(observe="dead hooks") as watched:
        loss.backward(retain_graph=True)
        assert a.grad.tolist() == [14, 14]
    where = f"tests/capture/watch/test_hook_effects_dead.py:{seven_times.__code__.co_firstlineno}"
    assert watched.recording is not None
    assert HookRecord(Hook("tensor", "n2", "seven_times", where), None, 1) in watched.recording.hooks
    assert [record.hook.name for record in watched.recording.hooks] == ["before_node", "seven_times"]
    assert [one.hook.name for one in effects(watched)] == ["before_node"]
    assert [size.norm for size in effects(watched)[0].before if size] == [1]
    assert [gradient.node for gradient in watched.recording.backwards[0].gradients] == ["n0", "n1", "n2", "n3"]
    assert len(watched.recording.notes) == 1
    loss.backward()
    assert a.grad.tolist() == [28, 28]
