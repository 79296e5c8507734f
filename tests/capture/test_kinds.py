"""What kind of node each special operation is, and in which state its saved tensors are."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from gradviz.capture.kinds import short_name
from gradviz.capture.trace import trace
from gradviz.graph import Graph, Node
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf

# Graph of the zoo, an operation in it, how often it is there, its kind.
KIND_OF_OPERATION = [
    ("chain", "AccumulateGrad", 1, "leaf"),
    ("chain", "ExpBackward0", 1, "op"),
    ("views", "TBackward0", 1, "view"),
    ("views", "ViewBackward0", 1, "view"),
    ("views", "ExpandBackward0", 1, "view"),
    ("views", "SliceBackward0", 1, "view"),
    ("unbind_uses_two_slots", "UnbindBackward0", 1, "view"),
    ("split_and_chunk", "SplitBackward0", 2, "view"),
    ("in_place", "MulBackward0", 2, "op"),
    ("copy_slices", "CopySlices", 2, "in_place"),
    ("slice_of_a_buffer", "CopySlices", 1, "in_place"),
    ("view_of_a_changed_base", "AsStridedBackward0", 1, "view"),
    ("double_backward", "MulBackward1", 1, "op"),
    ("gradient_kept_with_graph", "CopyBackwards", 1, "op"),
    ("foreach", "ForeachExpBackward0", 1, "op"),
    ("without_autograd_kernel", "WarnNotImplemented", 1, "op"),
    ("custom_function", "ScaledSumBackward", 1, "custom"),
    ("custom_function_setup_context", "WithSetupBackward", 1, "custom"),
    ("custom_function_once_differentiable", "Error", 1, "op"),
    ("checkpoint_non_reentrant", "AddmmBackward0", 2, "checkpoint"),
    ("checkpoint_non_reentrant", "TBackward0", 2, "view"),
    ("checkpoint_reentrant", "CheckpointFunctionBackward", 1, "checkpoint"),
    ("saved_tensors_hooks", "MulBackward0", 1, "op"),
    ("module_backward_hooks", "BackwardHookFunctionBackward", 4, "custom"),
    ("library_operation", "GeneratedBackwardFor_gradviz_zoo_triple_defaultBackward", 1, "custom"),
    ("nested_jagged", "NestedGetValuesBackward0", 1, "view"),
    ("sparse_addmm", "SparseAddmmBackward0", 1, "op"),
    ("complex_numbers", "ConjBackward0", 1, "view"),
    ("complex_numbers", "ViewAsRealBackward0", 1, "view"),
    ("dtensor", "RedistributeBackward", 1, "custom"),
    ("dtensor", "_ToTorchTensorBackward", 1, "custom"),
    ("weight_norm", "WeightNormInterfaceBackward0", 1, "op"),
    ("autocast", "ToCopyBackward0", 5, "op"),
    ("lstm_mkldnn", "MkldnnRnnLayerBackward0", 1, "op"),
    ("attention", "ScaledDotProductFlashAttentionForCpuBackward0", 1, "op"),
    ("attention_with_dropout", "SafeSoftmaxBackward0", 1, "op"),
]

# Graph of the zoo, an operation in it, and the state of each thing that such nodes save.
STATES_OF_SAVED = [
    ("parallel_edges", "MulBackward0", {"self": "held", "other": "held"}),
    ("detached_in_the_middle", "MulBackward0", {"self": "absent", "other": "held"}),
    ("custom_function", "ScaledSumBackward", {0: "held", 1: "absent", 2: "held", "kept": "held", "pair[0]": "held"}),
    ("checkpoint_non_reentrant", "TanhBackward0", {"result": "hooked"}),
    ("checkpoint_reentrant", "CheckpointFunctionBackward", {0: "held", "fwd_cpu_state": "held"}),
    ("saved_tensors_hooks", "MulBackward0", {"self": "hooked", "other": "hooked"}),
    (
        "saved_tensors_hooks",
        "ScaledSumBackward",
        {0: "hooked", 1: "absent", 2: "hooked", "kept": "held", "pair[0]": "held"},
    ),
    ("save_on_cpu", "ExpBackward0", {"result": "hooked"}),
    ("freed_by_backward", "LogsumexpBackward0", {"self": "freed", "result": "freed"}),
    ("freed_by_backward", "NoneGradientsBackward", {"": "freed"}),
    ("freed_list_of_tensors", "IndexPutBackward0", {"indices": "freed"}),
    ("retained_graph", "ExpBackward0", {"result": "held"}),
    ("stale_saved_tensor", "ExpBackward0", {"result": "stale"}),
    (
        "stale_in_custom_function",
        "ScaledSumBackward",
        {0: "stale", 1: "absent", 2: "held", "kept": "held", "pair[0]": "held"},
    ),
    ("frozen_weights", "AddmmBackward0", {"mat1": "absent", "mat2": "absent"}),
    ("sort_and_max", "SortBackward0", {"indices": "held"}),
    ("foreach", "ForeachExpBackward0", {}),
]


def traced(kind: str) -> Graph:
    sample = built(KINDS[kind])
    return trace(sample.outputs, model=sample.model)


@pytest.mark.parametrize(("kind", "op", "count", "expected"), KIND_OF_OPERATION)
def test_kind_of_operation(kind: str, op: str, count: int, expected: str) -> None:
    found = Counter(node.kind for node in traced(kind).nodes if node.op == op)
    assert found == {expected: count}


@pytest.mark.parametrize(("kind", "op", "states"), STATES_OF_SAVED)
def test_states_of_saved_tensors(kind: str, op: str, states: dict[str | int, str]) -> None:
    node = last(traced(kind), op)
    assert {saved.name: saved.state for saved in node.saved} == {_label(node, key): s for key, s in states.items()}


@pytest.mark.parametrize("kind", ["checkpoint_non_reentrant", "checkpoint_reentrant", "saved_tensors_hooks"])
def test_no_unpack_hook_and_no_forward_is_run(kind: str) -> None:
    sample = built(KINDS[kind])
    calls = list(sample.calls)
    trace(sample.outputs, model=sample.model, hooks="all")
    assert sample.calls == calls


def test_what_packed_a_saved_tensor_is_named() -> None:
    unpack = last(traced("checkpoint_non_reentrant"), "TanhBackward0").saved[0].hook
    assert unpack is not None
    assert unpack.startswith("_checkpoint_hook.__init__.unpack_hook (torch/utils/checkpoint.py:")


def test_a_graph_that_was_run_backward_says_so() -> None:
    note = "Part of this graph has been run backward: its saved tensors are freed."
    assert note in traced("freed_by_backward").notes
    assert note not in traced("retained_graph").notes


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("AddBackward0", "AddBackward0"),
        ("torch::autograd::CopySlices", "CopySlices"),
        ("torch::autograd::CppNode<my::ns::Function>", "CppNode<my::ns::Function>"),
        ("struct torch::autograd::Error", "Error"),
    ],
)
def test_namespaces_are_left_out(name: str, short: str) -> None:
    assert short_name(name) == short


def test_classes_with_one_python_type_are_told_apart() -> None:
    exps, sines = torch._foreach_exp([leaf(2)]), torch._foreach_sin([leaf(2)])
    ops = [node.op for node in trace([exps[0], sines[0]]).nodes]
    assert ops == ["ForeachExpBackward0", "ForeachSinBackward0", "AccumulateGrad", "AccumulateGrad"]


def last(graph: Graph, op: str) -> Node:
    return [node for node in graph.nodes if node.op == op][-1]


def _label(node: Node, key: str | int) -> str:
    """Of a custom Function, ``save_for_backward``'s are numbered and the ctx's own attributes are named."""
    if node.kind == "op" or (node.kind == "checkpoint" and "Function" not in node.op):
        return str(key)
    if isinstance(key, int):
        return f"saved_tensors[{key}]"
    return f"ctx.{key}" if key else "saved_tensors"
