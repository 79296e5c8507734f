"""Names of edges on real nodes: each is proved by making only that argument require grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (as everybody calls it)

from gradviz.capture.formulas import edge_names, operation

Shape = tuple[int, ...]

INDEX = torch.tensor([0, 1])
MASK = torch.tensor([[True, False, True], [False, True, True]])
SQUARE = (2, 2)
WIDE = (2, 3)
IMAGE = (1, 2, 4, 4)
HEADS = (1, 2, 3, 4)


def wide(*names: str) -> dict[str, Shape]:
    return dict.fromkeys(names, WIDE)


# Node class, what makes it, and the shape of each argument by its name, in the order of the call.
CASES: list[tuple[str, Callable[..., Any], dict[str, Shape]]] = [
    # one argument
    ("ExpBackward0", torch.exp, wide("self")),
    ("Log1PBackward0", torch.log1p, wide("self")),
    ("ReluBackward0", torch.relu, wide("self")),
    ("LogSoftmaxBackward0", lambda a: a.log_softmax(1), wide("self")),
    ("SumBackward0", torch.sum, wide("self")),
    ("SumBackward1", lambda a: a.sum(1), wide("self")),
    ("MaxBackward0", lambda a: a.max(1).values, wide("self")),
    ("SortBackward0", lambda a: a.sort().values, wide("self")),
    ("CumsumBackward0", lambda a: a.cumsum(0), wide("self")),
    ("EmbeddingBackward0", lambda a: F.embedding(INDEX, a), wide("weight")),
    ("NllLossBackward0", lambda a: F.nll_loss(a, INDEX), wide("self")),
    ("MaxPool2DWithIndicesBackward0", lambda a: F.max_pool2d(a, 2), {"self": IMAGE}),
    ("IndexBackward0", lambda a: a[INDEX], wide("self")),
    ("CloneBackward0", torch.clone, wide("self")),
    ("RepeatBackward0", lambda a: a.repeat(2, 1), wide("self")),
    ("UnsafeViewBackward0", lambda a: torch.ops.aten._unsafe_view(a, [6]), wide("self")),
    ("ToCopyBackward0", lambda a: a.double(), wide("self")),
    # several
    ("AddBackward0", torch.add, wide("self", "other")),
    ("RsubBackward0", torch.rsub, wide("self", "other")),
    ("MulBackward0", torch.mul, wide("self", "other")),
    ("DivBackward0", torch.div, wide("self", "other")),
    ("PowBackward1", torch.pow, wide("self", "exponent")),
    ("PowBackward2", lambda a: torch.pow(2.0, a), wide("exponent")),
    ("Atan2Backward0", torch.atan2, wide("self", "other")),
    ("MaximumBackward0", torch.maximum, wide("self", "other")),
    ("ClampBackward0", torch.clamp, wide("self", "min", "max")),
    ("WhereBackward0", lambda a, b: torch.where(MASK, a, b), wide("self", "other")),
    ("LerpBackward0", lambda a, b: torch.lerp(a, b, 0.5), wide("self", "end")),
    ("LerpBackward1", torch.lerp, wide("self", "end", "weight")),
    ("AddcmulBackward0", torch.addcmul, wide("self", "tensor1", "tensor2")),
    ("AddcdivBackward0", torch.addcdiv, wide("self", "tensor1", "tensor2")),
    ("DotBackward0", torch.dot, {"self": (3,), "tensor": (3,)}),
    ("MvBackward0", torch.mv, {"self": WIDE, "vec": (3,)}),
    ("MmBackward0", torch.mm, {"self": WIDE, "mat2": (3, 4)}),
    ("BmmBackward0", torch.bmm, {"self": (1, 2, 3), "mat2": (1, 3, 4)}),
    ("AddmmBackward0", torch.addmm, {"self": (2, 4), "mat1": WIDE, "mat2": (3, 4)}),
    ("AddmmBackward0", F.linear, {"mat1": WIDE, "mat2": (4, 3), "self": (4,)}),
    ("AddmvBackward0", torch.addmv, {"self": (2,), "mat": WIDE, "vec": (3,)}),
    ("AddrBackward0", torch.addr, {"self": WIDE, "vec1": (2,), "vec2": (3,)}),
    ("AddbmmBackward0", torch.addbmm, {"self": (2, 4), "batch1": (1, 2, 3), "batch2": (1, 3, 4)}),
    ("BaddbmmBackward0", torch.baddbmm, {"self": (1, 2, 4), "batch1": (1, 2, 3), "batch2": (1, 3, 4)}),
    ("CdistBackward0", torch.cdist, {"x1": WIDE, "x2": (4, 3)}),
    ("TrilinearBackward0", lambda *t: torch._trilinear(*t, [], [], [], [1]), wide("i1", "i2", "i3")),
    ("ConvolutionBackward0", F.conv2d, {"input": IMAGE, "weight": (3, 2, 3, 3), "bias": (3,)}),
    (
        "NativeLayerNormBackward0",
        lambda x, w, b: F.layer_norm(x, (3,), w, b),
        {"input": WIDE, "weight": (3,), "bias": (3,)},
    ),
    (
        "NativeBatchNormBackward0",
        lambda x, w, b: F.batch_norm(x, torch.zeros(3), torch.ones(3), w, b, training=True),
        {"input": WIDE, "weight": (3,), "bias": (3,)},
    ),
    (
        "NativeGroupNormBackward0",
        lambda x, w, b: F.group_norm(x, 1, w, b),
        {"input": IMAGE, "weight": (2,), "bias": (2,)},
    ),
    ("PreluKernelBackward0", torch.ops.aten._prelu_kernel, {"self": WIDE, "weight": (3,)}),
    ("MseLossBackward0", F.mse_loss, wide("self", "target")),
    ("SmoothL1LossBackward0", F.smooth_l1_loss, wide("self", "target")),
    ("BinaryCrossEntropyWithLogitsBackward0", F.binary_cross_entropy_with_logits, wide("self", "target")),
    ("IndexPutBackward0", lambda a, v: a.index_put((INDEX,), v), wide("self", "values")),
    ("IndexAddBackward0", lambda a, s: a.index_add(0, INDEX, s), wide("self", "source")),
    ("IndexCopyBackward0", lambda a, s: a.index_copy(0, INDEX, s), wide("self", "source")),
    ("ScatterBackward0", lambda a, s: a.scatter(1, INDEX[:, None], s), wide("self", "src")),
    ("ScatterAddBackward0", lambda a, s: a.scatter_add(1, INDEX[:, None], s), wide("self", "src")),
    ("MaskedFillBackward1", lambda a, v: a.masked_fill(MASK, v), {"self": WIDE, "value": ()}),
    ("MaskedScatterBackward0", lambda a, s: a.masked_scatter(MASK, s), wide("self", "source")),
    ("SliceScatterBackward0", lambda a, s: a.slice_scatter(s, 1, 0, 2), {"self": WIDE, "src": SQUARE}),
    ("SelectScatterBackward0", lambda a, s: a.select_scatter(s, 0, 1), {"self": WIDE, "src": (3,)}),
    ("LinalgCrossBackward0", torch.linalg.cross, wide("self", "other")),
    ("LinalgSolveExBackward0", torch.linalg.solve, {"A": SQUARE, "B": WIDE}),
    (
        "LinalgSolveTriangularBackward0",
        lambda b, a: torch.linalg.solve_triangular(a, b, upper=True),
        {"B": WIDE, "self": SQUARE},
    ),
    ("CholeskySolveBackward0", torch.cholesky_solve, {"self": WIDE, "input2": SQUARE}),
    ("ComplexBackward0", torch.complex, wide("real", "imag")),
    ("PolarBackward0", torch.polar, wide("abs", "angle")),
    (
        "GridSampler2DBackward0",
        lambda x, g: F.grid_sample(x, g, align_corners=False),
        {"input": IMAGE, "grid": (1, 2, 2, 2)},
    ),
    (
        "EmbeddingBagBackward0",
        lambda w, p: F.embedding_bag(INDEX[None], w, per_sample_weights=p, mode="sum"),
        {"weight": WIDE, "per_sample_weights": (1, 2)},
    ),
    (
        "ScaledDotProductFlashAttentionForCpuBackward0",
        F.scaled_dot_product_attention,
        {"query": HEADS, "key": HEADS, "value": HEADS},
    ),
    # lists of tensors: one edge each
    ("CatBackward0", lambda *t: torch.cat(t), wide("tensors[0]", "tensors[1]", "tensors[2]")),
    ("StackBackward0", lambda *t: torch.stack(t), wide("tensors[0]", "tensors[1]")),
    ("BlockDiagBackward0", torch.block_diag, {"tensors[0]": WIDE, "tensors[1]": SQUARE}),
    ("ForeachExpBackward0", lambda *t: torch._foreach_exp(t), {"self[0]": WIDE, "self[1]": SQUARE}),
    ("ForeachMulBackward1Scalar", lambda *t: torch._foreach_mul(t, 2), {"self[0]": WIDE, "self[1]": SQUARE}),
    ("ForeachAddBackward1ScalarList", lambda *t: torch._foreach_add(t, [1, 2]), {"self[0]": WIDE, "self[1]": SQUARE}),
    (
        "ForeachMulBackward0Tensor",
        lambda *t: torch._foreach_mul(t[:2], t[2]),
        {"self[0]": WIDE, "self[1]": SQUARE, "other": ()},
    ),
    (
        "ForeachMulBackward0List",
        lambda *t: torch._foreach_mul(t[:2], t[2:]),
        {"self[0]": WIDE, "self[1]": SQUARE, "other[0]": WIDE, "other[1]": SQUARE},
    ),
    ("ForeachDivBackward0", lambda *t: torch._foreach_div(t[:1], t[1:]), wide("self[0]", "other[0]")),
    (
        "ForeachLerpBackward1List",
        lambda *t: torch._foreach_lerp(t[:1], t[1:2], t[2:]),
        wide("self[0]", "tensors1[0]", "weights[0]"),
    ),
    ("ForeachNormBackward0", lambda *t: torch._foreach_norm(t), {"self[0]": WIDE, "self[1]": SQUARE}),
    # in place
    ("MulBackward0", lambda a, b: (a + 0).mul_(b), wide("self", "other")),
    ("AddcmulBackward0", lambda a, b, c: (a + 0).addcmul_(b, c), wide("self", "tensor1", "tensor2")),
    ("CopyBackwards", lambda a, b: (a + 0).copy_(b), wide("self", "src")),
    # views
    ("ViewBackward0", lambda a: a.view(6), wide("self")),
    ("ReshapeAliasBackward0", lambda a: torch.ops.aten._reshape_alias(a, [6], [1]), wide("self")),
    ("TransposeBackward0", lambda a: a.transpose(0, 1), wide("self")),
    ("TBackward0", torch.t, wide("self")),
    ("PermuteBackward0", lambda a: a.permute(1, 0), wide("self")),
    ("SliceBackward0", lambda a: a[:1], wide("self")),
    ("SelectBackward0", lambda a: a[0], wide("self")),
    ("UnbindBackward0", torch.unbind, wide("self")),
    ("SplitBackward0", lambda a: a.split(1), wide("self")),
    ("SplitWithSizesBackward0", lambda a: a.split((1, 1)), wide("self")),
    ("ExpandBackward0", lambda a: a.expand(4, 2, 3), wide("self")),
    ("DiagonalBackward0", torch.diagonal, {"self": SQUARE}),
    ("SqueezeBackward0", torch.squeeze, {"self": (1, 2)}),
    ("SqueezeBackward1", lambda a: a.squeeze(0), {"self": (1, 2)}),
    ("SqueezeBackward2", lambda a: a.squeeze((0, 2)), {"self": (1, 2, 1)}),
    ("UnsqueezeBackward0", lambda a: a.unsqueeze(0), wide("self")),
    ("AsStridedBackward0", lambda a: a.as_strided((2,), (1,)), wide("self")),
    ("UnfoldBackward0", lambda a: a.unfold(1, 2, 1), wide("self")),
    ("AliasBackward0", torch.ops.aten.alias, wide("self")),
    ("ViewAsComplexBackward0", torch.view_as_complex, {"self": SQUARE}),
    ("ViewAsRealBackward0", lambda a: torch.view_as_real(a.to(torch.complex64)), wide("self")),
    ("ConjBackward0", lambda a: a.to(torch.complex64).conj(), wide("self")),
    ("NegViewBackward0", torch._neg_view, wide("self")),
    ("ValuesBackward0", lambda a: a.to_sparse().values(), wide("self")),
    # their copying variants
    ("ViewBackward0_copy", lambda a: torch.view_copy(a, [6]), wide("self")),
    ("UnbindBackward0_copy", torch.unbind_copy, wide("self")),
    ("AsStridedBackward0_copy", lambda a: torch.as_strided_copy(a, (2,), (1,)), wide("self")),
]


def first_output(make: Callable[..., Any], shapes: dict[str, Shape], requiring_grad: set[str]) -> torch.Tensor:
    torch.manual_seed(0)
    # Positive values suit every operation above, and matrices near the identity are invertible.
    tensors = {
        name: torch.rand(shape) + 0.5 + (torch.eye(2) if shape == SQUARE else 0) for name, shape in shapes.items()
    }
    result = make(*(tensor.requires_grad_(name in requiring_grad) for name, tensor in tensors.items()))
    return result if isinstance(result, torch.Tensor) else result[0]


@pytest.mark.parametrize(("class_name", "make", "shapes"), CASES, ids=[case[0] for case in CASES])
def test_each_name_belongs_to_the_one_entry_that_appears_when_that_argument_requires_grad(
    class_name: str, make: Callable[..., Any], shapes: dict[str, Shape]
) -> None:
    node = first_output(make, shapes, set(shapes)).grad_fn
    assert node.name().removeprefix("torch::autograd::") == class_name
    names = edge_names(node.name(), len(node.next_functions))
    assert sorted(filter(None, names)) == sorted(shapes)
    assert len(names) == len(node.next_functions)
    for alone in shapes:
        node = first_output(make, shapes, {alone}).grad_fn
        assert node.name().removeprefix("torch::autograd::") == class_name
        assert [name for name, (child, _) in zip(names, node.next_functions, strict=True) if child] == [alone]


@pytest.mark.parametrize(("class_name", "make", "shapes"), CASES, ids=[case[0] for case in CASES])
def test_a_view_is_what_torch_makes_a_view(class_name: str, make: Callable[..., Any], shapes: dict[str, Shape]) -> None:
    found = operation(class_name)
    is_view = first_output(make, shapes, set(shapes))._is_view()
    assert (found.is_view if found else False) is is_view


def test_every_node_of_common_networks_has_names_for_all_its_edges() -> None:
    image, sequence = torch.rand(2, 3, 8, 8), torch.rand(2, 5, 8)
    layers = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 2)
    outputs = [
        F.cross_entropy(nn.Sequential(*layers)(image), INDEX),
        nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)(sequence).sum(),
        nn.LSTM(8, 4, num_layers=2, bidirectional=True)(sequence)[0].sum(),
        nn.GRU(8, 4)(sequence)[0].sum(),
    ]
    waiting = [output.grad_fn for output in outputs]
    seen = set(waiting)
    for node in waiting:
        assert None not in edge_names(node.name(), len(node.next_functions)), node.name()
        waiting += {child for child, _ in node.next_functions if child is not None and child not in seen}
        seen |= set(waiting)
    assert len(waiting) > 100


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors is in prototype stage:UserWarning")
def test_an_operation_with_a_derivative_of_its_own_for_nested_tensors() -> None:
    parts = [torch.rand(2, 3, requires_grad=True), torch.rand(1, 3)]
    nested = torch.nested.as_nested_tensor(parts, layout=torch.strided)
    assert nested.grad_fn.name() == "NestedTensorFromTensorListBackward0"
    assert edge_names(nested.grad_fn.name(), 2) == ("list[0]", "list[1]")
    node = nested.unbind()[0].grad_fn
    assert node.name() == "UnbindBackwardAutogradNestedTensor0"
    assert edge_names(node.name(), len(node.next_functions)) == ("self",)
    assert operation(node.name()).arguments != operation("UnbindBackward0").arguments
