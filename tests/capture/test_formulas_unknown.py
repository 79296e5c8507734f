"""What torch does not say has no name and no formula, and a damaged or missing table costs names, never a trace."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
import torch

from gradviz.capture import formulas
from gradviz.capture.formulas import edge_names, operation, read_table


class SecondArgumentWritten(torch.autograd.Function):
    """Writes into its second argument: edge 0 is still the base, so edge 1 is not the value that is written."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, written: torch.Tensor) -> torch.Tensor:
        ctx.mark_dirty(written)
        return written.mul_(weight)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("write", "edges"),
    [
        (lambda view, _: view.exp_(), 1),
        (lambda view, value: view.copy_(value), 2),
        (lambda view, value: view.mul_(value), 2),
        (lambda view, value: view.addcmul_(value, value), 3),
        (lambda view, value: SecondArgumentWritten.apply(value, view), 2),
    ],
    ids=["exp_", "copy_", "mul_", "addcmul_", "custom"],
)
def test_of_a_write_into_a_view_only_the_base_is_known(write: Callable[..., Any], edges: int) -> None:
    base = torch.ones(4, requires_grad=True) + 0
    history = base.grad_fn
    write(base[:2], torch.ones(2, requires_grad=True) + 0)
    node = base.grad_fn
    assert node.name() == "torch::autograd::CopySlices"
    assert len(node.next_functions) == edges
    assert node.next_functions[0][0] is history
    assert edge_names(node.name(), edges) == ("base",) + (None,) * (edges - 1)


@pytest.mark.parametrize(
    ("class_name", "edges", "expected"),
    [
        ("torch::autograd::AccumulateGrad", 0, ()),
        ("AddmmBackward0", 2, (None, None)),  # the table says three
        ("CatBackward0", 0, ()),
        ("ForeachMulBackward0List", 3, (None, None, None)),  # two lists of equal length
        ("ForeachAddBackward0Tensor", 1, ("other",)),
        ("ForeachAddBackward0Tensor", 0, ()),
        ("LstmMpsBackward0", 7, (None,) * 7),  # two lists of any length
        ("CopyBackwards", 1, (None,)),
        ("torch::autograd::CopySlices", 0, ()),
        ("torch::autograd::NotImplemented", 1, (None,)),
        ("MyFunctionBackward", 2, (None, None)),
        ("my_extension::MulBackward0", 2, (None, None)),
    ],
)
def test_what_is_not_certain_has_no_name(class_name: str, edges: int, expected: tuple[str | None, ...]) -> None:
    assert edge_names(class_name, edges) == expected


@pytest.mark.parametrize(
    "class_name",
    [
        "",
        "AccumulateGrad",
        "MulBackward",
        "MulBackward99",
        "MulBackward0_copy",
        "ForeachMulBackward0Nonsense",
        "ForeachMulBackward0Scalar",  # that of two tensors, with a number for the second: torch has no such class
        "ForeachViewBackward0",
    ],
)
def test_no_operation_where_torch_publishes_none(class_name: str) -> None:
    assert operation(class_name) is None


FOO = """
- name: foo.one(Tensor self, Tensor other) -> Tensor
  other: "grad ? self
          : 0"  # folded
  self: 'grad'
  result: self_t
"""
FOO_AGAIN = "- name: foo.two(Tensor self) -> Tensor\n  # a remark\n  self: -grad  # another\n"
BAR = "- name: bar(Tensor self) -> Tensor\n  self: grad\n"


@pytest.mark.parametrize(
    "definition",
    [
        "  self: |\n    grad\n",
        "  self: *anchor\n",
        "  self: [grad]\n",
        "  self: {formula: grad}\n",
        '  self: "grad\n',
        "  self: 'it''s'\n",
        '  self: "a \\" b"\n',
        '  self: "a \\x62"\n',
        "  self: grad\n  when:\n    cuda: grad\n",
        "  self:\n",
        "  self:\n    formula: grad\n",
        "  self: # nothing\n",
        "  self grad\n",
        "  ? self\n  : grad\n",
        "grad\n",
        "  dispatch:\n    Default:\n      self:\n        formula: grad\n",
    ],
)
def test_an_entry_that_cannot_be_read_makes_the_later_numbers_of_that_operation_unknown(definition: str) -> None:
    damaged = "- name: foo.new(Tensor self) -> Tensor\n" + definition
    assert list(read_table(FOO + damaged + FOO_AGAIN + BAR)) == ["FooBackward0", "BarBackward0"]


@pytest.mark.parametrize(
    "damaged",
    [
        "- name: foo\n  self: grad\n",
        "- dispatch: foo\n",
        "- name: foo(Tensor a)\n",
        "- \n",
        "- name: >\n    foo(Tensor a) -> Tensor\n",
    ],
)
def test_an_item_without_a_readable_schema_makes_all_unknown(damaged: str) -> None:
    assert read_table(FOO + damaged + BAR) == {}


@pytest.mark.parametrize("table", ["", "\n", "# only remarks\n", "a: mapping\n", "\x00\x01", "<html>"])
def test_what_is_no_table_has_no_operations(table: str) -> None:
    assert read_table(table) == {}


@pytest.fixture
def nothing_cached() -> Iterator[None]:
    def clear() -> None:
        for value in vars(formulas).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()

    clear()
    yield
    clear()


def no_spec(_: str) -> ModuleSpec | None:
    return None


def broken_spec(_: str) -> ModuleSpec | None:
    raise ValueError("torchgen.__spec__ is None")


def namespace_package(name: str) -> ModuleSpec | None:
    return ModuleSpec(name, None, is_package=True)


def no_file(name: str) -> ModuleSpec | None:
    return ModuleSpec(name, None, origin=str(Path(__file__).parent / "no_such_folder" / "__init__.py"))


@pytest.mark.usefixtures("nothing_cached")
@pytest.mark.parametrize("find_spec", [no_spec, broken_spec, namespace_package, no_file])
def test_without_the_table_nothing_has_a_name(
    monkeypatch: pytest.MonkeyPatch, find_spec: Callable[[str], ModuleSpec | None]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    assert operation("MulBackward0") is None
    assert operation("ViewBackward0_copy") is None
    assert operation("ForeachMulBackward0List") is None
    assert edge_names("MulBackward0", 2) == (None, None)


@pytest.mark.usefixtures("nothing_cached")
def test_a_table_that_is_not_text_gives_no_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = tmp_path / "packaged" / "autograd" / "derivatives.yaml"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"\xff\xfe\xff")
    spec = ModuleSpec("torchgen", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    assert edge_names("MulBackward0", 2) == (None, None)
