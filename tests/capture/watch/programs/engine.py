"""Programs that run code of their own inside the engine: hooks, functions, checkpoints, gradients of gradients."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.checkpoint import checkpoint

from tests.capture.watch.programs.program import Program, simple


def _checkpointed(*, reentrant: bool) -> Program:
    first, inner, last = (nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.3), nn.Tanh()) for _ in range(3))
    model = nn.ModuleList([first, inner, last])
    optimizer = Adam(model.parameters(), lr=0.01)

    def nested(x: Tensor) -> Tensor:
        again: Tensor = checkpoint(inner, x.sin(), use_reentrant=reentrant)
        return again * x

    def step() -> Tensor:
        optimizer.zero_grad()
        x = first(torch.randn(5, 4))
        loss = last(checkpoint(nested, x, use_reentrant=reentrant)).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))


def checkpoint_reentrant() -> Program:
    return _checkpointed(reentrant=True)


def checkpoint_not_reentrant() -> Program:
    return _checkpointed(reentrant=False)


def user_hooks() -> Program:
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = SGD(model.parameters(), lr=0.05)
    seen: list[Any] = []
    first, second = model[0], model[2]

    def note(*what: Any) -> None:
        seen.append(what)

    def double_in_place(gradient: Tensor) -> None:
        gradient.mul_(2)

    first.weight.register_hook(lambda gradient: gradient * 3)
    first.weight.register_hook(double_in_place)
    first.bias.register_hook(lambda gradient: note("bias", gradient.norm().item()))
    second.weight.register_post_accumulate_grad_hook(lambda p: note("accumulated", p.grad.norm().item()))
    second.bias.register_post_accumulate_grad_hook(lambda p: note("clamped", p.grad.clamp_(-0.01, 0.01).norm().item()))
    accumulate = torch.autograd.graph.get_gradient_edge(second.weight).node
    accumulate.register_prehook(lambda gradients: (gradients[0] * 0.5,))
    accumulate.register_hook(lambda inputs, outputs: note("post", len(inputs), outputs[0].norm().item()))
    model[1].register_full_backward_pre_hook(lambda _, gradients: (gradients[0] + 0.001,))
    model[3].register_full_backward_hook(lambda _, inputs, __: (inputs[0] * 1.5,))
    second.register_forward_pre_hook(lambda _, inputs: (inputs[0] * 1.01,))
    second.register_forward_hook(lambda _, __, output: output + 0.01)
    optimizer.register_step_pre_hook(lambda *_: note("step begins"))
    optimizer.register_step_post_hook(lambda *_: note("step ends"))
    torch.autograd.graph.register_multi_grad_hook(
        list(model.parameters()), lambda gradients: note("all", sum(g is not None for g in gradients))
    )
    torch.autograd.graph.register_multi_grad_hook(
        list(model.parameters()), lambda gradient: note("any", gradient.shape), mode="any"
    )

    def step() -> Any:
        optimizer.zero_grad()
        output = model(torch.randn(5, 4))
        output.register_hook(lambda gradient: gradient.clamp(-0.1, 0.1))
        scaled = output * 2
        scaled.retain_grad()
        removed = scaled.register_hook(lambda gradient: gradient * 100)
        once = scaled.register_hook(lambda gradient: (once.remove(), gradient * 1.1)[1])
        removed.remove()
        loss = scaled.square().mean()
        loss.grad_fn.register_prehook(lambda gradients: (gradients[0] * 0.9,))
        loss.grad_fn.register_hook(lambda inputs, _: note("loss", inputs[0].norm().item()))
        loss.backward()
        optimizer.step()
        assert scaled.grad is not None
        return loss.detach(), scaled.grad, list(seen)

    return Program(step, (model, optimizer))


def global_module_hooks() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05)
    seen: list[Any] = []
    of = nn.modules.module

    def step() -> Any:
        with ExitStack() as stack:
            for handle in (
                of.register_module_forward_pre_hook(lambda m, _: seen.append(("before", type(m).__name__))),
                of.register_module_forward_hook(lambda _, __, output: output * 1.01),
                of.register_module_full_backward_pre_hook(lambda m, _: seen.append(("back", type(m).__name__))),
                of.register_module_full_backward_hook(lambda _, __, outputs: seen.append(outputs[0].norm().item())),
                of.register_module_parameter_registration_hook(lambda _, name, __: seen.append(name)),
                register_optimizer_step_pre_hook(lambda *_: seen.append("step")),
            ):
                stack.callback(handle.remove)
            optimizer.zero_grad()
            loss = model(torch.randn(5, 4)).square().mean()
            loss.backward()
            optimizer.step()
            nn.Linear(1, 1)
        return loss.detach(), list(seen)

    return Program(step, (model, optimizer))


def legacy_module_hook() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05)
    model[1].register_backward_hook(lambda _, inputs, __: (inputs[0] * 2,))
    return simple(model, optimizer, lambda: torch.randn(5, 4))


def gradient_penalty() -> Program:
    critic = nn.Sequential(nn.Linear(4, 8), nn.Softplus(), nn.Linear(8, 1))
    optimizer = Adam(critic.parameters(), lr=0.01)

    def step() -> Any:
        optimizer.zero_grad()
        x = torch.randn(6, 4, requires_grad=True)
        score = critic(x).sum()
        (gradient,) = torch.autograd.grad(score, x, create_graph=True)
        penalty = (gradient.norm(dim=1) - 1).square().mean()
        (score + 10 * penalty).backward()
        optimizer.step()
        return score.detach(), penalty.detach(), gradient.detach(), x.grad

    return Program(step, (critic, optimizer))


def functional_transforms() -> Program:
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05)

    def loss_of(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
        output: Tensor = torch.func.functional_call(model, parameters, (x,))
        return output.square().mean()

    def step() -> Any:
        optimizer.zero_grad()
        x = torch.randn(5, 3)
        parameters = dict(model.named_parameters())
        each = torch.func.vmap(torch.func.grad(loss_of), (None, 0))({k: p.detach() for k, p in parameters.items()}, x)
        jacobian = torch.func.jacrev(lambda inputs: model(inputs).sum(0))(x)
        _, tangent = torch.func.jvp(model, (x,), (torch.ones_like(x),))
        hessian = torch.func.hessian(lambda one: model(one).sum())(x[0])
        loss = loss_of(parameters, x) + torch.func.vmap(lambda one: model(one).sum())(x).mean()
        loss.backward()
        optimizer.step()
        return loss.detach(), each, jacobian.detach(), tangent.detach(), hessian.detach()

    return Program(step, (model, optimizer))


class Scaled(torch.autograd.Function):
    """Returns twice the product, and its sign, which has no gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, factor: float) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(x, weight)
        ctx.factor = factor
        output = x * weight * factor
        sign = output.sign()
        ctx.mark_non_differentiable(sign)
        return output, sign

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Any) -> tuple[Tensor, Tensor, None]:
        x, weight = ctx.saved_tensors
        return gradient * weight * ctx.factor, (gradient * x * ctx.factor).sum(0), None


class Clamped(torch.autograd.Function):
    """Clamps in place, with a straight-through gradient; in the newer of the two styles."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.clamp_(-1, 1)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:  # noqa: ARG004  # torch passes it by name
        ctx.mark_dirty(*inputs)
        ctx.set_materialize_grads(False)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(_: Any, gradient: Any) -> Any:
        return gradient


def custom_function() -> Program:
    weight = nn.Parameter(torch.randn(4))
    model = nn.Linear(4, 4)
    optimizer = Adam([weight, *model.parameters()], lr=0.01)
    apply = Scaled.apply

    def step() -> Any:
        optimizer.zero_grad()
        output, sign = apply(model(torch.randn(5, 4)), weight, 2.0)
        loss = (Clamped.apply(output * 1) + 0.1 * sign).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach(), sign

    return Program(step, (model, optimizer), lambda: weight)
