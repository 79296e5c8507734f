"""Programs whose training loop is special: precision, accumulation, several optimizers, changes on the way."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  # as all of torch's users write it
from torch.nn.utils import clip_grad_norm_, clip_grad_value_
from torch.optim import SGD, Adam, AdamW

from tests.capture.watch.programs.program import Program


def mlp_sgd() -> Program:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=20)

    def step() -> float:
        loss = F.mse_loss(model(torch.randn(6, 4)), torch.ones(6, 1))
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        scheduler.step()
        return loss.item()

    return Program(step, (model, optimizer), scheduler.state_dict)


def autocast_bf16() -> Program:
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = AdamW(model.parameters(), lr=0.01)

    def step() -> Tensor:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(torch.randn(6, 8)), torch.arange(6) % 4)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))


def scaler_fp16() -> Program:
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    optimizer = SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**30, growth_interval=4)  # its first steps are skipped

    def step() -> tuple[float, float]:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = F.mse_loss(model(torch.randn(6, 8)), torch.ones(6, 4))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        return loss.item(), norm.item()

    return Program(step, (model, optimizer), scaler.state_dict)


def lbfgs() -> Program:
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3, line_search_fn="strong_wolfe")
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    losses: list[float] = []

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        losses.append(loss.item())
        return loss

    def step() -> Any:
        optimizer.step(closure)
        return list(losses)

    return Program(step, (model, optimizer))


def accumulation_and_clipping() -> Program:
    model = nn.Sequential(nn.Linear(4, 8), nn.ELU(inplace=True), nn.Linear(8, 1))
    optimizer = SGD([{"params": model[0].parameters(), "lr": 0.01}, {"params": model[2].parameters()}], lr=0.1)

    def step() -> Any:
        losses = []
        for _ in range(3):
            loss = model(torch.randn(5, 4)).square().mean() / 3
            loss.backward()
            losses.append(loss.item())
        clip_grad_value_(model.parameters(), 0.5)
        norm = clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()
        return losses, norm

    return Program(step, (model, optimizer))


def optimizer_in_backward() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizers = {parameter: Adam([parameter], lr=0.01) for parameter in model.parameters()}

    def update(parameter: Tensor) -> None:
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(update)

    def step() -> Tensor:
        loss = model(torch.randn(5, 4)).square().mean()
        loss.backward()
        return loss.detach()

    return Program(step, (model, *optimizers.values()))


def gan() -> Program:
    generator = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 3))
    critic = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
    for_generator, for_critic = Adam(generator.parameters(), lr=0.01), Adam(critic.parameters(), lr=0.01)

    def step() -> Any:
        fake = generator(torch.randn(5, 2))
        for_critic.zero_grad()
        critic_loss = F.softplus(critic(fake.detach())).mean() + F.softplus(-critic(torch.randn(5, 3))).mean()
        critic_loss.backward()
        for_critic.step()
        critic.requires_grad_(False)
        for_generator.zero_grad()
        generator_loss = F.softplus(-critic(fake)).mean()
        generator_loss.backward()
        for_generator.step()
        critic.requires_grad_(True)
        return critic_loss.item(), generator_loss.item()

    return Program(step, (generator, critic, for_generator, for_critic))


def teacher_and_average() -> Program:
    student = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
    teacher = copy.deepcopy(student).requires_grad_(False)
    average = torch.optim.swa_utils.AveragedModel(student)
    optimizer = SGD(student.parameters(), lr=0.1)

    def step() -> Any:
        optimizer.zero_grad()
        x = torch.randn(5, 4)
        logits = student(x)
        with torch.inference_mode():
            hits = (logits.argmax(1) == teacher(x).argmax(1)).float().mean().item()
        with torch.no_grad():
            target = teacher(x).softmax(-1)
        loss = F.kl_div(logits.log_softmax(-1), target, reduction="batchmean")
        loss = loss + 0.1 * (logits - logits.detach()).exp().mean() + 0.01 * logits.data.sum()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for old, new in zip(teacher.parameters(), student.parameters(), strict=True):
                old.lerp_(new, 0.1)
        average.update_parameters(student)
        return loss.item(), hits, [p.detach().numpy().copy() for p in student.parameters()]

    return Program(step, (student, teacher, optimizer), average.state_dict)


def many_losses() -> Program:
    model = nn.ModuleDict({"body": nn.Linear(4, 6), "one": nn.Linear(6, 1), "two": nn.Linear(6, 1)})
    optimizer = SGD(model.parameters(), lr=0.05)

    def step() -> Any:
        optimizer.zero_grad(set_to_none=False)
        x = torch.randn(5, 4, requires_grad=True)
        body = model["body"](x).tanh()
        one, two = model["one"](body).square().mean(), model["two"](body).abs().mean()
        asked = torch.autograd.grad(one, [body, model["two"].weight], retain_graph=True, allow_unused=True)
        one.backward(retain_graph=True, inputs=list(model["body"].parameters()))
        torch.autograd.backward([one, two], [torch.tensor(0.5), None], retain_graph=True)
        per_row = torch.autograd.grad(body, x, torch.eye(6).expand(5, 6, 6).transpose(0, 1), is_grads_batched=True)
        optimizer.step()
        return one.detach(), two.detach(), asked, per_row

    return Program(step, (model, optimizer))


def changing_model() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.LazyLinear(4), nn.Identity())
    optimizer = SGD(model[0].parameters(), lr=0.05)
    count = [0]

    def step() -> Any:
        count[0] += 1
        optimizer.zero_grad()
        loss = model(torch.randn(5, 4)).square().mean()
        loss.backward()
        if count[0] == 1:
            optimizer.add_param_group({"params": list(model[1].parameters()), "lr": 0.01})
        if count[0] == 2:
            model[0].weight = nn.Parameter(torch.ones(4, 4))
            model[2] = nn.Linear(4, 4)
        if count[0] == 3:
            model.double().float().load_state_dict(copy.deepcopy(model.state_dict()))
            model[1].weight.requires_grad = False
        if count[0] == 4:
            fresh = SGD(model.parameters(), lr=0.01)
            fresh.load_state_dict(fresh.state_dict())
            fresh.step()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))
