"""The model behind ``gradviz demo``: small, but with everything that a picture has to show.

A transformer block reads the embedded tokens, a convolutional head classifies them. The embedding is frozen, a hook
clips one gradient, and a branch that predicts the model's own confidence looks at detached features, so that it cannot
disturb them.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

TOKENS, FEATURES, WIDTH, CLASSES = 16, 12, 32, 5


class DemoModel(nn.Module):
    """Classifies a sequence of tokens, and says how confident it is."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(FEATURES, WIDTH).requires_grad_(False)
        self.block = nn.TransformerEncoderLayer(WIDTH, 4, 2 * WIDTH, dropout=0.0, batch_first=True)
        self.head = nn.Sequential(
            nn.Conv1d(WIDTH, 16, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.AdaptiveMaxPool1d(1),
            nn.Flatten(),
            nn.Linear(16, CLASSES),
        )
        self.confidence = nn.Linear(WIDTH, 1)

    def forward(self, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of shape (batch, CLASSES) and confidences of shape (batch,), for tokens (batch, TOKENS, FEATURES)."""
        features = self.block(self.embed(tokens))
        logits = self.head(features.transpose(1, 2))
        confidence = self.confidence(features.mean(dim=1).detach())
        return logits, confidence.squeeze(1)


def clip_gradient(gradient: torch.Tensor) -> torch.Tensor:
    """Keep every entry of a gradient between -1 and 1."""
    return gradient.clamp(-1.0, 1.0)


def demo_step() -> tuple[DemoModel, torch.Tensor]:
    """The demo model and the loss of one batch; the random state of torch is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = DemoModel()
        tokens, labels = torch.randn(8, TOKENS, FEATURES), torch.randint(CLASSES, (8,))
    model.head.get_parameter("0.weight").register_hook(clip_gradient)  # type: ignore[no-untyped-call]  # torch gives it no types
    logits, confidence = model(tokens)
    correct = (logits.argmax(dim=1) == labels).float()
    return model, cross_entropy(logits, labels) + 0.1 * binary_cross_entropy_with_logits(confidence, correct)
