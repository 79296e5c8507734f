"""Saved tensors: what they are, how large, which of them share a storage, and what a whole graph holds."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from gradviz.capture.trace import trace
from gradviz.graph import Graph, Saved, TensorMeta
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf

F32 = "float32"


def meta(*shape: int, dtype: str = F32, layout: str = "strided", device: str = "cpu") -> TensorMeta:
    return TensorMeta(shape, dtype, device, layout)


def saved(graph: Graph, op: str) -> dict[str, Saved]:
    return {one.name: one for node in graph.nodes if node.op == op for one in node.saved}


def test_shapes_bytes_and_shared_storages_of_a_linear_layer() -> None:
    linear, x = nn.Linear(4, 3), leaf(2, 4)
    graph = trace(linear(x).exp().sum(), model=linear)
    assert graph.nodes[1].saved == (Saved("result", meta(2, 3), 24, 0, "held"),)
    assert graph.nodes[2].saved == (
        Saved("mat1", meta(2, 4), 32, 1, "held"),
        Saved("mat2", meta(4, 3), 48, 2, "held"),
    )
    assert graph.saved_bytes == 24 + 32 + 48


def test_a_storage_counts_once_and_in_full() -> None:
    base = leaf(10)
    head, tail = base[:2], base[8:]
    graph = trace((head * tail).sum())
    assert graph.nodes[1].saved == (
        Saved("other", meta(2), 40, 0, "held"),
        Saved("self", meta(2), 40, 0, "held"),
    )
    assert graph.saved_bytes == 40


def test_bytes_of_a_graph_are_those_of_its_distinct_storages() -> None:
    x, y = leaf(5), leaf(5)
    e = x.exp()  # saves its result, which mul and sin share
    graph = trace((e * y + e.sin()).sum())
    storages = {one.storage for node in graph.nodes for one in node.saved}
    assert len([one for node in graph.nodes for one in node.saved]) == 4
    assert storages == {0, 1}
    assert graph.saved_bytes == 2 * 20


def test_packed_and_freed_tensors_are_not_counted() -> None:
    assert trace(built(KINDS["save_on_cpu"]).outputs).saved_bytes == 0
    assert trace(built(KINDS["freed_by_backward"]).outputs).saved_bytes == 0


def test_a_packed_tensor_is_described_where_it_still_is_one() -> None:
    def unpack(_: torch.Tensor) -> torch.Tensor:
        raise AssertionError

    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.half(), unpack):
        loss = leaf(3).exp().sum()
    (result,) = trace(loss).nodes[1].saved
    assert (result.meta, result.bytes, result.storage, result.state) == (meta(3, dtype="float16"), None, None, "hooked")
    assert result.hook is not None
    assert result.hook.startswith("test_a_packed_tensor_is_described_where_it_still_is_one.unpack (")
    assert result.hook.rpartition(":")[0].endswith("tests/capture/test_saved.py")


def test_what_a_custom_function_saves_and_keeps_on_its_ctx() -> None:
    graph = trace(built(KINDS["custom_function"]).outputs)
    assert graph.nodes[1].saved == (
        Saved("saved_tensors[0]", meta(3), 12, 0, "held"),
        Saved("saved_tensors[1]", None, None, None, "absent"),
        Saved("saved_tensors[2]", meta(3), 12, 1, "held"),
        Saved("ctx.kept", meta(3), 12, 2, "held"),
        Saved("ctx.pair[0]", meta(3), 12, 0, "held"),  # shares x's storage
    )


def test_lists_of_tensors_have_one_entry_each() -> None:
    rows, columns = torch.tensor([0, 1]), torch.tensor([1, 1])
    graph = trace(leaf(2, 2)[rows, columns].sum())
    assert graph.nodes[1].saved == (
        Saved("indices[0]", meta(2, dtype="int64"), 16, 0, "held"),
        Saved("indices[1]", meta(2, dtype="int64"), 16, 1, "held"),
    )


@pytest.mark.parametrize(
    ("kind", "op", "name", "shape", "layout", "size"),
    [
        ("sparse_addmm", "SparseAddmmBackward0", "mat1", (3, 3), "sparse_coo", None),
        ("nested_jagged", "SinBackward0", "self", (2, "j1", 3), "jagged", 5 * 3 * 4),
        ("nested_strided", "SinBackward0", "self", None, "strided", 5 * 4 * 4),
        ("dtensor", "MmBackward0", "self", (2, 4), "strided", 2 * 4 * 4),
        ("meta_device", "AddmmBackward0", "mat1", (2, 4), "strided", 2 * 4 * 4),
        ("complex_root", "SinBackward0", "self", (3,), "strided", 3 * 16),
        ("empty", "MmBackward0", "self", (0, 3), "strided", 0),
    ],
)
def test_tensors_that_are_not_plain(
    kind: str, op: str, name: str, shape: tuple[Any, ...] | None, layout: str, size: int | None
) -> None:
    found = saved(trace(built(KINDS[kind]).outputs), op)[name]
    assert found.meta is not None
    assert (found.meta.shape, found.meta.layout, found.bytes) == (shape, layout, size)
    assert found.state == "held"


def test_a_number_is_saved_as_a_tensor() -> None:
    graph = trace((leaf(3) * 2.5).sum())
    assert saved(graph, "MulBackward0")["other"] == Saved("other", meta(dtype="float64"), 8, 0, "held")


def test_an_expanded_tensor_counts_its_one_storage() -> None:
    row = torch.randn(1, 4)
    graph = trace((leaf(1000, 4) * row.expand(1000, 4)).sum())
    assert saved(graph, "MulBackward0")["other"] == Saved("other", meta(1000, 4), 16, 0, "held")


def test_stale_tensors_are_told_from_those_that_were_changed_before_they_were_saved() -> None:
    a = leaf(3) * 1
    a.add_(1)  # before
    b = a.exp()
    c = b * a
    b.add_(1)  # after
    graph = trace(c.sum())
    assert {one.name: one.state for one in graph.nodes[1].saved} == {"self": "stale", "other": "held"}
    assert saved(graph, "ExpBackward0")["result"].state == "stale"
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        c.sum().backward()


def test_under_hooks_staleness_is_not_asked_for() -> None:
    a = leaf(3) * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda _: pytest.fail("unpacked")):
        c = a * a
    a.add_(1)
    assert [one.state for one in trace(c).nodes[0].saved] == ["hooked", "hooked"]


class SaveAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *tensors: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(*tensors)
        return tensors[0] * 1


@pytest.mark.parametrize(
    ("changed", "before", "states"),
    [
        ([], [0, 1], ["held", "held", "held", "held"]),
        ([0], [], ["stale", "held", "held", "stale"]),  # the first and the last are one tensor
        ([1], [], ["held", "stale", "held", "held"]),
        ([2], [1], ["held", "unknown", "unknown", "held"]),  # both are at version 1, one of them was when it was saved
        ([1, 2, 2], [], ["held", "stale", "unknown", "held"]),  # torch only tells the first
        ([1], [0, 0], ["held", "stale", "held", "unknown"]),
    ],
)
def test_stale_entries_of_a_list(changed: list[int], before: list[int], states: list[str]) -> None:
    tensors = [leaf(2) * 1 for _ in range(3)]
    for index in before:
        tensors[index].add_(1)
    result = SaveAll.apply(*tensors, tensors[0])
    for index in changed:
        tensors[index].add_(1)
    graph = trace(result)
    assert [one.state for one in graph.nodes[0].saved] == states
    assert "Part of this graph has been run backward: its saved tensors are freed." not in graph.notes


def test_an_absent_entry_beside_a_stale_one_is_not_freed() -> None:
    index = torch.tensor([0, 1])
    result = leaf(2, 2)[:, index]
    index.add_(0)
    graph = trace(result)
    assert [(one.name, one.state) for one in graph.nodes[0].saved] == [
        ("indices[0]", "absent"),
        ("indices[1]", "stale"),
    ]
    assert not any("freed" in note for note in graph.notes)


def test_slots_describe_what_arrives() -> None:
    values, _ = leaf(3, 4, dtype=torch.float64).sort()
    graph = trace(values)
    assert graph.nodes[0].slots == (TensorMeta((3, 4), "float64", "cpu", None),)
    assert graph.roots[0].meta == TensorMeta((3, 4), "float64", "cpu", "strided")
    first, _, last = leaf(3, 2).unbind()
    assert trace(first + last).nodes[1].slots == (TensorMeta((2,), F32, "cpu", None),) * 3


def test_slots_of_nested_tensors() -> None:
    assert trace(built(KINDS["nested_strided"]).outputs).nodes[2].slots == (TensorMeta(None, F32, "cpu"),)
    assert trace(built(KINDS["nested_jagged"]).outputs).nodes[2].slots == (TensorMeta((2, "j1", 3), F32, "cpu"),)
