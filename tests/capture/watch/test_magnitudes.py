"""How large tensors are: every kind of tensor, at the ends of what its dtype can hold, and nothing is held."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from gradviz.capture.magnitudes import Magnitudes
from gradviz.capture.measuring import flat, start, told
from gradviz.recording import Magnitude

INF, NAN = math.inf, math.nan


def measure(tensor: torch.Tensor | None, *, full: bool = False) -> Magnitude | None:
    sizes = Magnitudes()
    ticket = sizes.put(tensor, full=full)
    sizes.read()
    assert not sizes.refused
    return sizes[ticket]


def norm(tensor: torch.Tensor) -> float:
    size, full = measure(tensor), measure(tensor, full=True)
    assert size is not None
    assert full is not None
    assert size.norm == pytest.approx(full.norm, rel=1e-6, nan_ok=True)
    return size.norm


def test_only_the_norm_is_measured_unless_more_is_asked_for() -> None:
    assert measure(torch.tensor([3.0, 4.0, 0, 0])) == Magnitude(5.0)
    assert measure(torch.tensor([3.0, -4.0, 0, 0]), full=True) == Magnitude(5.0, 4.0, 0.5, 0)


def test_no_gradient_has_no_size() -> None:
    assert measure(None) is None


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (torch.float32, 2.0**-80),  # the squares underflow
        (torch.float32, 2.0**-149),  # the smallest there is
        (torch.float32, 2.0**100),  # the squares overflow
        (torch.float16, 2.0**-24),
        (torch.float16, 2.0**15),
        (torch.bfloat16, 2.0**-100),
        (torch.bfloat16, 2.0**100),
        (torch.float64, 2.0**-1000),
        (torch.float64, 2.0**-1074),
        (torch.float64, 2.0**1000),
        (torch.complex64, 2.0**100),
        (torch.complex128, 2.0**1000),
    ],
)
def test_a_norm_is_right_to_the_ends_of_the_dtype(dtype: torch.dtype, value: float) -> None:
    assert norm(torch.full((4,), value, dtype=dtype)) == 2 * value


def test_a_finite_tensor_has_a_finite_norm_even_where_that_cannot_betold() -> None:
    assert norm(torch.full((4,), 1.7e308, dtype=torch.float64)) == 1.7976931348623157e308


def test_a_norm_that_lost_small_squares_is_measured_again() -> None:
    assert norm(torch.full((1024,), 2.0**-74)) == 32 * 2.0**-74


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_zero_infinite_and_nan_only_where_an_element_is(dtype: torch.dtype) -> None:
    assert measure(torch.zeros(3, dtype=dtype), full=True) == Magnitude(0.0, 0.0, 1.0, 0)
    assert measure(torch.tensor([1.0, INF, -INF, 0], dtype=dtype), full=True) == Magnitude(INF, INF, 0.25, 2)
    assert measure(torch.tensor([1.0, INF, NAN, 0], dtype=dtype), full=True) == Magnitude(NAN, NAN, 0.25, 2)
    assert measure(torch.tensor([INF, 1.0], dtype=dtype)) == Magnitude(INF)
    assert measure(torch.tensor([NAN, 1.0], dtype=dtype)) == Magnitude(NAN)


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (torch.tensor(-2.0), Magnitude(2.0, 2.0, 0.0, 0)),
        (torch.zeros(0), Magnitude(0.0, 0.0, 0.0, 0)),
        (torch.tensor([3 + 4j, 0]), Magnitude(5.0, 5.0, 0.5, 0)),
        (torch.tensor([3 + 4j, 0]).conj(), Magnitude(5.0, 5.0, 0.5, 0)),
        (torch.tensor([3, -4, 0, 0]), Magnitude(5.0, 4.0, 0.5, 0)),
        (torch.tensor([True, False]), Magnitude(1.0, 1.0, 0.5, 0)),
        (torch.tensor([3.0, 4.0]).to(torch.float8_e4m3fn), Magnitude(5.0, 4.0, 0.0, 0)),
        (torch.tensor(2.0**-90).expand(4, 4), Magnitude(2.0**-88, 2.0**-90, 0.0, 0)),
        (torch.ones(2, 8).t(), Magnitude(4.0, 1.0, 0.0, 0)),
        (torch.nn.Parameter(torch.ones(4)), Magnitude(2.0, 1.0, 0.0, 0)),
        (
            torch.sparse_coo_tensor([[0, 0, 1]], [3.0, -3.0, 4.0], (5,), check_invariants=True),
            Magnitude(4.0, 4.0, 0.8, 0),
        ),  # uncoalesced
        (
            torch.sparse_coo_tensor(torch.zeros(1, 0, dtype=torch.long), [], (5,), check_invariants=True),
            Magnitude(0.0, 0.0, 1.0, 0),
        ),
        (torch.full((512, 1024), 2.0**60), Magnitude(2.0**69.5, 2.0**60, 0.0, 0)),  # more than one piece
    ],
)
def test_kinds_of_tensors(tensor: torch.Tensor, expected: Magnitude) -> None:
    size = measure(tensor, full=True)
    assert size is not None
    assert size.norm == pytest.approx(expected.norm, rel=1e-12)
    assert size[1:] == expected[1:]
    assert norm(tensor) == pytest.approx(expected.norm, rel=1e-6)


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning", "ignore:.*prototype stage:UserWarning")
def test_compressed_sparse_and_nested_tensors() -> None:
    assert measure(torch.diag(torch.tensor([3.0, 4.0])).to_sparse_csr(), full=True) == Magnitude(5.0, 4.0, 0.5, 0)
    assert measure(torch.eye(4).to_sparse_bsr((2, 2)), full=True) == Magnitude(2.0, 1.0, 0.75, 0)
    parts = [torch.ones(2, 4), torch.ones(1, 8)[:, ::2] * 0]
    expected = Magnitude(8**0.5, 1.0, 1 / 3, 0)
    strided = torch.nested.nested_tensor(parts)
    assert measure(strided, full=True) == expected
    assert measure(strided.transpose(1, 2), full=True) == expected
    assert measure(torch.nested.nested_tensor(parts, layout=torch.jagged), full=True) == expected
    holes = torch.nested.narrow(torch.ones(2, 5, 3), 1, torch.tensor([0, 1]), torch.tensor([2, 1]), layout=torch.jagged)
    assert norm(holes) == pytest.approx(3.0)  # 3 of 10 rows


def test_tensors_without_values_have_no_size() -> None:
    assert measure(torch.ones(3, device="meta")) is None
    with FakeTensorMode():
        assert measure(torch.ones(3)) is None


def test_inside_transforms_the_whole_batch_is_measured() -> None:
    seen: list[Magnitude | None] = []

    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append(measure(x))
        return x.sum()

    torch.func.vmap(look)(torch.ones(2, 8))
    torch.func.grad(look)(torch.ones(4))
    torch.func.vmap(torch.func.grad(look))(torch.ones(2, 2))
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    y.register_hook(lambda gradient: seen.append(measure(gradient)))
    torch.autograd.grad(y, x, torch.ones(4, 4), is_grads_batched=True)
    assert seen == [Magnitude(4.0), Magnitude(2.0), Magnitude(2.0), Magnitude(4.0)]


class Plain(torch.Tensor):
    pass


class Refusing(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *_: Any, **__: Any) -> Any:
        raise AssertionError("the user's code ran")


class Raising(torch.Tensor):
    @classmethod
    def __torch_dispatch__(cls, *_: Any, **__: Any) -> Any:
        raise ValueError("refused")


def test_subclasses() -> None:
    assert measure(torch.ones(4).as_subclass(Plain)) == Magnitude(2.0)
    assert measure(torch.Tensor._make_subclass(Refusing, torch.ones(4))) == Magnitude(2.0)
    sizes = Magnitudes()
    ticket = sizes.put(torch.Tensor._make_subclass(Raising, torch.ones(4)))
    assert sizes[ticket] is None
    assert sizes.refused == {"Raising"}


class Counting(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls += 1
        return func(*args, **(kwargs or {}))


def test_measuring_is_not_seen_by_modes_and_makes_no_nodes() -> None:
    sizes, tensor = Magnitudes(), torch.ones(4, requires_grad=True) * 2
    number = torch._C._autograd._get_sequence_nr()
    with Counting() as counting:
        ticket, full = sizes.put(tensor), sizes.put(tensor, full=True)
    sizes.read()
    assert counting.calls == 0
    assert torch._C._autograd._get_sequence_nr() == number
    assert (sizes[ticket], sizes[full]) == (Magnitude(4.0), Magnitude(4.0, 2.0, 0.0, 0))


def test_autocast_changes_nothing() -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert measure(torch.full((4,), 1.001)) == Magnitude(float(torch.tensor(1.001)) * 2)
        assert norm(torch.full((4,), 2.0**-1000, dtype=torch.float64)) == 2.0**-999


def test_no_tensor_is_held() -> None:
    sizes = Magnitudes()
    gc.disable()
    try:
        for value in (1.0, 1e30, NAN):
            tensor = torch.full((4,), value)
            sizes.put(tensor), sizes.put(tensor, full=True)
            held = weakref.ref(tensor)
            del tensor
            assert held() is None
    finally:
        gc.enable()


def test_all_sizes_are_divided_by_the_scale() -> None:
    sizes = Magnitudes()
    tickets = [sizes.put(torch.full((4,), 8.0)), sizes.put(torch.full((4,), 8.0), full=True), sizes.put(None)]
    sizes.read(4.0)
    assert [sizes[ticket] for ticket in tickets] == [Magnitude(4.0), Magnitude(4.0, 2.0, 0.0, 0), None]


def test_threads_put_at_the_same_time() -> None:
    sizes, found = Magnitudes(), dict[int, float]()

    def put(value: float) -> None:
        for _ in range(200):
            found[sizes.put(torch.tensor([value]))] = value

    threads = [threading.Thread(target=put, args=(float(value),)) for value in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sizes.read()
    assert len(found) == 800
    assert all(sizes[ticket] == Magnitude(value) for ticket, value in found.items())


@pytest.mark.parametrize("value", [3.0, 2.0**-80, 2.0**100, 0.0, INF, NAN])
def test_what_an_accelerator_would_compute(value: float) -> None:
    """Figures stay on their device until they are read all together, as one tensor."""
    figures = start(torch.full((4,), value), True)
    assert figures is not None
    assert all(figure.shape == () for figure in flat(figures))
    together = torch.stack(flat(figures)).tolist()
    assert told(figures, together) == measure(torch.full((4,), value), full=True)


@pytest.mark.gpu
def test_figures_of_a_gpu_are_read_with_one_synchronisation() -> None:
    sizes, values = Magnitudes(), (3.0, 2.0**-80, 2.0**100, 0.0, INF)
    tensors = [torch.full((4,), value, device="cuda") for value in values]
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    torch.cuda.set_sync_debug_mode("error")
    try:
        tickets = [sizes.put(tensor) for tensor in tensors]
        with torch.cuda.stream(side):
            tickets.append(sizes.put(tensors[0], full=True))
    finally:
        torch.cuda.set_sync_debug_mode("default")
    sizes.read()
    assert [sizes[ticket] for ticket in tickets] == [
        *(Magnitude(2 * value) for value in values),
        Magnitude(6.0, 3.0, 0.0, 0),
    ]


@pytest.mark.gpu
def test_what_a_cuda_graph_captures_is_not_measured() -> None:
    sizes, tensor, graph = Magnitudes(), torch.ones(4, device="cuda"), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        ticket = sizes.put(tensor * 2)
    sizes.read()
    assert sizes[ticket] is None


def test_many_at_once_have_the_sizes_that_they_have_one_by_one() -> None:
    tensors = [
        torch.tensor([3.0, 4.0]), None, torch.zeros(3), torch.tensor([INF, 1.0]), torch.tensor([6.0, 8.0]).double(),
        torch.tensor([3.0, 4.0]).half(), torch.tensor([[3.0, 4.0]]).to_sparse(),
        torch.tensor([1e-30, 0.0]), torch.ones(0),
    ]  # fmt: skip
    sizes = Magnitudes()
    tickets = sizes.put_all(tensors)
    sizes.read()
    assert [sizes[ticket] for ticket in tickets] == [measure(tensor) for tensor in tensors]
    assert [sizes[ticket] for ticket in tickets][:2] == [Magnitude(5.0), None]
