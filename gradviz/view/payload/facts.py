"""The Graph as columns: nodes, edges, dead ends, leaves, roots and modules, with the records that they share."""

from __future__ import annotations

from typing import Any

from gradviz.graph import Argument, Graph, Hook, Saved, TensorMeta
from gradviz.view.labels.wording import shape
from gradviz.view.payload.columns import Columns, Places, Texts, columns, differences


class Records:
    """Everything that is kept once, however many nodes have it."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.lists: Places[tuple[int, ...]] = Places()
        self._metas: Places[TensorMeta] = Places()
        self._hooks: Places[Hook] = Places()
        self._arguments: Places[Argument] = Places()
        self._saved: Places[tuple[str, TensorMeta | None, int | None, str, str | None]] = Places()
        self._known: dict[tuple[Any, ...], int] = {}  # lists that were placed before, by what they hold

    def meta(self, meta: TensorMeta | None) -> int:
        """The place of a TensorMeta, -1 for None."""
        return -1 if meta is None else self._metas[meta]

    def hook(self, hook: Hook) -> int:
        """The place of a hook."""
        return self._hooks[hook]

    def metas(self, metas: tuple[TensorMeta, ...]) -> int:
        """The place of a list of them."""
        return self._list(metas, self._metas)

    def hooks(self, hooks: tuple[Hook, ...]) -> int:
        """The place of a list of hooks."""
        return self._list(hooks, self._hooks)

    def arguments(self, arguments: tuple[Argument, ...]) -> int:
        """The place of a list of arguments."""
        return self._list(arguments, self._arguments)

    def saved(self, saved: tuple[Saved, ...]) -> int:
        """The place of a list of saved tensors. Their storages differ from node to node and are kept apart."""
        return self._list(tuple((s.name, s.meta, s.bytes, s.state, s.hook) for s in saved), self._saved)

    def _list(self, values: tuple[Any, ...], places: Places[Any]) -> int:
        place = self._known.get(values) if values else self.lists[()]
        if place is None:
            place = self._known[values] = self.lists[tuple(places[value] for value in values)]
        return place

    def tables(self) -> dict[str, Any]:
        """The records, once everything else has been written."""
        text, optional = self.texts.__getitem__, self.texts.optional
        saved = [(text(s[0]), self.meta(s[1]), _known(s[2]), text(s[3]), optional(s[4])) for s in self._saved]
        metas = [(_shape(m, self.texts), text(m.dtype), text(m.device), optional(_unusual(m))) for m in self._metas]
        return {
            "metas": columns(("shape", "dtype", "device", "layout"), metas),
            "hooks": columns(
                ("kind", "owner", "name", "where"),
                [(text(h.kind), text(h.owner), text(h.name), optional(h.where)) for h in self._hooks],
            ),
            "arguments": columns(("name", "formula"), [(text(a.name), text(a.formula)) for a in self._arguments]),
            "saved": columns(("name", "meta", "bytes", "state", "hook"), saved),
            "strings": self.texts.visible(),
            "lists": list(self.lists),
        }


def write_graph(graph: Graph, records: Records) -> dict[str, Any]:
    """The sections of a graph; the records that they name are added to ``records``."""
    index = {node.id: place for place, node in enumerate(graph.nodes)}
    storages = (item.storage for node in graph.nodes for item in node.saved)
    return {
        "nodes": _nodes(graph, records),
        "storages": differences(map(_known, storages)),
        "edges": _edges(graph, records, index),
        "dead_ends": _dead_ends(graph, records, index),
        "leaves": _leaves(graph, records, index),
        "roots": _roots(graph, records, index),
        "modules": columns(("path", "class"), [(records.texts[path], records.texts[c]) for path, c in graph.modules]),
        "module_hooks": differences(map(records.hook, graph.hooks)),
    }


def _nodes(graph: Graph, records: Records) -> Columns:
    text, optional = records.texts.__getitem__, records.texts.optional
    return columns(
        ("op", "kind", "module", "inferred", "where", "function", "arguments", "slots", "saved", "hooks", "order"),
        (
            (
                text(node.op),
                text(node.kind),
                optional(node.module),
                node.module_inferred,
                optional(node.where),
                optional(node.function),
                records.arguments(node.arguments),
                records.metas(node.slots),
                records.saved(node.saved),
                records.hooks(node.hooks),
                node.order,
            )
            for node in graph.nodes
        ),
    )


def _edges(graph: Graph, records: Records, index: dict[str, int]) -> Columns:
    optional = records.texts.optional
    return columns(
        ("source", "source_slot", "target", "target_slot", "name"),
        ((index[e.source], e.source_slot, index[e.target], e.target_slot, optional(e.name)) for e in graph.edges),
    )


def _dead_ends(graph: Graph, records: Records, index: dict[str, int]) -> Columns:
    optional = records.texts.optional
    return columns(
        ("source", "source_slot", "name", "tensor", "why"),
        (
            (index[end.source], end.source_slot, optional(end.name), optional(end.tensor), optional(end.why))
            for end in graph.dead_ends
        ),
    )


def _leaves(graph: Graph, records: Records, index: dict[str, int]) -> Columns:
    return columns(
        (
            *("name", "aliases", "parameter", "meta", "is_leaf", "requires_grad", "retains_grad", "grad", "version"),
            *("node", "hooks"),
        ),
        (
            (
                records.texts.optional(leaf.name),
                records.lists[tuple(records.texts[alias] for alias in leaf.aliases)],
                leaf.parameter,
                records.meta(leaf.meta),
                leaf.is_leaf,
                leaf.requires_grad,
                leaf.retains_grad,
                records.meta(leaf.grad),
                _known(leaf.version),
                -1 if leaf.node is None else index[leaf.node],
                records.hooks(leaf.hooks),
            )
            for leaf in graph.leaves
        ),
    )


def _roots(graph: Graph, records: Records, index: dict[str, int]) -> Columns:
    text = records.texts.__getitem__
    return columns(
        ("before", "after", "kind", "node", "slot", "meta"),
        (
            (text(r.access[0]), text(r.access[1]), text(r.kind), index[r.node], r.slot, records.meta(r.meta))
            for r in graph.roots
        ),
    )


def _known(number: int | None) -> int:
    return -1 if number is None else number


def _shape(meta: TensorMeta, text: Texts) -> int:
    return text["" if meta.shape is None else shape(meta)]


def _unusual(meta: TensorMeta) -> str | None:
    return None if meta.layout == "strided" else meta.layout
