"""What is traced: graphs as large as those of real models, from models so narrow that forward takes milliseconds.

The time of a trace depends on the nodes of a graph, not on the size of the tensors.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu

WIDTH, HEADS, LAYERS, TOKENS, WORDS = 32, 4, 24, 8, 64


class Workload(NamedTuple):
    """A model with an input, whose losses are traced."""

    name: str
    model: nn.Module
    input: Tensor

    def loss(self) -> Tensor:
        """The loss of a new forward, so with a graph that nobody has walked."""
        output: Tensor = self.model(self.input)
        return output.square().mean()


class Attention(nn.Module):
    """Causal self-attention, written out."""

    def __init__(self) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(WIDTH, 3 * WIDTH)
        self.project = nn.Linear(WIDTH, WIDTH)
        self.future = nn.Buffer(torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1))

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (batch, TOKENS, WIDTH)."""
        batch = x.shape[0]
        parts = self.query_key_value(x).view(batch, TOKENS, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)
        scores = (query @ key.transpose(-2, -1)) / (WIDTH // HEADS) ** 0.5
        weights = scores.masked_fill(self.future, float("-inf")).softmax(-1)
        output: Tensor = self.project((weights @ value).transpose(1, 2).reshape(batch, TOKENS, WIDTH))
        return output


class Block(nn.Module):
    """A transformer block with the norms in front."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_norm, self.attention = nn.LayerNorm(WIDTH), Attention()
        self.norm = nn.LayerNorm(WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """Shapes (batch, TOKENS, WIDTH)."""
        x = x + self.attention(self.attention_norm(x))
        output: Tensor = x + self.narrow(gelu(self.widen(self.norm(x))))
        return output


class GPT(nn.Module):
    """A decoder that returns its loss."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """The loss, for word numbers of shape (batch, TOKENS)."""
        x = self.words(tokens) + self.places(torch.arange(TOKENS))
        for block in self.blocks:
            x = block(x)
        return cross_entropy(self.head(self.norm(x)).flatten(0, 1), tokens.flatten())


class Bottleneck(nn.Module):
    """The residual block of a ResNet-50."""

    def __init__(self, channels: int, narrow: int, stride: int) -> None:
        super().__init__()
        wide = 4 * narrow
        self.relu = nn.ReLU(inplace=True)
        self.conv1, self.bn1 = nn.Conv2d(channels, narrow, 1, bias=False), nn.BatchNorm2d(narrow)
        self.conv2, self.bn2 = nn.Conv2d(narrow, narrow, 3, stride, 1, bias=False), nn.BatchNorm2d(narrow)
        self.conv3, self.bn3 = nn.Conv2d(narrow, wide, 1, bias=False), nn.BatchNorm2d(wide)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or channels != wide:
            self.shortcut = nn.Sequential(nn.Conv2d(channels, wide, 1, stride, bias=False), nn.BatchNorm2d(wide))

    def forward(self, x: Tensor) -> Tensor:
        """Images, to images with four times as many channels as the block is narrow."""
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += self.shortcut(x)
        output: Tensor = self.relu(y)
        return output


def resnet() -> nn.Sequential:
    """As deep as ResNet-50, with a sixteenth of its channels."""
    channels = 4
    layers: list[nn.Module] = [nn.Conv2d(3, channels, 7, 2, 3, bias=False), nn.BatchNorm2d(channels)]
    layers += [nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    for narrow, blocks, stride in ((4, 3, 1), (8, 4, 2), (16, 6, 2), (32, 3, 2)):
        for index in range(blocks):
            layers.append(Bottleneck(channels, narrow, stride if index == 0 else 1))
            channels = 4 * narrow
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


class Recurrence(nn.Module):
    """An LSTM cell, stepped through a sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.head = nn.LSTMCell(8, 16), nn.Linear(16, 1)

    def forward(self, steps: Tensor) -> Tensor:
        """Shapes (steps, batch, 8) to (batch, 1)."""
        hidden = cell = torch.zeros(steps.shape[1], 16)
        for step in steps:
            hidden, cell = self.cell(step, (hidden, cell))
        output: Tensor = self.head(hidden)
        return output


def transformer() -> Workload:
    """The model that the targets speak of: 24 layers, attention written out."""
    return Workload("24-layer GPT", GPT(), torch.randint(WORDS, (2, TOKENS)))


def workloads() -> tuple[Workload, ...]:
    """All models, the transformers first."""
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 2 * WIDTH, dropout=0.0, batch_first=True)
    encoder = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
    return (
        transformer(),
        Workload("nn.TransformerEncoder", encoder, torch.randn(2, TOKENS, WIDTH)),
        Workload("ResNet-50", resnet(), torch.randn(2, 3, 32, 32)),
        Workload("200 LSTM steps", Recurrence(), torch.randn(200, 2, 8)),
    )


def chain(length: int) -> Tensor:
    """The last of ``length`` operations in a row, each of which saves its input."""
    x = torch.ones(4, requires_grad=True)
    for _ in range(length):
        x = x.sin()
    return x
