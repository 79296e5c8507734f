"""Graph <-> JSON-ready data: what ``json.dump`` can write, with a versioned schema, and read back to an equal Graph.

Every fact is an object with the field names of ``facts``; tuples are lists, modules are an object of class names by
path. What each field must be is read from its annotation there, so that nothing damaged becomes a Graph. A change that
an older reader would misunderstand raises ``VERSION``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from gradviz.errors import GradvizError

if TYPE_CHECKING:
    from gradviz.graph.graph import Graph

SCHEMA = "gradviz.graph"
VERSION = 1
_UNCHANGED = "pass what Graph.to_dict() made, unchanged"


def to_dict(graph: Graph) -> dict[str, Any]:
    """See ``Graph.to_dict``."""
    sections = {field.name: _plain(getattr(graph, field.name)) for field in fields(graph)}
    return {"schema": SCHEMA, "version": VERSION, **sections, "modules": dict(graph.modules)}


def from_dict(kind: type[Graph], data: Any) -> Graph:
    """See ``Graph.from_dict``; ``kind`` is Graph."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _unreadable(
            "it does not say that it is a gradviz.graph", "pass what Graph.to_dict() made, or json.load of it"
        )
    if data.get("version") != VERSION:
        reason = f"it has version {data.get('version')!r} of the schema, this gradviz reads version {VERSION}"
        raise _unreadable(reason, "read it with the version of gradviz that wrote it, or trace again")
    sections = {key: value for key, value in data.items() if key not in ("schema", "version")}
    annotations = get_type_hints(kind)
    if set(sections) != set(annotations):
        wrong = ", ".join(sorted(map(repr, set(sections) ^ set(annotations))))
        raise _unreadable(f"its sections differ from those of a graph by {wrong}", _UNCHANGED)
    if not isinstance(sections["modules"], dict):
        raise _unreadable("modules is not an object of class names by path", _UNCHANGED)
    sections["modules"] = [list(module) for module in sections["modules"].items()]
    read = {}
    for name, annotation in annotations.items():
        try:
            read[name] = _reader(annotation)(sections[name])
        except _DamagedError as error:
            raise _unreadable(f"{name}{error}", _UNCHANGED) from None
    graph = kind(**read)
    _check(graph)
    return graph


class _DamagedError(Exception):
    """Its text continues the name of what is damaged: ``[3].slots[0] is 5, not …``."""


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: _plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [_plain(part) for part in value]
    return value


@cache
def _reader(annotation: Any) -> Callable[[Any], Any]:
    """What turns JSON into a value of the annotated type, or raises _DamagedError."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return _choice(arguments)
    if origin in (Union, UnionType):
        return _union([_reader(argument) for argument in arguments])
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return _list(_reader(arguments[0]))
        return _pair([_reader(argument) for argument in arguments])
    if hasattr(annotation, "_fields"):
        hints = get_type_hints(annotation)
        return _fact(annotation, {name: _reader(hints[name]) for name in annotation._fields})
    return _scalar(annotation)


def _scalar(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        raise _DamagedError(f" is {value!r:.80}, not of type {kind.__name__}")

    return read


def _choice(values: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if value in values:
            return value
        raise _DamagedError(f" is {value!r:.80}, not one of {', '.join(values)}")

    return read


def _union(readers: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        problem = _DamagedError()
        for reader in readers:
            try:
                return reader(value)
            except _DamagedError as error:
                problem = problem if problem.args else error
        raise problem

    return read


def _list(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise _DamagedError(f" is {value!r:.80}, not a list")
        found = []
        for index, part in enumerate(value):
            try:
                found.append(reader(part))
            except _DamagedError as error:
                raise _DamagedError(f"[{index}]{error}") from None
        return tuple(found)

    return read


def _pair(readers: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(readers):
            raise _DamagedError(f" is {value!r:.80}, not a list of {len(readers)}")
        return tuple(reader(part) for reader, part in zip(readers, value, strict=True))

    return read


def _fact(kind: Any, readers: dict[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, dict) or set(value) != set(readers):
            raise _DamagedError(f" is {value!r:.80}, not an object with the fields {', '.join(readers)}")
        found = {}
        for name, reader in readers.items():
            try:
                found[name] = reader(value[name])
            except _DamagedError as error:
                raise _DamagedError(f".{name}{error}") from None
        return kind(**found)

    return read


def _check(graph: Graph) -> None:
    """What holds for every traced graph, and what its own methods rely on."""
    if any(node.id != f"n{index}" for index, node in enumerate(graph.nodes)):
        raise _unreadable("its nodes are not n0, n1, … in this order", _UNCHANGED)
    index = {node.id: place for place, node in enumerate(graph.nodes)}
    named = [root.node for root in graph.roots] + [leaf.node for leaf in graph.leaves if leaf.node is not None]
    named += [end.source for end in graph.dead_ends] + [end for edge in graph.edges for end in edge[0:3:2]]
    unknown = next((name for name in named if name not in index), None)
    if unknown is not None:
        raise _unreadable(f"it mentions a node {unknown!r} that is not among its nodes", _UNCHANGED)
    ways = [(index[edge.source], edge.source_slot) for edge in graph.edges]
    ends = [(index[end.source], end.source_slot) for end in graph.dead_ends]
    if any(places != sorted(set(places)) for places in (ways, ends)) or not set(ways).isdisjoint(ends):
        raise _unreadable("its edges or dead ends are not in the order of their nodes and slots, each once", _UNCHANGED)
    reached = {index[root.node] for root in graph.roots}
    for edge in graph.edges:  # a walk from the roots finds nodes in the order in which they are numbered
        if index[edge.source] < index[edge.target]:
            reached.add(index[edge.target])
    if len(reached) != len(graph.nodes):
        raise _unreadable("some of its nodes are reached from no root", _UNCHANGED)
    if sorted(node.order for node in graph.nodes) != list(range(len(graph.nodes))) or any(
        graph[edge.source].order >= graph[edge.target].order for edge in graph.edges
    ):
        raise _unreadable("the order of its nodes is not one in which they can run", _UNCHANGED)


def _unreadable(reason: str, remedy: str) -> GradvizError:
    return GradvizError("This is not a graph that can be read back", reason, remedy)
