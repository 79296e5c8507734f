"""Programs whose model is special."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  # as all of torch's users write it
from torch.nn.utils import parametrizations, parametrize
from torch.optim import SGD, Adam, AdamW

from tests.capture.watch.programs.program import Program, simple


def dropout() -> Program:
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.GELU(), nn.AlphaDropout(0.2), nn.Linear(8, 2))
    return simple(
        model,
        Adam(model.parameters(), lr=0.01),
        lambda: F.dropout(torch.randn(6, 4), 0.1),
        lambda output: F.cross_entropy(F.dropout1d(output), torch.randint(2, (6,))),
    )


def batch_norm_cnn() -> Program:
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Conv2d(4, 4, 3),
        nn.GroupNorm(2, 4), nn.SiLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3),
    )  # fmt: skip
    optimizer = AdamW(model.parameters(), lr=0.01, amsgrad=True)

    def step() -> tuple[float, list[float]]:
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.randn(4, 3, 8, 8)), torch.tensor([0, 1, 2, 0]))
        loss.backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            return loss.item(), model(torch.ones(1, 3, 8, 8)).argmax(1).tolist()

    return Program(step, (model, optimizer))


def lstm() -> Program:
    class Tagger(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.lstm = nn.Embedding(10, 4), nn.LSTM(4, 6, num_layers=2, dropout=0.2, bidirectional=True)
            self.cell, self.head = nn.GRUCell(12, 5), nn.Linear(5, 3)

        def forward(self, tokens: Tensor) -> Tensor:
            output, _ = self.lstm(self.embed(tokens))
            hidden = output.new_zeros(output.shape[1], 5)
            for one in output:
                hidden = self.cell(one, hidden)
            scores: Tensor = self.head(hidden)
            return scores

    model = Tagger()
    return simple(
        model,
        torch.optim.RMSprop(model.parameters(), lr=0.01),
        lambda: torch.randint(10, (5, 2)),
        lambda scores: F.nll_loss(scores.log_softmax(-1), torch.tensor([0, 2])),
    )


def transformer() -> Program:
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.1, batch_first=True), 2)
    return simple(model, AdamW(model.parameters(), lr=0.01, foreach=True), lambda: torch.randn(3, 5, 8))


def written_out_attention() -> Program:
    project, out = nn.Linear(8, 24), nn.Linear(8, 8)
    optimizer = Adam([*project.parameters(), *out.parameters()], lr=0.01)

    def step() -> Any:
        optimizer.zero_grad()
        q, k, v = project(torch.randn(2, 5, 8)).view(2, 5, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.einsum("bhid,bhjd->bhij", q, k).masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(2, 5, 8)
        other = F.scaled_dot_product_attention(q, k, v, is_causal=True).sum()
        loss = out(mixed).square().mean() + 0.01 * other
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, (project, out, optimizer))


def sparse_embedding() -> Program:
    embed, head = nn.Embedding(12, 4, sparse=True), nn.Linear(4, 1)
    bag = nn.EmbeddingBag(12, 4, sparse=True, mode="sum")
    sparse, dense = torch.optim.SparseAdam([embed.weight, bag.weight], lr=0.01), SGD(head.parameters(), lr=0.1)

    def step() -> Any:
        sparse.zero_grad()
        dense.zero_grad()
        tokens = torch.randint(12, (3, 4))
        loss = head(embed(tokens).sum(1) + bag(tokens)).square().mean()
        loss.backward()
        sparse.step()
        dense.step()
        return loss.detach(), embed.weight.grad

    return Program(step, (embed, head, bag, sparse, dense))


def weight_tying() -> Program:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
            self.head.weight = self.embed.weight

        def forward(self, tokens: Tensor) -> Tensor:
            scores: Tensor = self.head(self.embed(tokens).mean(1))
            return scores

    model = Tied()
    return simple(
        model,
        SGD(model.parameters(), lr=0.1),
        lambda: torch.randint(9, (4, 3)),
        lambda scores: F.cross_entropy(scores, torch.arange(4)),
    )


def parametrized() -> Program:
    class Symmetric(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.triu() + x.triu(1).transpose(-1, -2)

    square = nn.Linear(4, 4)
    parametrize.register_parametrization(square, "weight", Symmetric())
    model = nn.Sequential(
        parametrizations.weight_norm(nn.Linear(4, 4)),
        parametrizations.spectral_norm(nn.Linear(4, 4)),
        parametrizations.orthogonal(nn.Linear(4, 4)),
        square,
    )
    return simple(model, SGD(model.parameters(), lr=0.05), lambda: torch.randn(5, 4))
