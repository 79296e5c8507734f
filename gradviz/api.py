"""The verbs that join the stages; nothing else."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from gradviz.capture import trace as capture_trace
from gradviz.capture.trace import HookSearch
from gradviz.capture.watch import Watch, Watchable
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


def watch(
    *modules_and_optimizers: Watchable,
    names: Any = None,
    steps: int | None = 3,
    observe: str | Collection[str] | None = None,
    user_code: Sequence[str | Path] = (),
) -> Watch:
    """Record what happens in a ``with`` block: where nodes come from, what flows, what every hook does.

    ``with gradviz.watch(model, optimizer) as watched:`` around one step, several, or a whole program. It watches the
    thread that enters it. What the block computes is the same, bit for bit, with and without a watch; everything that
    is installed (torch's function mode, global hooks of modules and optimizers, replaced functions of torch, hooks at
    the nodes of a running backward) is gone afterwards, also after an exception. When the block ends ``watched`` is
    filled with plain data: ``watched.graph``, ``watched.graphs``, ``watched.recording``.

    Args:
        modules_and_optimizers: what is watched; modules give names to parameters. Modules and optimizers that are
            made or used inside the block are found without being given.
        names: further names of tensors, as in ``trace``.
        steps: after so many optimizer steps everything is taken away and the rest of the block runs at full speed;
            None: never. With several optimizers, each makes so many.
        observe: patterns of names of parameters and modules (``"encoder.*"``) whose gradients are measured in full:
            the largest value, the share of zeros, the number of non-finite values, and what each edge added.
            ``"dead hooks"`` among them looks for hooks on tensors that are gone, by a dry run of compiled autograd
            before each new graph's backward: seconds.
        user_code: folders whose code counts as yours although it is installed; other installed code is passed over
            when the line that made something is looked for.

    Returns:
        A context manager that gives the ``Watched``.

    Raises:
        GradvizError: for what is neither a module nor an optimizer; for other values of ``steps``, ``names``.
    """
    return Watch(
        modules_and_optimizers,
        names=names,
        steps=steps,
        observe=observe,
        user_code=user_code,
        caller=sys._getframe(1),
    )
