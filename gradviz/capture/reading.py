"""Reads what each walked node knows by itself: its edges, dead ends, saved tensors and slots.

This is the loop that runs once per node of a graph of any size; everything that is the same for a whole class of nodes
was looked up before (``kinds``), equal descriptions are shared (``measure``).
"""

from __future__ import annotations

from gradviz.capture.arguments import function_edge_names
from gradviz.capture.dead_ends import given_there
from gradviz.capture.formulas import edge_names
from gradviz.capture.kinds import NodeClass
from gradviz.capture.measure import Measure
from gradviz.capture.names import Names
from gradviz.capture.saved import SavedReader
from gradviz.capture.walk import Walk
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
        position, edges, slots_of = walk.position, self.edges, measure.slots
        for source, node, node_class, following in zip(ids, walk.nodes, classes, walk.following, strict=True):
            name, _, kind, _, saved, is_function = node_class
            self.slots.append(slots_of(node))
            if saved or is_function:
                self.saved.append(reader.of_function(node) if is_function else reader.of_operation(node, saved))
                kind = "checkpoint" if reader.checkpointed else kind
            else:
                self.saved.append(())
            self.kinds.append(kind)
            if not following:
                continue
            arguments = function_edge_names(node, following) if is_function else edge_names(name, len(following))
            for slot, (child, target_slot) in enumerate(following):
                argument = arguments[slot]
                if child is not None:
                    edges.append(_new(Edge, (source, slot, ids[position[id(child)]], target_slot, argument)))
                else:
                    self.dead_ends.append(DeadEnd(source, slot, argument, *given_there(node, argument, names)))
