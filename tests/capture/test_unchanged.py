"""A trace changes nothing: each kind of graph, its tensors and torch itself are afterwards as they were."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from gradviz.capture.trace import trace
from tests.capture.live import backward, raw_walk, tensors_of, trace_here
from tests.capture.zoo.catalogue import KINDS, KINDS_AND_SEARCHES
from tests.capture.zoo.sample import Builder, Sample, built, leaf

every_kind = pytest.mark.parametrize("build", KINDS.values(), ids=KINDS)
every_kind_and_search = pytest.mark.parametrize(("build", "hooks"), KINDS_AND_SEARCHES.values(), ids=KINDS_AND_SEARCHES)
next_sequence_number = torch._C._autograd._get_sequence_nr


def facts(tensor: torch.Tensor) -> tuple[Any, ...]:
    """All that a trace could change on a tensor."""
    reads_gradient = tensor.is_leaf or tensor.retains_grad
    hooks = tensor._backward_hooks, tensor._post_accumulate_grad_hooks
    return (
        tensor.requires_grad,
        tensor.is_leaf,
        tensor.retains_grad,
        id(tensor.grad) if reads_gradient else None,
        [None if found is None else [id(hook) for hook in found.values()] for found in hooks],
        None if tensor.is_inference() else tensor._version,
        sorted(getattr(tensor, "__dict__", {})),
    )


def torch_state() -> tuple[Any, ...]:
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch._C._is_torch_function_enabled(),
        torch.get_rng_state().tolist(),
        torch._C._autograd._saved_tensors_hooks_is_enabled(),
    )


@every_kind_and_search
def test_tensors_modules_and_torch_stay_as_they_are(build: Builder, hooks: Any) -> None:
    sample = built(build)
    tensors = tensors_of(raw_walk(sample.root_list), sample.root_list, sample.model)
    state = {} if sample.model is None else {k: v.clone() for k, v in sample.model.state_dict().items()}
    before, torch_before, calls = [facts(tensor) for tensor in tensors], torch_state(), list(sample.calls)
    number = next_sequence_number()
    graph = trace_here(sample.outputs, model=sample.model, hooks=hooks)
    taken = next_sequence_number() - number
    assert taken == sum(root.kind == "leaf" for root in graph.roots)
    assert [facts(tensor) for tensor in tensors] == before
    assert torch_state() == torch_before
    assert sample.calls == calls
    assert all(torch.equal(value, state[key]) for key, value in _state(sample).items() if not value.is_meta)


@every_kind
def test_nodes_get_no_metadata(build: Builder) -> None:
    sample = built(build)
    trace(sample.outputs, model=sample.model)
    assert all(node.metadata == {} for node in raw_walk(sample.root_list).nodes.values())


@every_kind_and_search
def test_backward_gives_what_it_gives_without_a_trace(build: Builder, hooks: Any) -> None:
    sample, twin = built(build), built(build)
    if not sample.runnable:
        pytest.skip("its backward cannot be run")
    trace(sample.outputs, model=sample.model, hooks=hooks)
    torch.manual_seed(1)  # a checkpointed forward that is run again draws numbers
    gradients = _gradients(sample)
    torch.manual_seed(1)
    expected = _gradients(twin)
    assert gradients
    assert all(_same(one, other) for one, other in zip(gradients, expected, strict=True))
    assert sample.calls == twin.calls


def test_it_works_the_same_where_no_gradients_are_recorded() -> None:
    loss = (leaf(3) * 2).sum()
    expected = trace(loss)
    with torch.no_grad():
        assert trace(loss) == expected
        assert not torch.is_grad_enabled()
    with torch.inference_mode():
        assert trace(loss) == expected
        assert torch.is_inference_mode_enabled()


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_a_leaf_alone_is_traced_where_no_gradients_are_recorded(mode: Any) -> None:
    w = leaf(3)
    expected = trace(w)
    with mode():
        assert trace(w) == expected


def test_a_stale_view_gets_the_node_that_torch_makes_when_it_is_first_looked_at() -> None:
    base = leaf(4) * 1
    view = base[:2]
    base.mul_(2)
    number = next_sequence_number()
    graph = trace(view)
    assert next_sequence_number() == number + 1
    assert [node.op for node in graph.nodes] == ["AsStridedBackward0", "MulBackward0", "MulBackward0", "AccumulateGrad"]
    assert trace(view) == graph
    assert next_sequence_number() == number + 1


def _state(sample: Sample) -> dict[str, torch.Tensor]:
    return {} if sample.model is None else sample.model.state_dict()


def _gradients(sample: Sample) -> list[torch.Tensor]:
    nodes = raw_walk(sample.root_list).nodes.values()
    variables = [node.variable for node in nodes if type(node).__name__ == "AccumulateGrad"]
    backward(sample.root_list)
    return [variable.grad for variable in variables if variable.grad is not None]


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.is_meta:
        return one.shape == other.shape
    if one.is_nested:
        return all(map(torch.equal, one.unbind(), other.unbind()))
    return torch.equal(one.to_dense(), other.to_dense())
