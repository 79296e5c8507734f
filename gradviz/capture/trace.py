"""Live autograd nodes -> Graph. Reads, never computes: no hook, unpack hook or code of the user's runs.

The order is: gather names, find the roots, walk, read every node, list the leaves and hooks, predict the engine's
order, infer modules. Whatever happens in between, a deep graph is made safe to drop before its nodes are let go
(``lifetime``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from types import FrameType
from typing import Any, Literal, get_args

import torch

from gradviz.capture.dead_ends import tell_by_modules
from gradviz.capture.hooks import live_tensors_with_hooks, module_hooks, node_hooks, tensor_hooks
from gradviz.capture.kinds import NodeClass, classes_of
from gradviz.capture.leaves import list_leaves
from gradviz.capture.lifetime import secure
from gradviz.capture.measure import Measure
from gradviz.capture.modules import infer_modules
from gradviz.capture.names import Named, Names, collect
from gradviz.capture.origins import Origin
from gradviz.capture.outputs import LiveRoot, find_roots
from gradviz.capture.reading import Reading
from gradviz.capture.walk import Walk, advance, execution_order, start
from gradviz.errors import GradvizError
from gradviz.graph import Graph, Hook, Leaf, Node, Root
from gradviz.recording import Source

HookSearch = Literal["found", "all"]
_FREED = "Part of this graph has been run backward: its saved tensors are freed."
_INFERRED = "Modules of operations are inferred from the parameters around them."
_HOOKS_LEFT_OUT = (
    "Hooks on nodes, and on tensors that no node saved, were not looked for: trace(..., hooks='all') does. "
    "Hooks in C++, such as DDP's, cannot be seen."
)
_HOOKS_ON_CHANGED_VIEWS = (
    "Hooks on views that were modified in place are left out: asking for their nodes could make new ones."
)
_HOOKS_HIDDEN = "Hooks in C++, such as DDP's, and hooks on tensors that are gone cannot be seen."


def trace(
    outputs: Any,
    *,
    model: Named = None,
    names: Named = None,
    hooks: HookSearch = "found",
    caller: FrameType | None = None,
) -> Graph:
    """See ``gradviz.api.trace``; ``caller`` is the frame whose variables name what has no other name."""
    if hooks not in get_args(HookSearch):
        raise GradvizError(
            f"hooks={hooks!r} is not known",
            'hooks are looked for where that changes nothing ("found"), or everywhere ("all")',
            'leave it out, or pass hooks="all"',
        )
    with torch._C.DisableTorchFunction():
        known = collect(model, names, caller)
        roots, notes = find_roots(outputs)
        walk = start([root.node for root in roots])
        try:
            advance(walk)
            return describe(walk, roots, known, hooks, notes)
        finally:
            secure(walk)


def describe(
    walk: Walk,
    roots: list[LiveRoot],
    names: Names,
    search: HookSearch,
    notes: list[str],
    origins: Sequence[Origin] | None = None,
    ran: Mapping[str, str] | None = None,
) -> Graph:
    """The Graph of a finished walk.

    ``origins`` tells of each node which line and module made it, from a watch; ``ran`` the classes of those modules.
    """
    measure = Measure()
    classes = classes_of(walk.nodes)
    ids = [f"n{index}" for index in range(len(walk.nodes))]
    reading = Reading(walk, classes, ids, names, measure)
    variables = {ids[index]: walk.nodes[index].variable for index, kind in enumerate(reading.kinds) if kind == "leaf"}
    leaves = list_leaves(variables, names, measure)
    hooks = _hooks(walk, ids, reading, leaves, search, notes)
    order = execution_order(walk)
    modules = _modules(walk, order, classes, reading, leaves, names)
    inferred = [module is not None and kind != "leaf" for module, kind in zip(modules, reading.kinds, strict=True)]
    sources: list[Source | None] = [None] * len(ids)
    for index, origin in enumerate(origins or ()):
        sources[index] = origin.source
        if origin.seen:
            modules[index], inferred[index] = origin.module, False
    places = [0] * len(order)
    for place, index in enumerate(order):
        places[index] = place
    columns = (
        ids,
        [node_class.op for node_class in classes],
        reading.kinds,
        modules,
        inferred,
        [None if source is None else str(source) for source in sources],
        [None if source is None else source.function for source in sources],
        [node_class.arguments for node_class in classes],
        reading.slots,
        reading.saved,
        hooks,
        places,
    )
    nodes = tuple(map(tuple.__new__, repeat(Node), zip(*columns, strict=False)))  # in the order of Node's fields
    if reading.saved_reader.freed:
        notes.append(_FREED)
    if any(inferred):
        notes.append(_INFERRED)
    if origins is None:
        notes.append(_HOOKS_LEFT_OUT if search == "found" else _HOOKS_HIDDEN)
    return Graph(
        roots=tuple(_root(root, ids[walk.position[id(root.node)]], measure) for root in roots),
        nodes=nodes,
        edges=tuple(reading.edges),
        dead_ends=tell_by_modules(reading.dead_ends, nodes, names),
        leaves=leaves,
        modules=_listed_modules(names, modules, ran or {}),
        hooks=module_hooks(names.modules),
        notes=tuple(notes),
    )


def _modules(
    walk: Walk, order: list[int], classes: list[NodeClass], reading: Reading, leaves: tuple[Leaf, ...], names: Names
) -> list[str | None]:
    homes: dict[int, tuple[str, ...]] = {}
    for leaf in leaves:
        owners = [names.homes[name] for name in (leaf.name, *leaf.aliases) if name in names.homes]
        if leaf.node is not None and owners:
            homes[int(leaf.node[1:])] = tuple([_parametrized(owner) for owner in owners])
    if not homes:
        return [None] * len(walk.nodes)
    return infer_modules(
        order[::-1],
        walk.targets,
        [node_class.op for node_class in classes],
        [node_class.kind == "view" or node_class.op == "ToCopyBackward0" for node_class in classes],
        [len(slots) == 1 and slots[0].shape == () for slots in reading.slots],
        homes,
        {path: type(module).__name__ for path, module in names.every_module().items()},
    )


def _parametrized(owner: str) -> str:
    """The module whose parameter is computed in ``owner``, where that is one of ``torch.nn.utils.parametrize``."""
    if "parametrizations." not in owner:
        return owner
    return f".{owner}".partition(".parametrizations.")[0][1:]


def _listed_modules(names: Names, used: Iterable[str | None], ran: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Every module of the given model, and of those among the caller's variables the ones that contain an operation.

    ``ran`` are the classes of modules that a watch saw running, which may be gone by now.
    """
    containing: set[str] = set()
    for path in {module for module in used if module is not None}:
        inner = path
        while inner not in containing:
            containing.add(inner)
            inner = inner.rpartition(".")[0]
    others = {path: module for path, module in names.others.items() if path in containing}
    listed = {path: type(module).__name__ for path, module in (*names.modules, *others.items())}
    seen = {path: cls for path, cls in ran.items() if path in containing and path not in listed}
    return tuple({**listed, **seen}.items())


def _hooks(
    walk: Walk, ids: list[str], reading: Reading, leaves: tuple[Leaf, ...], search: HookSearch, notes: list[str]
) -> list[tuple[Hook, ...]]:
    """The hooks of each node: of its leaf or of the tensors that it made, and its own if they are searched for."""
    hooks: list[tuple[Hook, ...]] = [()] * len(ids)
    for leaf in leaves:
        if leaf.node is not None and leaf.hooks:
            hooks[int(leaf.node[1:])] = leaf.hooks
    tensors = reading.saved_reader.hooked
    if search == "all":
        tensors = tensors | {id(tensor): tensor for tensor in live_tensors_with_hooks()}
    changed = {key for key, tensor in tensors.items() if tensor._is_view() and tensor._version}
    if changed:
        notes.append(_HOOKS_ON_CHANGED_VIEWS)
    for tensor in (tensor for key, tensor in tensors.items() if key not in changed):
        index = walk.position.get(id(tensor.grad_fn))
        if index is not None:
            hooks[index] += tensor_hooks(tensor, ids[index])
    if search == "all":
        for index, node in enumerate(walk.nodes):
            hooks[index] += node_hooks(node, ids[index])
    return hooks


def _root(root: LiveRoot, node: str, measure: Measure) -> Root:
    return Root(root.access, root.kind, node, root.slot, None if root.tensor is None else measure.tensor(root.tensor))
