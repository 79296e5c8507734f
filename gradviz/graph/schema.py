"""Graph <-> JSON-ready data: what ``json.dump`` can write, with a versioned schema, and read back to an equal Graph.

Every fact is an object with the field names of ``facts``; tuples are lists. A change that an older reader would
misunderstand raises ``VERSION``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gradviz.errors import GradvizError
from gradviz.graph.facts import Argument, DeadEnd, Edge, Hook, Leaf, Node, Root, Saved, TensorMeta
from gradviz.graph.graph import Graph

SCHEMA = "gradviz.graph"
VERSION = 1
_Fact = TypeVar("_Fact", bound=tuple[Any, ...])


def to_dict(graph: Graph) -> dict[str, Any]:
    """See ``Graph.to_dict``."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "roots": [_plain(root) for root in graph.roots],
        "nodes": [_plain(node) for node in graph.nodes],
        "edges": [edge._asdict() for edge in graph.edges],
        "dead_ends": [end._asdict() for end in graph.dead_ends],
        "leaves": [_plain(leaf) for leaf in graph.leaves],
        "modules": dict(graph.modules),
        "hooks": [hook._asdict() for hook in graph.hooks],
        "notes": list(graph.notes),
    }


def from_dict(data: Any) -> Graph:
    """See ``Graph.from_dict``."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _unreadable(
            "it does not say that it is a gradviz.graph", "pass what Graph.to_dict() made, or json.load of it"
        )
    if data.get("version") != VERSION:
        reason = f"it has version {data.get('version')!r} of the schema, this gradviz reads version {VERSION}"
        raise _unreadable(reason, "read it with the version of gradviz that wrote it, or trace again")
    graph = Graph(
        roots=_all(data, "roots", _root),
        nodes=_all(data, "nodes", _node),
        edges=_all(data, "edges", lambda entry: _fact(Edge, entry)),
        dead_ends=_all(data, "dead_ends", lambda entry: _fact(DeadEnd, entry)),
        leaves=_all(data, "leaves", _leaf),
        modules=_all(data, "modules", _module),
        hooks=_all(data, "hooks", lambda entry: _fact(Hook, entry)),
        notes=_all(data, "notes", str),
    )
    _check_references(graph)
    return graph


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: _plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [_plain(part) for part in value]
    return value


def _all(data: dict[str, Any], section: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
    entries = data.get(section)
    expected = dict if section == "modules" else list
    if not isinstance(entries, expected):
        raise _unreadable(f"{section!r} is not a {expected.__name__}", "pass what Graph.to_dict() made, unchanged")
    found = []
    for position, entry in enumerate(entries.items() if isinstance(entries, dict) else entries):
        try:
            found.append(read(entry))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            reason = f"entry {position} of {section!r} is damaged: {error}"
            raise _unreadable(reason, "pass what Graph.to_dict() made, unchanged") from error
    return tuple(found)


def _fact(kind: type[_Fact], entry: dict[str, Any], **read: Any) -> _Fact:
    """An entry as a fact; ``read`` gives the fields that are not plain values."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]  # a NamedTuple
    if set(entry) != set(fields):
        wrong = sorted(set(entry) ^ set(fields))
        raise ValueError(f"its fields differ from those of {kind.__name__} by {', '.join(wrong)}")
    return kind(**{**entry, **read})


def _meta(entry: dict[str, Any] | None) -> TensorMeta | None:
    if entry is None:
        return None
    return _fact(TensorMeta, entry, shape=None if entry["shape"] is None else tuple(entry["shape"]))


def _hooks(entries: list[dict[str, Any]]) -> tuple[Hook, ...]:
    return tuple(_fact(Hook, hook) for hook in entries)


def _root(entry: dict[str, Any]) -> Root:
    before, after = entry["access"]
    return _fact(Root, entry, access=(before, after), meta=_meta(entry["meta"]))


def _node(entry: dict[str, Any]) -> Node:
    return _fact(
        Node,
        entry,
        arguments=tuple(_fact(Argument, argument) for argument in entry["arguments"]),
        slots=tuple(_meta(slot) for slot in entry["slots"]),
        saved=tuple(_fact(Saved, saved, meta=_meta(saved["meta"])) for saved in entry["saved"]),
        hooks=_hooks(entry["hooks"]),
    )


def _leaf(entry: dict[str, Any]) -> Leaf:
    return _fact(
        Leaf,
        entry,
        aliases=tuple(entry["aliases"]),
        meta=_meta(entry["meta"]),
        grad=_meta(entry["grad"]),
        hooks=_hooks(entry["hooks"]),
    )


def _module(entry: tuple[str, str]) -> tuple[str, str]:
    path, name = entry
    return str(path), str(name)


def _check_references(graph: Graph) -> None:
    ids = {node.id for node in graph.nodes}
    named = [root.node for root in graph.roots] + [leaf.node for leaf in graph.leaves if leaf.node is not None]
    named += [end.source for end in graph.dead_ends] + [
        end for edge in graph.edges for end in (edge.source, edge.target)
    ]
    unknown = next((name for name in named if name not in ids), None)
    if unknown is not None:
        raise _unreadable(f"it mentions a node {unknown!r} that is not among its nodes", "pass it unchanged")
    if len(ids) != len(graph.nodes) or any(node.id != f"n{index}" for index, node in enumerate(graph.nodes)):
        raise _unreadable("its nodes are not n0, n1, … in this order", "pass it unchanged")


def _unreadable(reason: str, remedy: str) -> GradvizError:
    return GradvizError("This is not a graph that can be read back", reason, remedy)
