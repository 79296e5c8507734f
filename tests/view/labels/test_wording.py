from __future__ import annotations

import pytest

from gradviz.graph import TensorMeta
from gradviz.view.labels.wording import shape, size, span, tensor, within
from tests.view.builders import HOSTILE


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (12_345_678, "12.3 MB"),
        (3 * 10**9, "3.0 GB"),
        (10**16, "10000.0 TB"),
    ],
)
def test_sizes(number: int, text: str) -> None:
    assert size(number) == text


@pytest.mark.parametrize(
    ("sizes", "text"),
    [((), "()"), ((3,), "(3,)"), ((2, 3), "(2, 3)"), ((2, "j1", 4), "(2, j1, 4)"), (None, "(shape not known)")],
)
def test_shapes(sizes: tuple[int | str, ...] | None, text: str) -> None:
    assert shape(TensorMeta(sizes, "float32", "cpu")) == text


@pytest.mark.parametrize(("layout", "end"), [(None, ""), ("strided", ""), ("sparse_coo", " sparse_coo")])
def test_only_an_unusual_layout_is_told(layout: str | None, end: str) -> None:
    assert tensor(TensorMeta((2,), "float32", "cpu", layout)) == f"(2,) float32 cpu{end}"


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [("a.b.weight", "a.b", "weight"), ("a.b", "a.b", "a.b"), ("ab.c", "a", "ab.c"), ("w", "", "w"), ("", "", '""')],
)
def test_names_within_a_module(name: str, path: str, text: str) -> None:
    assert within(name, path) == text


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("path", HOSTILE, ids=range(len(HOSTILE)))
def test_a_name_is_never_lost(name: str, path: str) -> None:
    assert within(name, path) in (name, '""', name[len(path) + 1 :])


def test_span() -> None:
    assert span("aaa") == "a"
    assert span("abca") == "a … c"
