"""The graphs that are shown and laid out: those of models, and synthetic ones of any size and form."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

import gradviz
from benchmarks.models import GPT, TOKENS, WORDS, Block, Recurrence, resnet
from gradviz.demo import demo_step
from gradviz.graph import Graph

OPERATIONS = (torch.sin, torch.tanh, torch.exp, torch.sigmoid, torch.cos)  # neighbours differ, so that nothing repeats


class Chain(nn.Module):
    """One long chain; every third operation multiplies by a parameter, every ninth skips to one of the last twenty."""

    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.steps = nodes * 3 // 4
        for step in range(0, self.steps, 3):
            self.register_parameter(f"weight_{step}", nn.Parameter(torch.ones(3)))

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (3,)."""
        recent = [x]
        for step in range(self.steps):
            if step % 3 == 0:
                x = x * self.get_parameter(f"weight_{step}")
            elif step % 9 == 4:
                x = x + recent[step * 7 % len(recent)]
            else:
                x = OPERATIONS[step * step % 5](x)
            recent = [*recent[-19:], x]
        return x


class Field(nn.Module):
    """Chains side by side, about as wide as a screen is beside its height: all of it in view fills the screen."""

    def __init__(self, boxes: int) -> None:
        super().__init__()
        columns = max(1, round((boxes * 0.7) ** 0.5))
        self.rows = boxes // columns - 1
        self.weights = nn.ParameterList(torch.ones(3) for _ in range(columns))

    def forward(self) -> Tensor:
        """Shape (columns, 3)."""
        ends = []
        for column, start in enumerate(self.weights):
            x = start
            for row in range(self.rows):
                x = OPERATIONS[(row * row + column) % 5](x)
            ends.append(x)
        return torch.stack(ends)


class Dense(nn.Module):
    """Blocks of layers, each of which reads the concatenation of all before it in its block, as in DenseNet-121."""

    def __init__(self, blocks: Sequence[int] = (6, 12, 24, 16), growth: int = 2) -> None:
        super().__init__()
        self.blocks = nn.ModuleList()
        self.steps = nn.ModuleList()
        channels = 4
        for layers in blocks:
            block = nn.ModuleList()
            for _ in range(layers):
                block.append(nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, growth, 3, 1, 1)))
                channels += growth
            self.blocks.append(block)
            self.steps.append(nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, channels // 2, 1)))
            channels //= 2

    def forward(self, x: Tensor) -> Tensor:
        """Images of 4 channels to a loss."""
        for block, step in zip(self.blocks, self.steps, strict=True):
            features = [x]
            for layer in block:
                features.append(layer(torch.cat(features, 1)))
            x = step(torch.cat(features, 1))
        return x.square().mean()


def demo() -> Graph:
    """The demo model's."""
    model, loss = demo_step()
    return gradviz.trace(loss, model=model)


def gpt_step(layers: int) -> tuple[nn.Module, Tensor]:
    """A transformer of so many layers, and its loss."""
    model = GPT()
    model.blocks = nn.ModuleList(Block() for _ in range(layers))
    return model, model(torch.randint(WORDS, (2, TOKENS)))


def gpt(layers: int) -> Graph:
    """A transformer's, of so many layers."""
    model, loss = gpt_step(layers)
    return gradviz.trace(loss, model=model)


def chain(nodes: int) -> Graph:
    """A chain's, with skips and parameters."""
    model = Chain(nodes)
    return gradviz.trace(model(torch.ones(3)).sum(), model=model)


def field(boxes: int) -> Graph:
    """That of chains side by side."""
    model = Field(boxes)
    return gradviz.trace(model().sum(), model=model)


def halves(nodes: int) -> Graph:
    """That of two modules, of about so many nodes each."""
    model = nn.Sequential(Chain(nodes), Chain(nodes))
    return gradviz.trace(model(torch.ones(3)).sum(), model=model)


def dense() -> Graph:
    """A convolutional network's that concatenates all that it has."""
    model = Dense()
    return gradviz.trace(model(torch.randn(2, 4, 8, 8)), model=model)


def lstm(steps: int) -> Graph:
    """That of an LSTM cell, stepped through a sequence: all steps share their weights."""
    model = Recurrence()
    return gradviz.trace(model(torch.randn(steps, 2, 8)).square().mean(), model=model)


def convolutional() -> Graph:
    """A ResNet's."""
    model = resnet()
    return gradviz.trace(model(torch.randn(2, 3, 32, 32)).square().mean(), model=model)
