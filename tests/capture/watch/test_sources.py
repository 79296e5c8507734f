"""Sources: every node made while a watch lasts has the user's line, found here by a marker in this file."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

import gradviz
from gradviz.capture.code import UserCode
from gradviz.capture.origins import Origins
from gradviz.graph import Graph
from gradviz.recording import Source, Watched

_HERE = Path(__file__)


def _line(marker: str) -> str:
    """``file:line`` of the line that ends in the marker."""
    lines = _HERE.read_text().splitlines()
    (number,) = [place for place, text in enumerate(lines, 1) if text.endswith(f"# @{marker}")]
    return f"{_HERE.name}:{number}"


def _wheres(graph: Graph) -> set[str | None]:
    """Where operations were made, by the name of the file alone."""
    found = {node.where for node in graph.nodes if node.kind != "leaf"}
    return {where and where.rpartition("/")[2] for where in found}


class _Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:  # noqa: ARG004
        return x * 2

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:  # noqa: ARG004
        return gradients[0] * 2


_twice = _Twice.apply
_net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
_encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True), 1)
_lstm = nn.LSTM(4, 4)


def _decorator(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def around(x: Tensor) -> Tensor:
        return function(x)

    return around


@_decorator
def _decorated(x: Tensor) -> Tensor:
    return x.sin()  # @decorated


def _generator(x: Tensor) -> Iterator[Tensor]:
    yield x.sin()  # @generator


def _op(x: Tensor) -> Tensor:
    return torch.sin(x)  # @op


def _method(x: Tensor) -> Tensor:
    return x.cos()  # @method


def _functional(x: Tensor) -> Tensor:
    return nn.functional.gelu(x)  # @functional


def _sequential(x: Tensor) -> Tensor:
    return _net(x)  # @sequential


def _transformer(x: Tensor) -> Tensor:
    return _encoder(x[None])  # @transformer


def _recurrent(x: Tensor) -> Tensor:
    return _lstm(x)[0]  # @recurrent


def _custom(x: Tensor) -> Tensor:
    return _Twice.apply(x)  # @custom


def _custom_cached(x: Tensor) -> Tensor:
    return _twice(x)  # @custom_cached


def _reentrant(x: Tensor) -> Tensor:
    return checkpoint(_net, x, use_reentrant=True)  # @reentrant


def _saved(x: Tensor) -> Tensor:
    return checkpoint(_net, x, use_reentrant=False)  # @saved


def _gradient(x: Tensor) -> Tensor:
    return torch.autograd.grad((x**3).sum(), x, create_graph=True)[0]  # @gradient


def _in_place(x: Tensor) -> Tensor:
    return x.clone().mul_(2)  # @in_place


def _view(x: Tensor) -> Tensor:
    return x.t().reshape(-1)  # @view


def _matmul(x: Tensor) -> Tensor:
    return x @ x  # @matmul


def _item(x: Tensor) -> Tensor:
    return x[0]  # @item


def _func(x: Tensor) -> Tensor:
    return torch.func.grad(lambda y: (y**3).sum())(x)  # @func


def _vmap(x: Tensor) -> Tensor:
    return torch.vmap(torch.sin)(x)  # @vmap


def _comprehension(x: Tensor) -> Tensor:
    return [row.sin() for row in (x,)][0]  # noqa: RUF015  # @comprehension


_lambda = lambda x: x.sin()  # noqa: E731  # @lambda


def _generated(x: Tensor) -> Tensor:
    return next(_generator(x))


_CONSTRUCTS = [
    (_op, "op"),
    (_method, "method"),
    (_functional, "functional"),
    (_sequential, "sequential"),
    (_transformer, "transformer"),
    (_recurrent, "recurrent"),
    (_custom, "custom"),
    (_custom_cached, "custom_cached"),
    (_reentrant, "reentrant"),
    (_saved, "saved"),
    (_gradient, "gradient"),
    (_in_place, "in_place"),
    (_view, "view"),
    (_matmul, "matmul"),
    (_item, "item"),
    (_func, "func"),
    (_vmap, "vmap"),
    (_comprehension, "comprehension"),
    (_lambda, "lambda"),
    (_decorated, "decorated"),
    (_generated, "generator"),
]


@pytest.mark.parametrize(("construct", "marker"), _CONSTRUCTS, ids=[marker for _, marker in _CONSTRUCTS])
def test_every_node_has_the_users_line(construct: Callable[[Tensor], Tensor], marker: str) -> None:
    x = torch.arange(16.0).reshape(4, 4).requires_grad_()
    with gradviz.watch() as watched:
        construct(x).sum().backward()  # @loss
    outer = next(
        graph
        for graph, run in zip(watched.graphs, watched.recording.backwards, strict=True)  # type: ignore[union-attr]
        if run.kind == "backward" and not run.nested
    )
    assert _wheres(outer) == {_line(marker), _line("loss")}


def test_an_assignment_in_place() -> None:
    x = torch.ones(2, requires_grad=True)
    with gradviz.watch() as watched:
        y = x.clone()  # @clone
        y += 1  # @add
        y.sum().backward()  # @sum
    lines = [node.where and node.where.rpartition("/")[2] for node in watched.graph.nodes if node.kind != "leaf"]
    assert lines == [_line("sum"), _line("add"), _line("clone")]


def _in_threads() -> Watched:
    x = torch.ones(2, requires_grad=True)
    made: list[Tensor] = []

    def make() -> None:
        y = x
        for _ in range(50):
            y = y.sin()
        made.append(y)

    with gradviz.watch() as watched:
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        made.pop().cos().sum().backward()
    return watched


def test_a_graph_of_several_threads_has_no_wrong_line() -> None:
    found: list[Watched] = []
    fresh = threading.Thread(target=lambda: found.append(_in_threads()))  # its numbers begin at 0
    fresh.start()
    fresh.join()
    assert _wheres(found[0].graph) == {None}
    assert any("several threads" in note for note in found[0].recording.notes)  # type: ignore[union-attr]


def test_what_was_made_before_the_watch_has_no_line() -> None:
    y = torch.ones(2, requires_grad=True).sin()
    with gradviz.watch() as watched:
        y.sum().backward()  # @after
    assert [node.where and node.where.rpartition("/")[2] for node in watched.graph.nodes] == [
        _line("after"),
        None,
        None,
    ]


@pytest.mark.parametrize("own", [False, True])
def test_a_line_of_a_library_is_the_users_only_on_request(tmp_path: Path, own: bool) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    file = folder / "laid_library.py"
    file.write_text("def act(x):\n    return x.sin()\n")
    spec = importlib.util.spec_from_file_location("laid_library", file)
    assert spec is not None
    assert spec.loader is not None
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    x = torch.ones(2, requires_grad=True)
    with gradviz.watch(user_code=[folder] if own else []) as watched:
        library.act(x).sum().backward()  # @library
    assert _wheres(watched.graph) == ({"laid_library.py:2", _line("library")} if own else {_line("library")})


def test_inner_calls_keep_their_lines() -> None:
    origins, (one, two) = Origins(UserCode()), (Source("a.py", 1, "f"), Source("a.py", 2, "f"))
    origins.made(2, 4, one)
    origins.made(5, 6, one)
    origins.made(1, 8, two)
    origins.made(8, 9, two)
    spans = list(zip(origins._firsts, origins._ends, origins._sources, strict=True))
    assert spans == [(1, 2, two), (2, 4, one), (4, 5, two), (5, 6, one), (6, 9, two)]


def test_nothing_is_traced_by_python() -> None:
    before = sys.gettrace(), sys.getprofile()
    with gradviz.watch():
        assert (sys.gettrace(), sys.getprofile()) == before
