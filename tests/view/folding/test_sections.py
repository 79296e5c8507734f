from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gradviz.view.folding.part import Child, Part, parts_of, start_of, stop_of
from gradviz.view.folding.sections import cut, cut_loose

TOP = Part("module", "", 0, 100, list(range(100)), "g0")


def spans(children: list[Child]) -> list[tuple[str, int, int]]:
    return [(part.title, part.start, part.stop) for part in parts_of(children)]


def test_the_first_section_is_short_and_the_others_are_even() -> None:
    assert spans(cut(TOP, list(range(100)), [1] * 100, 20, 4)) == [
        ("section 1 of 4", 0, 20),
        ("section 2 of 4", 20, 47),
        ("section 3 of 4", 47, 73),
        ("section 4 of 4", 73, 100),
    ]


def test_there_are_no_more_sections_than_needed() -> None:
    assert spans(cut(TOP, list(range(30)), [1] * 30, 20, 12)) == [("section 1 of 2", 0, 20), ("section 2 of 2", 20, 30)]


def test_a_section_of_a_section_says_so() -> None:
    section = parts_of(cut(TOP, list(range(100)), [1] * 100, 20, 4))[1]
    inner = parts_of(cut(section, section.children, [1] * 27, 10, 4))
    assert [part.title for part in inner] == ["section 2.1 of 3", "section 2.2 of 3", "section 2.3 of 3"]
    assert [part.key for part in inner] == ["g0.2.1", "g0.2.2", "g0.2.3"]


def test_loose_stretches_are_cut_around_parts() -> None:
    module = Part("module", "a", 30, 60, [30])
    children: list[Child] = [*range(30), module, 60, 61, *range(62, 100)]
    result = cut_loose(TOP, children, [1] * len(children), 21, 9)
    assert module in result
    assert [start_of(child) for child in result] == [0, *(stop_of(child) for child in result[:-1])]
    assert spans(result) == [
        ("section 1 of 5", 0, 7),  # very short: it leaves room for the parts
        ("section 2 of 5", 7, 19),
        ("section 3 of 5", 19, 30),
        ("", 30, 60),
        ("section 4 of 5", 60, 81),
        ("section 5 of 5", 81, 100),
    ]


def test_short_stretches_stay_loose() -> None:
    module = Part("module", "a", 5, 60, [5])
    children: list[Child] = [*range(5), module, *range(60, 66)]
    assert cut_loose(TOP, children, [1] * len(children), 21, 9) == children


@given(st.lists(st.integers(1, 9), min_size=1, max_size=80), st.integers(3, 30), st.integers(2, 12))
def test_sections_hold_everything_in_order(weights: list[int], first: int, most: int) -> None:
    children = list(range(len(weights)))
    sections = parts_of(cut(TOP, children, weights, first, most))
    assert [child for section in sections for child in section.children] == children
    assert all(section.children for section in sections)
    assert len(sections) <= most
