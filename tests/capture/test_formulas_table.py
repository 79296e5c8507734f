"""The table: read as a YAML parser reads it, and complete for the installed torch."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import yaml

from gradviz.capture.formulas import operation, read_table


@pytest.mark.parametrize(
    ("class_name", "schema", "formulas_by_name"),
    [
        (
            "MulBackward0",
            "mul.Tensor(Tensor self, Tensor other) -> Tensor",
            {
                "self": "mul_tensor_backward(grad, other, self.scalar_type())",
                "other": "mul_tensor_backward(grad, self, other.scalar_type())",
            },
        ),
        (
            "UnbindBackward0_copy",
            "unbind_copy.int(Tensor self, int dim=0) -> Tensor[]",
            {"self": "unbind_backward(grads, dim)"},
        ),
        (
            "ForeachMulBackward0List",
            "_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]",
            {
                "self": "mul_tensor_backward(grads[i], other[i], self[i].scalar_type())",
                "other": "mul_tensor_backward(grads[i], self[i], other[i].scalar_type())",
            },
        ),
        (
            "ForeachTanhBackward0",
            "_foreach_tanh(Tensor[] self) -> Tensor[]",
            {"self": "tanh_backward(grads[i], result[i])"},
        ),
    ],
)
def test_schema_and_formulas(class_name: str, schema: str, formulas_by_name: dict[str, str]) -> None:
    found = operation(class_name)
    assert found.schema == schema
    assert {argument.name: argument.formula for argument in found.arguments} == formulas_by_name


def packaged(path: str) -> str:
    return (Path(importlib.util.find_spec("torchgen").origin).parent / "packaged" / path).read_text(encoding="utf-8")


def test_the_installed_table_reads_as_a_yaml_parser_reads_it() -> None:
    table = packaged("autograd/derivatives.yaml")
    expected = []
    for entry in yaml.load(table, yaml.CSafeLoader):
        arguments = [argument.name for argument in torch._C.parse_schema(f"aten::{entry['name']}").arguments]
        for definition in entry.get("dispatch", {"Default": entry}).values():
            by_name = {name.strip(): value for names, value in definition.items() for name in names.split(",")}
            differentiable = {
                name: " ".join(by_name[name].split())
                for name in arguments
                if by_name.get(name, "non_differentiable").lower() != "non_differentiable"
            }
            if differentiable:
                expected.append((entry["name"], list(differentiable.items())))
    operations = read_table(table).values()
    assert [(found.schema, [(name, text) for name, text, _ in found.arguments]) for found in operations] == expected


def test_every_class_that_torch_generates_has_an_operation() -> None:
    by_hand = {
        *("AccumulateGrad", "CopyBackwards", "CopySlices", "DelayedError", "Error"),
        *("NotImplemented", "SendRpcBackward", "UndefinedGrad", "UndefinedGradBackward"),
    }
    visible = {name for name in dir(torch._C._functions) if not name.startswith("__")}
    assert {name for name in visible if operation(name) is None} <= by_hand
    assert len(visible - by_hand) >= 600
    # The header also has those that Python sees only as CppFunction: all on lists of tensors.
    header = Path(torch.__file__).parent / "include/torch/csrc/autograd/generated/Functions.h"
    declaration = re.compile(r"^struct TORCH_API (\w+) : public \w+", flags=re.MULTILINE)
    structs = declaration.findall(header.read_text(encoding="utf-8"))
    assert [name for name in structs if operation(name) is None] == []
    assert sum(name.startswith("Foreach") for name in structs) >= 70
    assert set(read_table(packaged("autograd/derivatives.yaml"))) <= set(structs)


def test_arguments_and_aliases_agree_with_the_schemas_that_torch_registers() -> None:
    registered = {(schema.name, schema.overload_name): schema for schema in torch._C._jit_get_all_schemas()}
    views = set()
    for class_name in dir(torch._C._functions):
        found = operation(class_name)
        if found is None:
            continue
        name, _, overload = found.schema.partition("(")[0].partition(".")
        schema = registered[f"aten::{name}", overload]
        tensors = {argument.name: str(argument.type) for argument in schema.arguments if "Tensor" in str(argument.type)}
        assert [a.name for a in found.arguments] == [n for n in tensors if n in {a.name for a in found.arguments}]
        assert all(("List" in tensors[argument.name]) is argument.is_list for argument in found.arguments)
        aliases = [result.alias_info for result in schema.returns if result.alias_info is not None]
        assert found.is_view is any(not alias.is_write for alias in aliases), class_name
        if found.is_view:
            views.add(name)
    assert {"view", "transpose", "slice", "select", "unbind", "split", "expand", "diagonal", "as_strided"} <= views


HEADER = "# What torch writes above the table\n#   - name: not an entry\n\n"
BAR = "- name: bar(Tensor self) -> Tensor\n  self: grad\n"
FOO = """
- name: foo.one(Tensor self, Tensor other) -> Tensor
  other: "grad ? self
          : 0"  # folded
  self: 'grad'
  result: self_t
"""
FOO_AGAIN = "- name: foo.two(Tensor self) -> Tensor\n  # a remark\n  self: -grad  # another\n"
NO_GRADIENT = "- name: foo.none(Tensor self) -> Tensor\n  self: non_differentiable\n  output_differentiability: [no]\n"
PER_KEY = """
- name: foo.keys(Tensor(a) self, int[] x=[0, 1]) -> Tensor(a)
  dispatch:
    Default:
      self: grad
    AutogradCUDA:
      self: grad.cuda()
  output_differentiability: [True]
"""


def test_a_table() -> None:
    table = read_table(HEADER + FOO + NO_GRADIENT + BAR + PER_KEY + FOO_AGAIN)
    assert {name: [(a.name, a.formula) for a in found.arguments] for name, found in table.items()} == {
        "FooBackward0": [("self", "grad"), ("other", "grad ? self : 0")],
        "BarBackward0": [("self", "grad")],
        "FooBackward1": [("self", "grad")],
        "FooBackwardAutogradCUDA0": [("self", "grad.cuda()")],
        "FooBackward2": [("self", "-grad")],
    }
    assert [name for name, found in table.items() if found.is_view] == ["FooBackward1", "FooBackwardAutogradCUDA0"]


def test_reading_imports_neither_torch_nor_torchgen() -> None:
    script = (
        "import sys; from gradviz.capture.formulas import edge_names; names = edge_names('MulBackward0', 2);"
        "print(*names, sorted({'torch', 'torchgen', 'yaml'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split(maxsplit=2) == ["self", "other", "[]\n"]
