"""Graphs of built-in operations: every shape that edges, slots and dead ends can have."""

from __future__ import annotations

import warnings

import torch
from torch.autograd.graph import get_gradient_edge
from torch.nn import functional as F  # noqa: N812  (as everybody calls it)

from tests.capture.zoo.sample import Builder, Sample, leaf


def chain() -> Sample:
    return Sample((leaf(3) * 2).exp().sum())


def beyond_500_hops() -> Sample:
    value = leaf(2)
    for step in range(510):
        value = value + 1 if step % 3 else value * value
    return Sample(value.sum())


def parallel_edges() -> Sample:
    w = leaf(3)
    return Sample((w * w + w).sum())


def diamond() -> Sample:
    w = leaf(3)
    a = w.exp()
    return Sample((a.sin() * a.cos() + a).sum())


def leaf_alone() -> Sample:
    return Sample(leaf(3))


def several_roots() -> Sample:
    w = leaf(3)
    a = w * 2
    roots = (a.sum(), a.exp(), w, a)
    return Sample(roots, roots)


def one_root_given_twice() -> Sample:
    loss = leaf(3).exp()
    return Sample([loss, loss], (loss, loss))


def gradient_edges() -> Sample:
    w = leaf(4, 3)
    first, second = w.unbind()[:2]
    edges = (get_gradient_edge(second), get_gradient_edge(first.sum()), get_gradient_edge(w))
    return Sample(list(edges), edges)


def unbind_uses_two_slots() -> Sample:
    first, _, third = leaf(3, 4).unbind()
    return Sample((first * third).sum())


def split_and_chunk() -> Sample:
    w = leaf(6, 2)
    a, b = w.split(3)
    c, _ = b.chunk(2)
    return Sample(a.sum() + c.sum())


def sort_and_max() -> Sample:
    w = leaf(3, 4)
    return Sample(w.sort().values.sum() + w.max(1).values.sum())


def cat_of_leaves() -> Sample:
    parts = [leaf(2) for _ in range(7)]
    return Sample(torch.cat([*parts, torch.ones(2)]).exp().sum())


def stack_with_dead_ends() -> Sample:
    w = leaf(2)
    return Sample(torch.stack([w, torch.zeros(2), w * 2, torch.ones(2)]).sum())


def convolution_without_bias() -> Sample:
    return Sample(F.conv2d(torch.randn(1, 2, 5, 5), leaf(3, 2, 3, 3)).sum())


def views() -> Sample:
    return Sample(leaf(2, 6).view(3, 4).t().unsqueeze(0).expand(2, 4, 3)[:, 1:].reshape(-1).sum())


def in_place() -> Sample:
    a = leaf(3) * 1
    a.mul_(2).add_(leaf(3)).exp_()
    return Sample(a.sum())


def copy_slices() -> Sample:
    base = leaf(4, 3) * 1
    base[1] = leaf(3)
    base[2:].mul_(2)
    return Sample(base.sum())


def slice_of_a_buffer() -> Sample:
    buffer = torch.zeros(4, 3)
    buffer[0] = leaf(3)
    return Sample(buffer.sum())


def view_of_a_changed_base() -> Sample:
    base = leaf(4) * 1
    view = base[:2]
    base.mul_(2)
    return Sample((view * base[2:]).sum())


def double_backward() -> Sample:
    x = leaf(3)
    (gradient,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    return Sample(gradient.pow(2).sum() + x.sum())


def gradient_kept_with_graph() -> Sample:
    x = leaf(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the cycle, which is broken by hand below
        (x**3).sum().backward(create_graph=True)
    loss = x.grad.pow(2).sum()
    x.grad = None
    return Sample(loss)


def foreach() -> Sample:
    results = torch._foreach_exp([leaf(2), leaf(3)])
    return Sample(sum(result.sum() for result in results))


def without_autograd_kernel() -> Sample:
    return Sample(torch.ops.gradviz_zoo.no_formula(leaf(3)).sum(), runnable=False)  # backward would warn, and give None


def gather_and_scatter() -> Sample:
    index = torch.tensor([[0, 1], [1, 0]])
    return Sample(leaf(2, 2).gather(1, index).scatter(0, index, leaf(2, 2))[index].sum())


def where_with_masked_fill() -> Sample:
    w = leaf(2, 3)
    return Sample(torch.where(w > 0, w, leaf(3)).masked_fill(w > 1, 0.0).sum())


def einsum_and_norm() -> Sample:
    return Sample(torch.einsum("ij,kj->ik", leaf(2, 3), leaf(4, 3)).norm())


def detached_in_the_middle() -> Sample:
    w = leaf(3)
    return Sample((w * w.exp().detach()).sum())


_LIBRARY = torch.library.Library("gradviz_zoo", "DEF")
_LIBRARY.define("no_formula(Tensor x) -> Tensor")
_LIBRARY.impl("no_formula", lambda x: x.detach().clone(), "CPU")

BUILDERS: tuple[Builder, ...] = (
    chain,
    beyond_500_hops,
    parallel_edges,
    diamond,
    leaf_alone,
    several_roots,
    one_root_given_twice,
    gradient_edges,
    unbind_uses_two_slots,
    split_and_chunk,
    sort_and_max,
    cat_of_leaves,
    stack_with_dead_ends,
    convolution_without_bias,
    views,
    in_place,
    copy_slices,
    slice_of_a_buffer,
    view_of_a_changed_base,
    double_backward,
    gradient_kept_with_graph,
    foreach,
    without_autograd_kernel,
    gather_and_scatter,
    where_with_masked_fill,
    einsum_and_norm,
    detached_in_the_middle,
)
