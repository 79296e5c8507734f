"""Every kind of cut, on the only way from one layer to the next: kind, operation, exact line, exact names."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.autograd import Variable
from torch.utils.checkpoint import checkpoint

from tests.capture.watch.cutting import FIRST, cuts_of, cuts_through, line, severing


def detach(h: Tensor) -> Tensor:
    return h.clone().detach()  # cut


def detach_in_place(h: Tensor) -> Tensor:
    h = h * 1
    h.detach_()  # cut
    return h + 1


def data(h: Tensor) -> Tensor:
    return h.data  # cut


def block(h: Tensor) -> Tensor:
    with torch.no_grad():  # opened
        return h * 2  # cut


@torch.no_grad()  # opened
def decorated(h: Tensor) -> Tensor:
    return h * 2  # cut


def generator(h: Tensor) -> Tensor:
    @torch.no_grad()  # opened
    def values() -> Any:
        yield h * 2  # cut

    return next(values())


def mode(h: Tensor) -> Tensor:
    with torch.set_grad_enabled(False):  # opened
        return h * 2  # cut


def call(h: Tensor) -> Tensor:
    torch.set_grad_enabled(False)  # opened
    h = h * 2  # cut
    torch.set_grad_enabled(True)
    return h


def inner(h: Tensor) -> Tensor:
    with torch.no_grad(), torch.enable_grad():
        h = h * 2
    with torch.no_grad():  # opened
        with torch.enable_grad():
            h = h * 2
        return h * 2  # cut


def inference(h: Tensor) -> Tensor:
    with torch.inference_mode():  # opened
        h = h * 2  # cut
    return h.clone()


def tensor(h: Tensor) -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.tensor(h)  # cut


def as_tensor(h: Tensor) -> Tensor:
    return torch.as_tensor(h.detach(), dtype=torch.float64).float()  # cut


def parameter(h: Tensor) -> Tensor:
    return nn.Parameter(h) * 1  # cut


def variable(h: Tensor) -> Tensor:
    return Variable(h.data, requires_grad=True)  # cut


def required_again(h: Tensor) -> Tensor:
    return h.detach().requires_grad_()  # cut


def numpy(h: Tensor) -> Tensor:
    array = h.detach().numpy()  # cut
    return torch.from_numpy(array[:, ::1])


def numpy_as_tensor(h: Tensor) -> Tensor:
    return torch.as_tensor(np.asarray(h.detach()))  # cut


def item(h: Tensor) -> Tensor:
    number = h.sum().item()  # cut
    return torch.ones(3, 2) * number


def listed(h: Tensor) -> Tensor:
    rows = h.tolist()  # cut
    return torch.tensor(rows)


def argmax(h: Tensor) -> Tensor:
    return nn.functional.one_hot(h.argmax(1), 2).float()  # cut


def compared(h: Tensor) -> Tensor:
    return (h > 0).float()  # cut


def cast(h: Tensor) -> Tensor:
    return h.round().long() * 1.0  # cut


def indices(h: Tensor) -> Tensor:
    _, order = h.sort()  # cut
    return torch.eye(2)[order[:, 0]]


def written(h: Tensor) -> Tensor:
    buffer = torch.zeros(3, 2)
    with torch.no_grad():  # opened
        buffer[:] = h  # cut
    return buffer


def written_into_a_view(h: Tensor) -> Tensor:
    buffer = torch.zeros(4, 2)
    row = buffer[1:]
    row.copy_(h.detach())  # cut
    return buffer[1:]


def written_as_integers(h: Tensor) -> Tensor:
    buffer = torch.zeros(3, 2, dtype=torch.int64)
    buffer[:, 0] = h[:, 0]  # cut
    return buffer.float()


def passed_on(h: Tensor) -> Tensor:
    stopped = [h.detach()]  # cut
    total = torch.cat([stopped[0], torch.zeros(1, 2)]).transpose(0, 1).t()[:3]
    return torch.add(total, other=torch.ones(3, 2)).contiguous()


class Constant(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, h: Tensor) -> Tensor:
        result = h * 2  # cut
        ctx.mark_non_differentiable(result)
        return result

    @staticmethod
    def backward(*_: Any) -> None:
        raise AssertionError


def custom(h: Tensor) -> Tensor:
    return Constant.apply(h)  # opened


@pytest.mark.parametrize(
    ("between", "kind", "operation"),
    [
        (detach, "detach", "detach"),
        (detach_in_place, "detach", "detach_"),
        (data, "data", "data"),
        (block, "no_grad", "mul"),
        (decorated, "no_grad", "mul"),
        (generator, "no_grad", "mul"),
        (mode, "grad_disabled", "mul"),
        (call, "grad_disabled", "mul"),
        (inner, "no_grad", "mul"),
        (inference, "inference_mode", "mul"),
        (tensor, "rewrap", "tensor"),
        (as_tensor, "rewrap", "as_tensor"),
        (parameter, "rewrap", "Parameter"),
        (variable, "rewrap", "Variable"),
        (required_again, "detach", "detach"),
        (numpy, "to_numpy", "numpy"),
        (numpy_as_tensor, "to_numpy", "array"),
        (item, "to_python", "item"),
        (listed, "to_python", "tolist"),
        (argmax, "nondifferentiable", "argmax"),
        (compared, "nondifferentiable", "gt"),
        (cast, "nondifferentiable", "long"),
        (indices, "nondifferentiable", "sort"),
        (written, "no_grad", "setitem"),
        (written_into_a_view, "detach", "detach"),
        (written_as_integers, "nondifferentiable", "setitem"),
        (passed_on, "detach", "detach"),
        (custom, "custom_function", "mul"),
    ],
)
def test_the_only_way_is_cut(between: Callable[[Tensor], Tensor], kind: str, operation: str) -> None:
    (cut,) = severing(cuts_through(between))
    assert (cut.kind, cut.operation, cut.severed) == (kind, operation, FIRST)
    assert cut.where is not None
    assert cut.where.line == line(Constant if between is custom else between, "cut")
    assert (cut.backward, cut.times, cut.suspected, cut.entered) == (0, 1, (), None)
    if "# opened" in inspect.getsource(between):
        assert cut.opened is not None
        assert cut.opened.line == line(between, "opened")
    else:
        assert cut.opened is None


def test_a_copy_is_trained_in_its_place() -> None:
    layer = nn.Linear(2, 1)

    def step() -> None:
        twin = copy.deepcopy(layer)  # cut
        twin(torch.ones(1, 2)).sum().backward()

    (cut,) = severing(cuts_of(step, layer))
    assert (cut.kind, cut.operation, cut.severed) == ("copy", "deepcopy", ("weight", "bias"))
    assert cut.where is not None
    assert (cut.where.line, cut.times) == (line(step, "cut"), 2)


def test_data_that_is_replaced_by_another_layers_output() -> None:
    made, used = nn.Linear(1, 2), nn.Linear(2, 1, bias=False)

    def step() -> None:
        used.weight.data = made(torch.ones(1, 1))  # cut
        used(torch.ones(1, 2)).sum().backward()

    (cut,) = severing(cuts_of(step, names={"made": made, "used": used}))
    assert (cut.kind, cut.operation, cut.severed) == ("data", "data", ("made.weight", "made.bias"))
    assert cut.where is not None
    assert cut.where.line == line(step, "cut")


def test_reentrant_checkpoint_without_an_input_that_requires_grad() -> None:
    layer, head = nn.Linear(2, 2), nn.Linear(2, 1)

    def step() -> None:
        h = checkpoint(layer, torch.ones(1, 2), use_reentrant=True)  # cut
        head(h).sum().backward()

    with pytest.warns(UserWarning, match="None of the inputs have requires_grad"):
        (cut,) = severing(cuts_of(step, names={"layer": layer, "head": head}))
    assert (cut.kind, cut.operation, cut.severed) == ("checkpoint", "checkpoint", ("layer.weight", "layer.bias"))
    assert cut.where is not None
    assert (cut.where.line, cut.opened, cut.times) == (line(step, "cut"), None, 1)


def test_inference_tensors_that_a_graph_refuses() -> None:
    first, second = nn.Linear(2, 2), nn.Linear(2, 1)

    def step() -> None:
        with torch.inference_mode():  # opened
            h = first(torch.ones(1, 2))  # cut
        second(h)

    (cut,) = severing(cuts_of(step, names={"first": first, "second": second}))
    assert (cut.kind, cut.severed, cut.backward) == ("inference_mode", ("first.weight", "first.bias"), None)
    assert cut.where is not None
    assert cut.opened is not None
    assert (cut.where.line, cut.opened.line) == (line(step, "cut"), line(step, "opened"))


def test_an_operation_without_a_formula() -> None:
    library = torch.library.Library("gradviz_cuts", "FRAGMENT")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: torch.from_numpy(x.detach().numpy() * 2), "CPU")
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)

    def step() -> None:
        loss = (torch.ops.gradviz_cuts.twice(x * 1) * w).sum()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loss.backward()

    (cut,) = severing(cuts_of(step, names={"x": x, "w": w}))
    assert (cut.kind, cut.operation, cut.severed) == ("no_formula", "WarnNotImplemented", ("x",))


def test_a_watch_inside_a_region() -> None:
    x = torch.ones(2, requires_grad=True)

    def step() -> None:
        (x * 2).sum().requires_grad_().backward()  # cut

    with torch.no_grad():
        (cut,) = severing(cuts_of(step, names={"x": x}))
    assert (cut.kind, cut.opened, cut.severed) == ("no_grad", None, ("x",))
    assert cut.where is not None
    assert cut.where.line == line(step, "cut")
