"""Dry run: every hook that a backward would call, those of tensors that are gone included, without calling one.

Compiled autograd asks C++ for the hooks of each node while it captures a backward. Leaving it before what it captured
is run changes nothing: no hook ran, no gradient was accumulated, and what nodes saved is still there (torch 2.13). It
takes seconds, loads ``torch._dynamo``, and empties the cache of compiled autograd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import torch

from gradviz.capture.walk import Walk, execution_order
from gradviz.graph import HookKind

_KINDS: dict[str, HookKind] = {
    "tensor_pre_hook": "tensor",
    "pre_hook": "node_pre",
    "post_hook": "node_post",
    "post_acc_grad_hook": "post_accumulate",
}
_CALL = re.compile(r"\(NodeCall (\d+)\)")


class _Stop(BaseException):
    """Leaves the engine before anything runs."""


def hooks_by_dry_run(walk: Walk, outputs: tuple[torch.Tensor, ...]) -> Iterator[tuple[int, HookKind, Any]]:
    """Place of the node, kind and function of each Python hook, in the order in which they would be called.

    Raises:
        RuntimeError: if compiled autograd refuses this backward (one with DistributedDataParallel's hooks).
    """
    order = execution_order(walk)
    graph, functions = _capture(outputs)
    for node in graph.nodes if graph is not None else ():
        kind = _KINDS.get(node.kwargs.get("hook_type", ""))
        number = _CALL.search(node.meta.get("stack_trace") or "")
        if kind is not None and number is not None:
            yield order[int(number[1]) - 1], kind, functions[node.args[0].args[1]]  # call 0 is of the engine itself


def _capture(outputs: tuple[torch.Tensor, ...]) -> tuple[Any, list[Any]]:
    """The captured backward, and the functions that its calls of hooks refer to."""
    from torch._dynamo import compiled_autograd

    captured: list[tuple[Any, list[Any]]] = []

    def compiler(module: Any) -> Any:
        def run(inputs: Any, sizes: Any, scalars: Any, hooks: Any, packed: Any) -> NoReturn:  # noqa: ARG001
            captured.append((module.graph, list(hooks)))
            raise _Stop

        return run

    with torch.no_grad():
        gradients = tuple(torch.ones_like(output) for output in outputs)
    torch._C._dynamo.compiled_autograd.clear_cache()  # else an equal backward is not captured again
    engine = torch.autograd.Variable._execution_engine  # directly: no watch is to see this
    try:
        with compiled_autograd._enable(compiler):
            engine.run_backward(outputs, gradients, True, False, (), allow_unreachable=True, accumulate_grad=True)
    except _Stop:
        pass
    finally:
        torch._C._dynamo.compiled_autograd.clear_cache()
    return captured[0] if captured else (None, [])
