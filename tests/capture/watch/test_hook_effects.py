"""Hook effects: what each kind of hook was given and what it left, by hand, for everything that a hook can do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.autograd.graph import get_gradient_edge, register_multi_grad_hook

import gradviz
from gradviz.recording import HookEffect, Magnitude, Watched

# Every gradient here is the same number at both of its elements.


def size(value: float, elements: int = 2) -> Magnitude:
    return Magnitude(abs(value) * math.sqrt(elements), abs(value), float(value == 0), 0)


def same(found: tuple[Magnitude | None, ...], *values: float | None) -> bool:
    """Whether sizes are those of gradients with these values, up to the rounding of a norm in float32."""
    return len(found) == len(values) and all(
        one is None if value is None else one is not None and one == pytest.approx(size(value), rel=1e-6)
        for one, value in zip(found, values, strict=True)
    )


def effects(watched: Watched, backward: int = 0) -> tuple[HookEffect, ...]:
    assert watched.recording is not None
    return watched.recording.backwards[backward].effects


def test_the_classic_in_its_true_order() -> None:
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    accumulates = b.grad_fn.next_functions[0][0]
    a.register_hook(lambda g: g * 3)
    accumulates.register_prehook(lambda _: None)
    accumulates.register_hook(lambda *_: None)
    a.register_post_accumulate_grad_hook(lambda _: None)
    with gradviz.watch(names={"a": a}) as watched:
        b.sum().backward()
    assert a.grad.tolist() == [6, 6]
    found = effects(watched)
    assert [(one.hook.kind, one.hook.owner, one.node) for one in found] == [
        ("tensor", "a", "n2"),
        ("node_pre", "n2", "n2"),
        ("post_accumulate", "a", "n2"),
        ("node_post", "n2", "n2"),
    ]
    assert same(found[0].before, 2)
    assert all(same(one.after, 6) for one in found)
    assert all(same(one.before, 6) for one in found[1:])
    assert [one.replaced for one in found] == [True, False, False, False]


# The matrix. The loss is (a * 2).sum(), or (b * 2).sum() with b = a.clone() where a hook stands on b: 2 arrives at it.


def nothing(_: Any) -> None:
    pass


def replaces(gradient: Any) -> Any:
    return gradient * 3


def in_place(gradient: Any) -> None:
    gradient.mul_(5)


def raises(_: Any) -> None:
    raise ValueError("no")


Act = Callable[[Any], Any]
Register = Callable[[torch.Tensor, Act], Any]
ACTS = (nothing, replaces, in_place, raises)


def on_tensor(t: torch.Tensor, act: Act) -> Any:
    return t.register_hook(act)


def on_several_any(t: torch.Tensor, act: Act) -> Any:
    return register_multi_grad_hook((t,), act, mode="any")


def on_several_all(t: torch.Tensor, act: Act) -> Any:
    return register_multi_grad_hook((t,), lambda gradients: act(gradients[0]), mode="all")


def before_node(t: torch.Tensor, act: Act) -> Any:
    def hook(given: Any) -> Any:
        result = act(given[0])
        return None if result is None else (result,)

    return get_gradient_edge(t).node.register_prehook(hook)


def after_node(t: torch.Tensor, act: Act) -> Any:
    def hook(left: Any, _: Any) -> Any:
        result = act(left[0] if left else t.grad)
        return (result,) if left and result is not None else None

    return get_gradient_edge(t).node.register_hook(hook)


def after_accumulation(t: torch.Tensor, act: Act) -> Any:
    def hook(parameter: torch.Tensor) -> None:
        act(parameter.grad)

    return t.register_post_accumulate_grad_hook(hook)


# What may replace: a multi-grad hook's result is not used, nor that of what runs after accumulation.
KINDS: tuple[tuple[str, Register, str, bool], ...] = (
    ("tensor", on_tensor, "leaf", True),
    ("tensor", on_tensor, "other", True),
    ("multi_grad", on_several_any, "leaf", False),
    ("multi_grad", on_several_any, "other", False),
    ("multi_grad", on_several_all, "leaf", False),
    ("multi_grad", on_several_all, "other", False),
    ("node_pre", before_node, "leaf", True),
    ("node_pre", before_node, "other", True),
    ("node_post", after_node, "leaf", False),
    ("node_post", after_node, "other", True),
    ("post_accumulate", after_accumulation, "leaf", False),
)


def graph(where: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A leaf, the tensor on which a hook is to stand, and the loss; 2 arrives at the tensor."""
    a = torch.ones(2, requires_grad=True)
    on = a if where == "leaf" else a.clone()
    return a, on, (on * 2).sum()


def backward(loss: torch.Tensor) -> str | None:
    try:
        loss.backward()
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("inside", [False, True], ids=["before", "inside"])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
@pytest.mark.parametrize(("kind", "register", "where", "replacing"), KINDS)
def test_every_kind(kind: str, register: Register, where: str, replacing: bool, act: Act, inside: bool) -> None:
    a, on, loss = graph(where)
    if not inside:
        register(on, act)
    with gradviz.watch(names={"a": a}) as watched:
        if inside:
            register(on, act)
        error = backward(loss)
    (effect,) = effects(watched)
    assert effect.hook.kind == kind
    node = "n2"
    assert effect.node == node
    assert effect.hook.owner == ("a" if where == "leaf" and kind not in ("node_pre", "node_post") else node)
    assert same(effect.before, 2)
    left = {nothing: 2.0, replaces: 6.0 if replacing else 2.0, in_place: 10.0, raises: 2.0}[act]
    returned = act is replaces and (replacing or kind == "multi_grad")
    assert same(effect.after, left)
    assert effect.replaced == (act is replaces and replacing)
    assert effect.in_place == (act is in_place)
    assert effect.returned_none == (act is not raises and not returned)
    assert effect.removed is False
    assert effect.error == ("ValueError: no" if act is raises else None)
    assert (effect.registered is None) != inside
    assert error == ("no" if act is raises else None)
    assert plain(register, where, act) == (error, None if a.grad is None else a.grad.tolist())
    assert watched.recording is not None
    (record,) = watched.recording.hooks
    assert record == (effect.hook, effect.registered, 1)


def plain(register: Register, where: str, act: Act) -> tuple[str | None, list[float] | None]:
    """The same without a watch."""
    a, on, loss = graph(where)
    register(on, act)
    error = backward(loss)
    return error, None if a.grad is None else a.grad.tolist()


@pytest.mark.parametrize("inside", [False, True], ids=["before", "inside"])
@pytest.mark.parametrize(("kind", "register", "where"), [one[:3] for one in KINDS])
def test_every_kind_removes_itself(kind: str, register: Register, where: str, inside: bool) -> None:
    a, on, loss = graph(where)
    handles: list[Any] = []

    def once(_: Any) -> None:
        handles[0].remove()

    if not inside:
        handles.append(register(on, once))
    with gradviz.watch() as watched:
        if inside:
            handles.append(register(on, once))
        loss.backward(retain_graph=True)
        loss.backward()
    (effect,) = effects(watched)
    assert (effect.hook.kind, effect.removed, effect.returned_none, effect.error) == (kind, True, True, None)
    assert same(effect.before, 2)
    assert same(effect.after, 2)
    assert effects(watched, 1) == ()
    assert a.grad.tolist() == [4, 4]


def test_dictionaries_are_as_before() -> None:
    a, on, loss = graph("other")
    functions = [lambda _, n=n: None if n else added.append(a.register_hook(functions[2])) for n in range(3)]
    added: list[Any] = []
    for function in functions:
        a.register_hook(function)
        on.register_hook(function)
    accumulates = get_gradient_edge(a).node
    accumulates.register_prehook(functions[1])
    post = accumulates.register_hook(lambda *_: None)
    on.retain_grad()
    before = list(a._backward_hooks.items()), list(on._backward_hooks.items()), list(post.hooks_dict_ref().items())
    with gradviz.watch():
        loss.backward()
    assert list(a._backward_hooks.items())[:3] == before[0]
    assert list(a._backward_hooks.values()) == [*functions, functions[2], functions[2]]
    assert all(type(value) is type(functions[0]) for value in a._backward_hooks.values())
    assert list(on._backward_hooks.items()) == before[1]
    assert list(post.hooks_dict_ref().items()) == before[2]
    assert all(one is other for (_, one), (_, other) in zip(before[2], post.hooks_dict_ref().items(), strict=True))
