"""Reads what each walked node knows by itself: its edges, dead ends, saved tensors and slots.

This is the loop that runs once per node of a graph of any size; everything that is the same for a whole class of nodes
was looked up before (``kinds``), equal descriptions are shared (``measure``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from gradviz.capture.arguments import function_edge_names
from gradviz.capture.formulas import edge_names
from gradviz.capture.kinds import NodeClass
from gradviz.capture.measure import Measure
from gradviz.capture.names import Names
from gradviz.capture.saved import SavedReader, held_tensor
from gradviz.capture.walk import AutogradNode, NextFunctions, Walk
from gradviz.graph import DeadEnd, Edge, NodeKind, Saved, TensorMeta

_new = tuple.__new__  # half the time of a NamedTuple's own constructor; this loop runs it a million times


class Reading:
    """What was read from the nodes of a walk, by their position."""

    def __init__(self, walk: Walk, classes: list[NodeClass], ids: list[str], names: Names, measure: Measure) -> None:
        self.edges: list[Edge] = []
        self.dead_ends: list[DeadEnd] = []
        self.saved: list[tuple[Saved, ...]] = []
        self.kinds: list[NodeKind] = []
        self.slots: list[tuple[TensorMeta, ...]] = []
        self.saved_reader = reader = SavedReader(measure)
        position = walk.position
        for source, node, node_class, following in zip(ids, walk.nodes, classes, walk.following, strict=True):
            kind = node_class.kind
            if node_class.is_function:
                self.saved.append(reader.of_function(node))
                kind = "checkpoint" if reader.checkpointed else kind
            elif node_class.saved:
                self.saved.append(reader.of_operation(node, node_class.saved))
                kind = "checkpoint" if reader.checkpointed else kind
            else:
                self.saved.append(())
            self.kinds.append(kind)
            self.slots.append(measure.slots(node))
            if not following:
                continue
            arguments = _argument_names(node, node_class, following)
            for slot, (child, target_slot) in enumerate(following):
                name = arguments[slot]
                if child is not None:
                    target = ids[position[id(child)]]
                    self.edges.append(_new(Edge, (source, slot, target, target_slot, name)))
                else:
                    self.dead_ends.append(DeadEnd(source, slot, name, *_why(node, name, names)))


def _argument_names(node: AutogradNode, node_class: NodeClass, following: NextFunctions) -> Sequence[str | None]:
    if node_class.is_function:
        return function_edge_names(node, following)
    return edge_names(node_class.name, len(following))


def _why(node: AutogradNode, argument: str | None, names: Names) -> tuple[str | None, str | None]:
    """The tensor that was given to an argument without gradient, and why it has none, where the node saved it."""
    # Convolutions keep the sizes of a bias that they do not save: (0,) if there is none, even as an empty bias would be.
    if argument is not None and getattr(node, f"_saved_{argument}_sym_sizes_opt", None) == (0,):
        return None, "not given"
    given = None if argument is None else held_tensor(node, argument)
    if given is None or given.requires_grad:
        return None, None
    name, _ = names.of(given)
    if name is None and given._base is not None:  # a view, such as the transposed weight of a Linear
        given = given._base
        name, _ = names.of(given)
    if isinstance(given, torch.nn.Parameter):
        return name, "a parameter with requires_grad=False"
    if name is None and not given.dim():  # a number is saved as a tensor, which does not say that it was one
        return name, "a number, or a tensor without dimensions, with requires_grad=False"
    return name, "a tensor with requires_grad=False"
