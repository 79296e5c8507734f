"""Code of the user's does not run in a trace: subclasses, modes, modules and objects that count what they are asked.

Two things cannot be avoided: a subclass that says its own sizes, device or layout through ``__torch_dispatch__`` is
asked for them, and containers are iterated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from gradviz.capture.trace import trace
from gradviz.errors import GradvizError
from tests.capture.live import trace_here
from tests.capture.zoo.sample import leaf, linear

calls: list[str] = []


@pytest.fixture(autouse=True)
def _no_calls() -> Iterator[None]:
    calls.clear()
    yield
    calls.clear()


class Counting(torch.Tensor):
    """Counts what reaches ``__torch_function__``."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        calls.append(f"function {function}")
        return super().__torch_function__(function, types, args, kwargs or {})


class Raising(torch.Tensor):
    """Refuses everything."""

    @classmethod
    def __torch_function__(cls, *_: Any, **__: Any) -> Any:
        raise AssertionError("__torch_function__ was run")


class Dispatching(torch.Tensor):
    """Wraps a tensor and counts what reaches ``__torch_dispatch__``; with ``says`` it tells its own metadata there."""

    @staticmethod
    def __new__(cls, inner: torch.Tensor, says: bool = False, requires_grad: bool = False) -> Dispatching:
        policy = {"dispatch_sizes_strides_policy": "sizes", "dispatch_device": True, "dispatch_layout": True}
        made = torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, dtype=inner.dtype, requires_grad=requires_grad, **(policy if says else {})
        )
        made.inner, made.says = inner, says
        return made

    @classmethod
    def __torch_dispatch__(cls, function: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        calls.append(str(function))
        wrapped = [one for one in args if isinstance(one, Dispatching)]
        plain = [one.inner if isinstance(one, Dispatching) else one for one in args]
        result = function(*plain, **(kwargs or {}))
        return Dispatching(result, wrapped[0].says) if isinstance(result, torch.Tensor) else result


class FunctionMode(TorchFunctionMode):
    def __torch_function__(self, function: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        calls.append(f"function {function}")
        return function(*args, **(kwargs or {}))


class DispatchMode(TorchDispatchMode):
    def __torch_dispatch__(self, function: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        calls.append(str(function))
        return function(*args, **(kwargs or {}))


MAKE_LEAF: dict[str, Callable[[], torch.Tensor]] = {
    "__torch_function__": lambda: torch.randn(3).as_subclass(Counting).requires_grad_(),
    "__torch_dispatch__": lambda: Dispatching(torch.randn(3), requires_grad=True),
}


@pytest.mark.parametrize("hooks", ["found", "all"])
@pytest.mark.parametrize("make", MAKE_LEAF.values(), ids=MAKE_LEAF)
def test_a_subclass_is_not_asked(make: Callable[[], torch.Tensor], hooks: Any) -> None:
    w = make()
    loss = (w * w).exp()
    loss.retain_grad()
    outputs = {"loss": loss, "leaf": w, "passed by": w.detach()}
    calls.clear()
    graph = trace_here(outputs, hooks=hooks, names={"given": w})
    assert calls == []
    assert graph.leaf("given").meta.shape == (3,)
    assert [root.kind for root in graph.roots] == ["tensor", "leaf"]


def test_a_subclass_that_says_its_own_metadata_is_asked_for_nothing_else() -> None:
    w = Dispatching(torch.randn(3), says=True, requires_grad=True)
    loss = (w * w).exp()
    calls.clear()
    graph = trace_here(loss)
    assert graph.leaf("w").meta.shape == (3,)
    assert set(calls) == {"aten.sym_size.default", "prim.device.default", "prim.layout.default"}


@pytest.mark.parametrize("hooks", ["found", "all"])
@pytest.mark.parametrize("mode", [FunctionMode, DispatchMode])
def test_an_active_mode_sees_nothing(mode: Callable[[], Any], hooks: Any) -> None:
    model, w = linear(), leaf(2, 4)
    loss = model(w).exp().sum()
    expected = trace_here([loss, w], model=model, hooks=hooks)
    with mode():
        graph = trace_here([loss, w], model=model, hooks=hooks)
        assert calls == []
    assert graph == expected


def test_a_subclass_that_refuses_everything() -> None:
    with torch._C.DisableTorchFunctionSubclass():
        w = torch.randn(3).as_subclass(Raising).requires_grad_()
        loss = (w * w).exp()
    graph = trace({"loss": loss, "w": w})
    assert len(graph.nodes) == 3
    with pytest.raises(GradvizError, match="no backward graph"), torch._C.DisableTorchFunctionSubclass():
        trace(w.detach())


class Forwarding(nn.Module):
    """Takes unknown attributes from the module that it wraps, as many wrappers do."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        calls.append(name)
        return super().__getattr__(name)

    def __len__(self) -> int:
        calls.append("len")
        return 0

    def __eq__(self, other: object) -> bool:
        calls.append("eq")
        return NotImplemented

    __hash__ = nn.Module.__hash__


def test_modules_with_methods_of_their_own() -> None:
    model = Forwarding(Forwarding(linear(4, 2)))
    output = vars(model)["_modules"]["inner"]._modules["inner"](leaf(1, 4))
    calls.clear()
    expected = {"inner.inner.weight", "inner.inner.bias"}
    graph = trace(output, model=model, hooks="all")
    assert expected <= {found.name for found in graph.leaves}
    assert expected <= {found.name for found in trace_here(output).leaves}
    assert calls == []


class Watched:
    """An object among the variables, in a list and on a ctx, that counts what it is asked."""

    def __getattribute__(self, name: str) -> Any:
        calls.append(name)
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        calls.append("eq")
        return False

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, gradient: Any) -> Any:
        return gradient


class KeepsWatched(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.kept, ctx.listed = Watched(), [Watched()]
        return x * 2

    @staticmethod
    def backward(_: Any, gradient: Any) -> Any:
        return gradient * 2


def test_objects_of_the_users_own() -> None:
    watched = Watched()
    several, by_name, self = [watched], {"a": watched}, watched
    w = leaf(3)
    w.register_hook(Watched())
    with torch.autograd.graph.saved_tensors_hooks(lambda _: Watched(), Watched()):
        loss = KeepsWatched.apply(w).exp()
    calls.clear()
    graph = trace_here(loss, hooks="all")
    assert calls == []
    assert graph.leaf("w").hooks[0].name == "Watched.__call__"
    assert (len(several), len(by_name)) == (1, 1)
    assert self is watched
