"""Programs whose tensors are special."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam

from tests.capture.watch.programs.program import Program


def complex_parameters() -> Program:
    weight = nn.Parameter(torch.randn(4, 4, dtype=torch.complex64))
    model = nn.ParameterList([weight])
    optimizer = Adam(model.parameters(), lr=0.01)

    def step() -> Tensor:
        optimizer.zero_grad()
        spectrum = torch.fft.fft(torch.randn(3, 4)) @ weight
        loss = spectrum.abs().square().mean() + torch.fft.ifft(spectrum.conj()).real.mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))


def places_and_views() -> Program:
    w = torch.randn(4, 4, requires_grad=True)
    optimizer = SGD([w], lr=0.05)

    def step() -> Any:
        w.grad = None
        x = w * 1
        x[:2].mul_(2)
        x[2] = torch.from_numpy(torch.arange(4).float().numpy())
        rows = x.split(2)
        y = torch.cat([rows[0].t(), rows[1].t()], 1).index_add(0, torch.tensor([0, 0]), torch.ones(2, 4))
        y.relu_()
        values, places = y.sort(1)
        loss = values[:, -1].sum() + y.gather(1, places[:, :1]).square().sum() + torch.tensor(y.tolist()).sum()
        assert loss.requires_grad
        loss.backward()
        optimizer.step()
        return loss.detach(), x.detach(), places

    return Program(step, (optimizer,), lambda: w)


class Tagged(torch.Tensor):
    """A subclass of Tensor that every result belongs to again."""


def tensor_subclass() -> Program:
    model = nn.Linear(4, 2, dtype=torch.float64)
    model.weight = nn.Parameter(torch.randn(2, 4, dtype=torch.float64).as_subclass(Tagged))
    optimizer = SGD(model.parameters(), lr=0.05)

    def step() -> Any:
        optimizer.zero_grad()
        output = model(torch.randn(5, 4, dtype=torch.float64))
        loss = output.square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach(), type(output).__name__, type(loss).__name__

    return Program(step, (model, optimizer))


def nested_tensor() -> Program:
    model = nn.Linear(3, 2)
    optimizer = SGD(model.parameters(), lr=0.05)

    def step() -> Any:
        optimizer.zero_grad()
        rows = torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(4, 3)], layout=torch.jagged)
        loss = model(rows).values().square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Program(step, (model, optimizer))
