"""Who is measured: gradviz, the least that any tracer must do, and the peers that are installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from torch import Tensor, nn

import gradviz

Tracer = Callable[[Tensor, nn.Module], Any]
BARE, GRADVIZ, TORCHVIZ, TORCHVIZ_FULL = "bare walk", "gradviz", "torchviz", "torchviz, attrs and saved"

sys.setrecursionlimit(200_000)  # torchviz recurses once per node of a path


def bare_walk(loss: Tensor) -> dict[int, Any]:
    """Every node below a tensor, by id, and nothing about any of them: what the time of others is measured in."""
    root: Any = loss.grad_fn
    seen = {id(root): root}
    waiting = [root]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and id(node) not in seen:
                seen[id(node)] = node
                waiting.append(node)
    return seen


def tracers() -> tuple[dict[str, Tracer], list[str]]:
    """Everyone who can take part, the bare walk and gradviz first; and why the others cannot."""
    found: dict[str, Tracer] = {
        BARE: lambda loss, _model: bare_walk(loss),
        GRADVIZ: lambda loss, model: gradviz.trace(loss, model=model),
    }
    missing = []
    try:
        walk_grad_fn = import_module("torchlens.debug").walk_grad_fn
        found["torchlens, names only"] = lambda loss, model: walk_grad_fn(loss, model=model)
    except ImportError as error:
        missing.append(f"torchlens: {error}")
    try:
        make_dot = import_module("torchviz").make_dot
        found[TORCHVIZ] = lambda loss, model: make_dot(loss, params=dict(model.named_parameters()))
        found[TORCHVIZ_FULL] = lambda loss, model: make_dot(
            loss, params=dict(model.named_parameters()), show_attrs=True, show_saved=True
        )
    except ImportError as error:  # also of distutils, which torchviz needs and Python 3.12 lacks
        missing.append(f"torchviz: {error}")
    return found, missing
