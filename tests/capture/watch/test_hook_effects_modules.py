"""Effects of the hooks of modules, and of torch's own way to step an optimizer during a backward."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.modules import module as torch_module

import gradviz
from gradviz.graph import HookKind
from gradviz.recording import HookEffect, Watched
from tests.capture.watch.test_hook_effects import effects, same

Register = tuple[Any, str]  # looked up when it is used, as the user's code does


class Double(nn.Module):
    """Its gradient is twice what arrives."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


MODEL = Double()
# Kind, how it is registered, and what is given to it of [1, 1] at the output, [2, 2] at the input.
KINDS: tuple[tuple[HookKind, Register, float], ...] = (
    ("module_backward", (MODEL, "register_full_backward_hook"), 2),
    ("module_backward_pre", (MODEL, "register_full_backward_pre_hook"), 1),
    ("module_backward_legacy", (MODEL, "register_backward_hook"), 2),
    ("module_backward", (torch_module, "register_module_full_backward_hook"), 2),
    ("module_backward_pre", (torch_module, "register_module_full_backward_pre_hook"), 1),
    ("module_backward_legacy", (torch_module, "register_module_backward_hook"), 2),
)


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    MODEL._is_full_backward_hook = None
    torch_module._global_is_full_backward_hook = None
    for one in (MODEL._backward_hooks, MODEL._backward_pre_hooks):
        assert not one
    assert not torch_module._global_backward_hooks
    assert not torch_module._global_backward_pre_hooks


def step(register: Register, act: Callable[..., Any], *, inside: bool) -> tuple[Watched, torch.Tensor, str | None]:
    """A step of the model with a hook registered, inside the watch or before it."""
    a = torch.ones(2, requires_grad=True)
    error = None
    if not inside:
        handle = getattr(*register)(act)
    with gradviz.watch(MODEL, names={"a": a}) as watched:
        if inside:
            handle = getattr(*register)(act)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Using .*non-full backward hook")
            loss = (MODEL(a)).sum()
        try:
            loss.backward()
        except ValueError as caught:
            error = str(caught)
    handle.remove()
    return watched, a, error


def nothing(*_: Any) -> None:
    pass


def replaces(_: Any, given: Any, *__: Any) -> Any:
    return tuple(None if one is None else one * 3 for one in given)


def in_place(_: Any, given: Any, *__: Any) -> None:
    given[0].mul_(5)


def raises(*_: Any) -> None:
    raise ValueError("no")


@pytest.mark.parametrize("inside", [False, True], ids=["before", "inside"])
@pytest.mark.parametrize("act", [nothing, replaces, in_place, raises], ids=lambda act: act.__name__)
@pytest.mark.parametrize(("kind", "register", "given"), KINDS)
def test_every_kind(kind: HookKind, register: Register, given: float, act: Any, inside: bool) -> None:
    if act is in_place and kind == "module_backward_pre":
        pytest.skip("the gradient of sum() is expanded, torch refuses to change it in place")
    watched, a, error = step(register, act, inside=inside)
    (effect,) = effects(watched)
    assert (effect.hook.kind, effect.hook.owner, effect.hook.name) == (kind, "", act.__name__)
    legacy = kind == "module_backward_legacy"
    factor = {nothing: 1, replaces: 3, in_place: 5, raises: 1}[act]
    rest = (None,) if legacy else ()  # the factor 2 of x * 2 gets no gradient
    assert same(effect.before, given, *rest)
    assert same(effect.after, given * factor, *rest)
    assert (effect.replaced, effect.in_place, effect.removed) == (act is replaces, act is in_place, False)
    assert effect.error == ("ValueError: no" if act is raises else None)
    assert error == ("no" if act is raises else None)
    assert (effect.registered is None) != inside
    assert a.grad is None if act is raises else a.grad.tolist() == [2 * factor, 2 * factor]
    assert watched.recording is not None
    (record,) = watched.recording.hooks
    assert (record.registered, record.fired) == (effect.registered, 1)
    assert record.hook.name == act.__name__


@pytest.mark.parametrize("register", [one[1] for one in KINDS])
def test_every_kind_removes_itself(register: Register) -> None:
    handles: list[Any] = []

    def once(*_: Any) -> None:
        handles[0].remove()

    a = torch.ones(2, requires_grad=True)
    with gradviz.watch(MODEL) as watched, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Using .*non-full backward hook")
        handles.append(getattr(*register)(once))
        MODEL(a).sum().backward()
    (effect,) = effects(watched)
    assert effect.removed
    assert a.grad.tolist() == [2, 2]


def test_no_input_needs_a_gradient() -> None:
    model = nn.Linear(1, 1, bias=False)
    seen: list[Any] = []
    model.register_full_backward_hook(lambda *given: seen.append(given[1]))
    with gradviz.watch(model) as watched, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Full backward hook is firing")
        model(torch.ones(2, 1)).sum().backward()
    (effect,) = effects(watched)
    assert seen == [(None,)]
    assert (effect.hook.kind, effect.before, effect.after) == ("module_backward", (None,), (None,))


def test_one_function_on_two_modules_and_twice() -> None:
    first, second = Double(), Double()
    model = nn.Sequential(first, second)
    handles = [one.register_full_backward_hook(replaces) for one in (first, first, second)]
    a = torch.ones(2, requires_grad=True)
    with gradviz.watch(model) as watched:
        model(a).sum().backward()
    assert [one.hook.owner for one in effects(watched)] == ["1", "0", "0"]
    assert same(tuple(one.after[0] for one in effects(watched)), 6, 36, 108)
    assert a.grad.tolist() == [108, 108]
    assert [len(one._backward_hooks) for one in (first, second)] == [2, 1]
    assert all(hook is replaces for one in (first, second) for hook in one._backward_hooks.values())
    for handle in handles:
        handle.remove()


def test_an_optimizer_in_backward() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript, which the package still imports
        from torch.distributed.optim import _apply_optimizer_in_backward
    model = nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(1)
    with gradviz.watch(model) as watched:
        _apply_optimizer_in_backward(torch.optim.SGD, model.parameters(), {"lr": 0.5})
        model(torch.ones(1, 1)).sum().backward()
    assert model.weight.tolist() == [[0.5]]
    found: list[HookEffect] = [one for one in effects(watched) if one.hook.kind == "optimizer_in_backward"]
    (effect,) = found
    assert effect.before[0] is not None
    assert effect.before[0].norm == 1
    assert effect.after == (None,)
    assert effect.returned_none
