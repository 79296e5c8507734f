"""Which arguments a node class differentiates: their names, in the order of its edges, and their formulas.

torch generates its node classes from a table, ``derivatives.yaml``, which every wheel carries in ``torchgen``; this
module reads it.

- As text, once, when first asked: torchgen's own loader takes three seconds and PyYAML, which torch does not require.
- Names are never guessed. Classes are numbered by their place in the table, so an entry that cannot be read makes every
  later class of its operation unknown, and one without a readable schema makes all unknown. Then, as when there is no
  such file, nothing has a name. No error reaches the caller: a graph without names is still the graph.
- The i-th entry of ``next_functions`` belongs to the i-th argument that has a formula, in the order of the schema; a
  list of tensors takes one entry for each. In-place variants share the class of the operation that they are made of.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple


class Argument(NamedTuple):
    """A differentiable argument of an operation."""

    name: str  # as in the schema: "weight", "mat1"
    formula: str  # its gradient, C++ text on one line: "grad * other"; arguments may share one that returns a tuple
    is_list: bool  # a list of tensors, with one edge for each


class Operation(NamedTuple):
    """What torch publishes about the operation behind a node class."""

    schema: str  # "mm(Tensor self, Tensor mat2) -> Tensor"
    arguments: tuple[Argument, ...]  # the differentiable ones, in the order of next_functions
    is_view: bool  # the result shares memory with an argument, as that of transpose; in-place variants do not count


# Written by hand in torch, so in no table. Observed on torch 2.13: these two edges, wherever such a node is made.
_COPY_BACKWARDS: Final = ("self", "src")

_SCHEMA: Final = re.compile(r"(?P<name>\w+)(?:\.\w+)?\(.*\) -> .+")
_SCHEMA_ARGUMENT: Final = re.compile(r"(?P<type>[A-Za-z]\w*(?:\([^)]*\))?[\[\]\d?]*) (?P<name>\w+)")
_ALIAS: Final = re.compile(r"(?<=Tensor)\([^()!]+\)")
_KEY_LINE: Final = re.compile(r"(?P<key>\w+(?:, *\w+)*):(?: +(?P<value>.*))?")
_FOREACH_CLASS: Final = re.compile(r"Foreach(?P<each>\w+Backward\d+)(?P<overload>[A-Za-z]*)")


@functools.lru_cache(maxsize=4096)  # torch has about 750 classes; custom Functions can be made without end
def operation(class_name: str) -> Operation | None:
    """The operation whose gradient the node class ``class_name`` computes.

    The class name is what the node's ``name()`` says: ``AddmmBackward0``. ``ViewBackward0_copy`` gives ``view_copy``;
    ``ForeachExpBackward0`` gives ``_foreach_exp``, with formulas for the i-th tensor of its lists. None for custom
    Functions and wherever torch publishes no formula or its table cannot be read. Nothing is raised.
    """
    published = _published_operations()
    if class_name in published:
        return published[class_name]
    if class_name.endswith("_copy"):
        view = published.get(class_name.removesuffix("_copy"))
        return _copy_of(view) if view and view.is_view else None
    foreach = _FOREACH_CLASS.fullmatch(class_name)
    each = published.get(foreach["each"]) if foreach else None
    return _for_each(each, foreach["overload"]) if foreach and each else None


@functools.lru_cache(maxsize=4096)
def edge_names(class_name: str, edges: int) -> tuple[str | None, ...]:
    """The argument behind each of the ``edges`` entries in the ``next_functions`` of a node.

    ``class_name`` is what the node's ``name()`` says. An argument has its name also where its entry leads nowhere;
    lists give ``tensors[0]``, ``tensors[1]``, …; None stands for what cannot be known. Nothing is raised.
    """
    class_name = class_name.removeprefix("torch::autograd::")
    if class_name == "CopySlices" and edges:
        # The other edges are those of the in-place operation that wrote into the view; torch does not say which it was.
        return ("base", *[None] * (edges - 1))
    if class_name == "CopyBackwards":
        names: tuple[str, ...] = _COPY_BACKWARDS
    else:
        found = operation(class_name)
        names = _names_per_edge(found, edges) if found else ()
    return names if len(names) == edges else (None,) * edges


def read_table(table: str) -> dict[str, Operation]:
    """The operations of a ``derivatives.yaml``, given as text, by node class; only those whose number is certain."""
    operations: dict[str, Operation] = {}
    numbers: Counter[str] = Counter()
    unreadable: set[str] = set()
    for item in f"\n{table}".split("\n- ")[1:]:  # what precedes the first item is comment
        first_line, _, definition = item.partition("\n")
        schema = _SCHEMA.fullmatch(first_line.removeprefix("name:").strip())
        if schema is None:
            return {}
        stem = _class_stem(schema["name"])
        if stem in unreadable:
            continue
        try:
            by_dispatch_key = _operations_of(schema.string, definition)
        except ValueError:
            unreadable.add(stem)
            continue
        for dispatch_key, found in by_dispatch_key.items():
            prefix = stem + dispatch_key
            operations[f"{prefix}{numbers[prefix]}"] = found
            numbers[prefix] += 1
    return operations


@functools.cache
def _published_operations() -> dict[str, Operation]:
    return read_table(_packaged("autograd/derivatives.yaml"))


@functools.cache
def _foreach_schemas() -> dict[str, str]:
    """Schemas of the operations on lists, by name and overload. The table leaves out those that are derived."""
    functions = _packaged("ATen/native/native_functions.yaml")
    schemas = re.findall(r"^- func: (_foreach_.+\) -> .+)", functions, flags=re.MULTILINE)
    return {schema.partition("(")[0]: schema for schema in schemas}


def _packaged(path: str) -> str:
    """A text file that torch's wheel carries in torchgen; empty where there is none that can be read."""
    try:
        spec = importlib.util.find_spec("torchgen")
        folder = Path(spec.origin).parent if spec and spec.origin else None
        return (folder / "packaged" / path).read_text(encoding="utf-8") if folder else ""
    except (OSError, ValueError):  # find_spec itself raises ValueError for a module without a spec
        return ""


def _class_stem(operation_name: str) -> str:
    """``_softmax`` gives ``SoftmaxBackward``: the rule by which torch's code generator names classes."""
    words = "".join(word.title() for word in operation_name.split("_"))
    return f"{words}Backward".replace("ForwardBackward", "Backward")


def _operations_of(schema: str, definition: str) -> dict[str, Operation]:
    """One entry's operations by dispatch key, the default's being empty. ValueError if the entry is not as expected."""
    types = _argument_types(schema)
    values = _values(definition)
    depth = 3 if ("dispatch",) in values else 1  # dispatch: Default: self: formula; or self: formula
    formulas: dict[str, dict[str, str]] = {}
    for path, value in values.items():
        if len(path) > depth:
            raise ValueError(path)
        dispatch_key = path[1].replace("Default", "") if depth == len(path) == 3 else ""
        for name in path[-1].split(",") if len(path) == depth else ():
            # Keys that are no arguments are the results, with formulas for forward-mode differentiation.
            if name.strip() in types and (formula := _scalar(value)).lower() != "non_differentiable":
                formulas.setdefault(dispatch_key, {})[name.strip()] = formula
    is_view = _ALIAS.search(schema, schema.rindex(") -> ")) is not None
    operations = {}
    for dispatch_key, found in formulas.items():
        arguments = [Argument(name, found[name], "[" in kind) for name, kind in types.items() if name in found]
        operations[dispatch_key] = Operation(schema, tuple(arguments), is_view)
    return operations


def _argument_types(schema: str) -> dict[str, str]:
    """The type of every argument by its name, in order: ``{"self": "Tensor", "dims": "int[]"}``."""
    arguments = _SCHEMA_ARGUMENT.finditer(schema, schema.index("("), schema.rindex(") -> "))
    return {argument["name"]: argument["type"] for argument in arguments}


def _values(definition: str) -> dict[tuple[str, ...], str]:
    """The values of a nested YAML mapping by their path of keys, as written; "" for a key that only opens a mapping."""
    values: dict[tuple[str, ...], str] = {}
    path: tuple[str, ...] = ()
    indentations: list[int] = []
    for line in definition.splitlines():
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        indentation = line.index(content)
        if path and indentation > indentations[-1] and values[path]:
            values[path] += " " + content  # deeper than its key: the value goes on
            continue
        key_line = _KEY_LINE.fullmatch(content)
        if key_line is None:
            raise ValueError(content)
        while indentations and indentations[-1] >= indentation:
            indentations.pop()
        path = (*path[: len(indentations)], key_line["key"])
        indentations.append(indentation)
        values[path] = key_line["value"] or ""
    return values


def _scalar(value: str) -> str:
    """The text of a plain or quoted YAML scalar on one line. ValueError for every other kind of value."""
    if value.startswith(('"', "'")):
        text, closing, rest = value[1:].partition(value[0])
        readable = closing and "\\" not in text and not rest.partition(" #")[0].strip()
    else:
        text = value.partition(" #")[0]
        readable = text and text[0] not in "|>&*!%@`[]{}#,?:"
    if not readable:
        raise ValueError(value)
    return " ".join(text.split())


def _copy_of(view: Operation) -> Operation:
    """The variant that torch makes of every view, with the same derivatives, but with a result of its own memory."""
    name, parenthesis, rest = view.schema.partition("(")
    name, dot, overload = name.partition(".")
    return Operation(f"{name}_copy{dot}{overload}{parenthesis}{_ALIAS.sub('', rest)}", view.arguments, is_view=False)


def _for_each(each: Operation, overload: str) -> Operation | None:
    """The operation on lists that torch derives from ``each``, an operation on tensors, argument by argument."""
    name = "_foreach_" + re.split(r"[.(]", each.schema)[0]
    schema = _foreach_schemas().get(f"{name}.{overload}" if overload else name)
    if schema is None:
        return None
    # The list form may lack the last arguments (alpha), so the two need not be equally long.
    own = dict(zip(_argument_types(each.schema), _argument_types(schema).items(), strict=False))
    spelling = {"grad": "grads[i]", "result": "result[i]"}
    spelling |= {original: name + "[i]" * ("[" in kind) for original, (name, kind) in own.items()}
    words = re.compile(rf"\b(?:{'|'.join(spelling)})\b")
    arguments = []
    for original, formula, _ in each.arguments:
        name, kind = own.get(original, ("", ""))
        if not kind.startswith("Tensor"):
            return None
        arguments.append(Argument(name, words.sub(lambda word: spelling[word[0]], formula), "[" in kind))
    return Operation(schema, tuple(arguments), is_view=False)


def _names_per_edge(found: Operation, edges: int) -> tuple[str, ...]:
    """A name for each edge, lists expanded; too few or too many names where the number of edges does not fit."""
    lists = sum(argument.is_list for argument in found.arguments)
    in_lists = edges - (len(found.arguments) - lists)
    # Only the operations on lists demand that all their lists be equally long.
    if lists > 1 and not found.schema.startswith("_foreach_"):
        return ()
    names: list[str] = []
    for name, _, is_list in found.arguments:
        names += [f"{name}[{index}]" for index in range(in_lists // lists)] if is_list else [name]
    return tuple(names)
