"""Graphs of tensors that are not plain: nested, sparse, complex, distributed, of every size, type and device."""

from __future__ import annotations

import functools
import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F  # noqa: N812  (as everybody calls it)

from tests.capture.zoo.sample import Builder, Sample, leaf, linear


def _nested(layout: torch.layout) -> torch.Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls nested tensors a prototype
        return torch.nested.nested_tensor([torch.randn(2, 4), torch.randn(3, 4)], layout=layout, requires_grad=True)


def nested_jagged() -> Sample:
    return Sample(linear()(_nested(torch.jagged)).sin().values().sum())


def nested_jagged_root() -> Sample:
    return Sample(_nested(torch.jagged) * 2)


def nested_strided() -> Sample:
    nested = (_nested(torch.strided) * 2).sin()
    return Sample(torch.nested.to_padded_tensor(nested, 0.0).sum())


def sparse_addmm() -> Sample:
    matrix = torch.eye(3).to_sparse().requires_grad_()
    return Sample(torch.sparse.addmm(leaf(3, 2), matrix, leaf(3, 2)).sum())


def sparse_embedding() -> Sample:
    embedding = nn.Embedding(5, 3, sparse=True)
    return Sample(embedding(torch.tensor([1, 2, 1])).exp().sum(), model=embedding)


def sparse_leaf_with_gradient() -> Sample:
    embedding = nn.Embedding(5, 3, sparse=True)
    embedding(torch.tensor([1])).sum().backward()
    return Sample(embedding(torch.tensor([2])).sum(), model=embedding)


def complex_numbers() -> Sample:
    z = leaf(3, dtype=torch.complex64)
    return Sample(torch.view_as_real(z.conj() * z.exp()).sum())


def complex_root() -> Sample:
    return Sample(leaf(3, dtype=torch.complex128).sin())


def half_precision() -> Sample:
    return Sample((leaf(3, dtype=torch.float16).exp() + leaf(3, dtype=torch.bfloat16)).double().sum())


def float64() -> Sample:
    return Sample((leaf(2, 2, dtype=torch.float64) @ leaf(2, 2, dtype=torch.float64)).sum())


def zero_dimensional() -> Sample:
    return Sample(leaf() * leaf() + 1)


def empty() -> Sample:
    return Sample((leaf(0, 3) @ leaf(3, 0)).sum() + leaf(0).sum())


def many_dimensions() -> Sample:
    return Sample(leaf(*[1] * 40).exp().sum())


def meta_device() -> Sample:
    model = nn.Linear(4, 3, device="meta")
    return Sample(model(torch.randn(2, 4, device="meta")).relu().sum(), model=model)


def cpu_and_meta() -> Sample:
    return Sample(leaf(3).exp().to("meta").sum(), runnable=False)


def inference_tensor_beside() -> Sample:
    with torch.inference_mode():
        constant = torch.ones(3)
    return Sample((leaf(3) + constant).exp().sum())


def tied_weights() -> Sample:
    encoder, decoder = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
    decoder.weight = encoder.weight
    model = nn.ModuleDict({"encoder": encoder, "decoder": decoder})
    return Sample(decoder(encoder(torch.tensor([1, 3]))).logsumexp(1).sum(), model=model)


def frozen_weights() -> Sample:
    model = nn.Sequential(linear(4, 4), nn.ReLU(), linear(4, 4), linear(4, 2))
    model[0].requires_grad_(False)
    model[2].weight.requires_grad_(False)
    return Sample(model(torch.randn(2, 4)).sum(), model=model)


def weight_norm() -> Sample:
    model = nn.utils.parametrizations.weight_norm(linear())
    return Sample(model(torch.randn(2, 4)).sum(), model=model)


def functorch_result() -> Sample:
    w = leaf(3)
    gradient = torch.func.grad(lambda x: (x * w).exp().sum())(torch.randn(3))
    return Sample(gradient.sum())


def vmap_result() -> Sample:
    w = leaf(3)
    return Sample(torch.func.vmap(lambda x: (x * w).exp().sum())(torch.randn(4, 3)).sum())


def jvp_result() -> Sample:
    w = leaf(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch itself scripts what it needs, and deprecates that
        _, tangent = torch.func.jvp(lambda x: (x * w).sin(), (torch.randn(3),), (torch.ones(3),))
    return Sample(tangent.sum())


@functools.cache
def _mesh() -> dist.DeviceMesh:
    """One process of gloo; the session's fixture ends it."""
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    return dist.init_device_mesh("cpu", (1,))


def dtensor() -> Sample:
    from torch.distributed.tensor import Shard, distribute_tensor

    weight = nn.Parameter(distribute_tensor(torch.randn(4, 4), _mesh(), [Shard(0)]))
    value = distribute_tensor(torch.randn(2, 4), _mesh(), [Shard(0)])
    return Sample(F.linear(value, weight).redistribute(_mesh(), [Shard(1)]).to_local().exp().sum())


BUILDERS: tuple[Builder, ...] = (
    nested_jagged,
    nested_jagged_root,
    nested_strided,
    sparse_addmm,
    sparse_embedding,
    sparse_leaf_with_gradient,
    complex_numbers,
    complex_root,
    half_precision,
    float64,
    zero_dimensional,
    empty,
    many_dimensions,
    meta_device,
    cpu_and_meta,
    inference_tensor_beside,
    tied_weights,
    frozen_weights,
    weight_norm,
    functorch_result,
    vmap_result,
    jvp_result,
    dtensor,
)
