"""Graphs of whole models, small: what people train."""

from __future__ import annotations

import warnings

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (as everybody calls it)

from tests.capture.zoo.sample import Builder, Sample, leaf


class Block(nn.Module):
    """A block of a GPT."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.attention(self.ln_1(x)).split(width, 2)
        query, key, value = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in parts)
        weights = (query @ key.transpose(-2, -1)) * 0.1
        weights = weights.masked_fill(torch.ones(length, length).triu(1).bool(), -1e9).softmax(-1)
        x = x + self.dropout(self.projection((weights @ value).transpose(1, 2).reshape(batch, length, width)))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    """With a head that is tied to the embedding."""

    def __init__(self, layers: int = 3, width: int = 16, words: int = 20) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(16, width)
        self.blocks = nn.ModuleList(Block(width, 4) for _ in range(layers))
        self.ln_last, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.words.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_last(x))


class Residual(nn.Module):
    """A block of a ResNet."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn1, self.bn2, self.relu = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs), nn.ReLU()
        self.shortcut = None
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(y + (x if self.shortcut is None else self.shortcut(x)))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 4, 7, 2, 3, bias=False), nn.BatchNorm2d(4)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = nn.Sequential(Residual(4, 4), Residual(4, 4))
        self.layer2 = nn.Sequential(Residual(4, 8, 2), Residual(8, 8))
        self.head = nn.Linear(8, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        return self.head(self.layer2(self.layer1(x)).mean((2, 3)))


class Recurrent(nn.Module):
    """An LSTMCell in a Python loop."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.cell, self.head = nn.Embedding(20, 4), nn.LSTMCell(4, 8), nn.Linear(8, 20)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        state = None
        results = []
        for step in range(tokens.shape[1]):
            state = self.cell(self.words(tokens[:, step]), state)
            results.append(self.head(state[0]))
        return torch.stack(results, 1)


def tokens(length: int = 6) -> torch.Tensor:
    return torch.arange(2 * length).view(2, length) % 20


def gpt() -> Sample:
    model = GPT()
    logits = model(tokens()).flatten(0, 1)
    return Sample(F.cross_entropy(logits, tokens().flatten()), model=model)


def resnet() -> Sample:
    model = ResNet()
    return Sample(F.cross_entropy(model(torch.randn(2, 3, 32, 32)), torch.tensor([1, 2])), model=model)


def transformer() -> Sample:
    model = nn.Transformer(16, 4, 2, 2, 32, batch_first=True)
    return Sample(model(torch.randn(2, 5, 16), torch.randn(2, 5, 16)).mean(), model=model)


def lstm_cell_loop() -> Sample:
    model = Recurrent()
    return Sample(F.cross_entropy(model(tokens()).flatten(0, 1), tokens().flatten()), model=model)


def lstm_mkldnn() -> Sample:
    model = nn.LSTM(3, 4)
    return Sample(model(torch.randn(5, 2, 3))[0].sum(), model=model)


def lstm_without_mkldnn() -> Sample:
    model = nn.LSTM(3, 4, num_layers=2, bidirectional=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # setting the flags makes torch speak of GPUs
        with torch.backends.mkldnn.flags(enabled=False):
            return Sample(model(torch.randn(3, 2, 3))[0].sum(), model=model)


def gru() -> Sample:
    model = nn.GRU(3, 4)
    return Sample(model(torch.randn(4, 2, 3))[0].sum(), model=model)


def attention() -> Sample:
    return Sample(F.scaled_dot_product_attention(leaf(1, 2, 3, 4), leaf(1, 2, 3, 4), leaf(1, 2, 3, 4)).sum())


def attention_with_dropout() -> Sample:
    query, key, value = (leaf(1, 2, 3, 4) for _ in range(3))
    return Sample(F.scaled_dot_product_attention(query, key, value, dropout_p=0.5).sum())


def multihead_attention() -> Sample:
    model = nn.MultiheadAttention(8, 2, batch_first=True)
    x = torch.randn(2, 3, 8)
    result, weights = model(x, x, x)
    return Sample([result, weights], (result, weights), model=model)


def autocast() -> Sample:
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    with torch.autocast("cpu", torch.bfloat16):
        return Sample(model(model[0](torch.randn(2, 4))).float().sum(), model=model)


def batch_norm_in_training() -> Sample:
    model = nn.Sequential(nn.Conv1d(2, 3, 1), nn.BatchNorm1d(3), nn.Dropout(0.5))
    return Sample(model(torch.randn(4, 2, 5)).sum(), model=model)


BUILDERS: tuple[Builder, ...] = (
    gpt,
    resnet,
    transformer,
    lstm_cell_loop,
    lstm_mkldnn,
    lstm_without_mkldnn,
    gru,
    attention,
    attention_with_dropout,
    multihead_attention,
    autocast,
    batch_norm_in_training,
)
