"""The verbs that join the stages; nothing else."""

from __future__ import annotations

import sys
from typing import Any

from gradviz.capture import trace as capture_trace
from gradviz.capture.trace import HookSearch
from gradviz.graph import Graph


def trace(outputs: Any, *, model: Any = None, names: Any = None, hooks: HookSearch = "found") -> Graph:
    """Read the backward graph that autograd has built for ``outputs``.

    Nothing is computed and nothing of the user's is held afterwards. What is changed: a leaf that is traced by itself
    takes one autograd sequence number; a graph deeper than about 20,000 nodes (fewer where
    threads have small stacks) gets an entry in its root node's ``metadata``
    (torch >= 2.13 could not free it otherwise); with ``hooks="all"`` every node gets two empty dictionaries of hooks.

    Do not trace a graph while another thread runs its backward: torch frees saved tensors without a lock, and reading
    one at that moment can crash the process.

    Args:
        outputs: a tensor that requires grad, a node (``loss.grad_fn``), a ``GradientEdge``, or any nesting of them in
            lists, tuples, sets, mappings and dataclasses; None and other values in it are passed by.
        model: the module whose parameters name the leaves and whose unreached and frozen parameters are listed too; or
            several: a mapping of names to modules or tensors, or pairs of a name and a module or tensor.
        names: further names of leaves and of what got no gradient, as a mapping or pairs; they come before names in the
            model. What has no name is called after the caller's variables.
        hooks: ``"found"`` lists the hooks that can be found without a change: on leaves, on tensors that a node saved,
            on modules of ``model``. ``"all"`` also asks every node, and looks through all live tensors.

    Returns:
        The Graph: plain data.

    Raises:
        GradvizError: if there is nothing to trace, with the reason; if ``model`` or ``names`` cannot be understood.
    """
    return capture_trace.trace(outputs, model=model, names=names, hooks=hooks, caller=sys._getframe(1))
