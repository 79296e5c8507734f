"""Graphs with nodes that are Python: custom Functions, checkpoints, hooks, torch.library operations."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.autograd.function import once_differentiable
from torch.utils.checkpoint import checkpoint

from tests.capture.zoo.sample import Builder, Sample, leaf, linear


class ScaledSum(torch.autograd.Function):
    """Arguments that are no tensors, a tensor without gradient, and a ctx with attributes."""

    @staticmethod
    def forward(ctx: Any, x: Any, factor: float, y: Any, mode: str, mask: Any) -> Any:
        ctx.save_for_backward(x, None, mask)
        ctx.factor, ctx.kept, ctx.pair = factor, y.detach(), [x.detach(), "text"]
        return (x + y) * factor if mode == "sum" else x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, _, mask = ctx.saved_tensors
        return gradient * ctx.factor * mask * x.sign().abs(), None, gradient * ctx.factor, None, None


class NoneGradients(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_non_differentiable(rounded := x.round())
        return x * y, rounded

    @staticmethod
    def backward(_: Any, gradient: Any, __: Any) -> Any:
        return gradient, None


class WithSetup(torch.autograd.Function):
    @staticmethod
    def forward(x: Any, power: int) -> Any:
        return x**power

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.power = inputs[1]
        ctx.save_for_backward(inputs[0], output)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, _ = ctx.saved_tensors
        return gradient * ctx.power * x ** (ctx.power - 1), None


class Once(torch.autograd.Function):
    @staticmethod
    def forward(_: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    @once_differentiable
    def backward(_: Any, gradient: Any) -> Any:
        return gradient * 2


class Variadic(torch.autograd.Function):
    @staticmethod
    def forward(_: Any, scale: float, *tensors: Any) -> Any:
        return sum(tensors) * scale

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return None, *(gradient if need else None for need in ctx.needs_input_grad[1:])


def custom_function() -> Sample:
    return Sample(ScaledSum.apply(leaf(3) * 1, 2.0, leaf(3), "sum", torch.ones(3)).sum())


def custom_function_as_root() -> Sample:
    return Sample(ScaledSum.apply(leaf(3), 2.0, leaf(3), "sum", torch.ones(3)))


def custom_function_none_gradients() -> Sample:
    product, _ = NoneGradients.apply(leaf(3), leaf(3) * 2)
    return Sample(product.sum())


def custom_function_setup_context() -> Sample:
    return Sample(WithSetup.apply(leaf(3), 3).sum())


def custom_function_once_differentiable() -> Sample:
    x = leaf(3)
    (gradient,) = torch.autograd.grad(Once.apply(x).exp().sum(), x, create_graph=True)
    return Sample(gradient.sum(), runnable=False)  # backward would raise


def custom_function_variadic() -> Sample:
    return Sample(Variadic.apply(0.5, leaf(2), torch.ones(2), leaf(2)).sum())


def _counting(model: nn.Module, calls: list[str]) -> Any:
    def run(x: torch.Tensor) -> torch.Tensor:
        calls.append("forward")
        result: torch.Tensor = model(x)
        return result

    return run


def checkpoint_non_reentrant() -> Sample:
    model = nn.Sequential(linear(4, 4), nn.Dropout(0.5), linear(4, 4), nn.Tanh())
    calls: list[str] = []
    output = checkpoint(_counting(model, calls), leaf(2, 4), use_reentrant=False)
    return Sample(output.sum(), model=model, calls=calls)


def checkpoint_reentrant() -> Sample:
    model = nn.Sequential(linear(4, 4), nn.Tanh())
    calls: list[str] = []
    output = checkpoint(_counting(model, calls), leaf(2, 4), use_reentrant=True)
    return Sample(output.sum(), model=model, calls=calls)


def saved_tensors_hooks() -> Sample:
    calls: list[str] = []

    def unpack(packed: tuple[str, torch.Tensor]) -> torch.Tensor:
        calls.append("unpack")
        return packed[1]

    w = leaf(3)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: ("packed", tensor), unpack):
        loss = ScaledSum.apply(w.exp() * w, 1.0, w, "sum", torch.ones(3)).sum()
    return Sample(loss, calls=calls)


def save_on_cpu() -> Sample:
    with torch.autograd.graph.save_on_cpu():
        return Sample((leaf(3).exp() * leaf(3)).sum())


def freed_by_backward() -> Sample:
    model = linear()
    loss = NoneGradients.apply(model(torch.randn(2, 4)).exp(), leaf(2, 3))[0].logsumexp(0).sum()
    loss.backward()
    return Sample(loss, model=model, runnable=False)


def freed_list_of_tensors() -> Sample:
    loss = torch.block_diag(leaf(2, 2), leaf(1, 1)).sum() + sum(r.sum() for r in torch._foreach_exp([leaf(2)]))
    loss = loss + torch.index_put(leaf(3), (torch.tensor([1]),), leaf(1)).exp().sum()
    loss.backward()
    return Sample(loss, runnable=False)


def retained_graph() -> Sample:
    model = linear()
    loss = model(torch.randn(2, 4)).exp().sum()
    loss.backward(retain_graph=True)
    return Sample(loss, model=model)


def stale_saved_tensor() -> Sample:
    a = leaf(3) * 1
    b = a.exp()
    c = b * a
    b.add_(1)
    return Sample(c.sum(), runnable=False)


def stale_in_custom_function() -> Sample:
    a = leaf(3) * 1
    result = ScaledSum.apply(a, 1.0, leaf(3), "sum", torch.ones(3))
    a.add_(1)
    return Sample(result.sum(), runnable=False)


def module_backward_hooks() -> Sample:
    model = nn.Sequential(linear(4, 4), nn.Tanh(), linear(4, 2))
    calls: list[str] = []
    model[0].register_full_backward_hook(lambda *_: calls.append("hook"))
    model[2].register_full_backward_pre_hook(lambda *_: calls.append("pre-hook"))
    return Sample(model(leaf(2, 4)).sum(), model=model, calls=calls)


def tensor_hooks() -> Sample:
    calls: list[str] = []
    w = leaf(3)
    a = w.exp()
    a.retain_grad()
    a.register_hook(lambda gradient: calls.append("tensor") or gradient * 2)  # type: ignore[func-returns-value]
    w.register_hook(lambda gradient: calls.append("leaf") or gradient)  # type: ignore[func-returns-value]
    w.register_post_accumulate_grad_hook(lambda _: calls.append("post"))
    return Sample((a * a).sum(), calls=calls)


@torch.library.custom_op("gradviz_zoo::triple", mutates_args=())
def triple(x: torch.Tensor) -> torch.Tensor:
    return x * 3


@torch.library.custom_op("gradviz_zoo::without_formula", mutates_args=())
def without_formula(x: torch.Tensor) -> torch.Tensor:
    return x * 3


triple.register_autograd(lambda _, gradient: gradient * 3)


def library_operation() -> Sample:
    return Sample(triple(leaf(3)).sum())


def library_operation_without_formula() -> Sample:
    return Sample(without_formula(leaf(3)).sum(), runnable=False)


BUILDERS: tuple[Builder, ...] = (
    custom_function,
    custom_function_as_root,
    custom_function_none_gradients,
    custom_function_setup_context,
    custom_function_once_differentiable,
    custom_function_variadic,
    checkpoint_non_reentrant,
    checkpoint_reentrant,
    saved_tensors_hooks,
    save_on_cpu,
    freed_by_backward,
    freed_list_of_tensors,
    retained_graph,
    stale_saved_tensor,
    stale_in_custom_function,
    module_backward_hooks,
    tensor_hooks,
    library_operation,
    library_operation_without_formula,
)
