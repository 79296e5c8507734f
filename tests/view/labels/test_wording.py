from __future__ import annotations

import pytest

from gradviz.graph import TensorMeta
from gradviz.view.labels.wording import count, several, shape, size, span, tensor, within
from tests.view.builders import HOSTILE


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 nodes"), (1, "1 node"), (2_381, "2,381 nodes"), (1_000_000, "1,000,000 nodes")]
)
def test_counts(number: int, text: str) -> None:
    assert count(number, "node") == text


def test_other_plurals() -> None:
    assert [count(number, "box", "boxes") for number in (1, 2)] == ["1 box", "2 boxes"]


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


def test_several_and_span() -> None:
    assert several("abca") == "a, b, c"
    assert several("abcde", 2) == "a, b and 3 more"
    assert span("aaa") == "a"
    assert span("abca") == "a … c"
