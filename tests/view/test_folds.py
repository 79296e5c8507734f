"""Modules fold and unfold by path; a state holds only what differs from first sight."""

from __future__ import annotations

import pytest

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view.folds import FoldTree
from gradviz.view.payload import encode
from tests.view.builders import blocks

# Of twelve blocks the repeat g2 is open, with its drawn round, that of h.11: the module g3 (mlp, open; in it g4 and g5)
# and g6 (norm). Its single rounds are g2~1 (h.11) to g2~12 (h.0).


@pytest.fixture(scope="module")
def tree() -> FoldTree:
    return tree_of(blocks(12).graph())


def tree_of(graph: Graph) -> FoldTree:
    return FoldTree(graph, encode(graph))


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["h.11.mlp"], {"g3": "closed"}),
        (["h.11"], {"g2": "closed"}),
        (["h.11.*"], {"g3": "closed"}),
        (["h"], {"g2": "closed"}),
        (["h.3"], {}),
        ([], {"g2": "closed", "g3": "closed"}),
    ],
)
def test_what_is_folded_is_closed(tree: FoldTree, paths: list[str], expected: dict[str, str]) -> None:
    assert tree.folded({}, paths) == expected


@pytest.mark.parametrize(
    ("paths", "rounds", "expected"),
    [
        (["h.11.norm"], False, {"g6": "open"}),
        (["h.11.mlp.*"], False, {"g4": "open", "g5": "open"}),
        (["h.3"], False, {"g2": "unrolled", "g2~9": "open"}),
        (["h.3.mlp"], False, {"g2": "unrolled", "g2~9": "open", "g2~9/1": "open"}),
        (["h"], False, {}),
        (["h"], True, {"g2": "unrolled"} | {f"g2~{number}": "open" for number in range(1, 13)}),
    ],
)
def test_what_is_unfolded_comes_into_sight(
    tree: FoldTree, paths: list[str], rounds: bool, expected: dict[str, str]
) -> None:
    assert tree.unfolded({}, paths, rounds=rounds) == expected


def test_what_was_closed_opens_again(tree: FoldTree) -> None:
    assert tree.unfolded(tree.folded({}, []), ["h.11.mlp"], rounds=False) == {}


def test_an_unrolled_repeat_stays_so(tree: FoldTree) -> None:
    unrolled = tree.unfolded({}, ["h.3"], rounds=False)
    assert tree.unfolded(unrolled, ["h.11"], rounds=False) == {"g2": "unrolled", "g2~9": "open", "g2~1": "open"}


def test_all_is_opened_round_by_round_only_if_asked(tree: FoldTree) -> None:
    assert tree.unfolded_all(rounds=False, most=20_000) == ({"g4": "open", "g5": "open", "g6": "open"}, True)
    opened, whole = tree.unfolded_all(rounds=True, most=20_000)
    assert whole
    assert opened["g2"] == "unrolled"
    assert {state for key, state in opened.items() if key != "g2"} == {"open"}
    assert {f"g2~{number}" for number in range(1, 13)} < opened.keys()
    assert "g4" not in opened  # in the drawn round, which is not in sight


def test_all_stops_at_too_many_boxes(tree: FoldTree) -> None:
    assert tree.unfolded_all(rounds=True, most=5) == ({"g2": "closed"}, False)


def test_a_node_in_the_drawn_round_needs_no_unrolling(tree: FoldTree) -> None:
    assert tree.revealed({}, "n0") == {}
    assert tree.revealed({}, "n7") == {"g5": "open"}


def test_a_path_of_nothing_names_the_nearest(tree: FoldTree) -> None:
    with pytest.raises(GradvizError, match=r"no module 'h\.33'[\s\S]*'h\.3'"):
        tree.folded({}, ["h.33"])


@pytest.mark.parametrize(
    ("leaf", "folds", "expected"),
    [
        ("h.11.mlp.up.bias", {}, {"g4": "open"}),
        ("h.11.mlp.up.bias", {"g2": "closed", "g6": "open"}, {"g6": "open", "g4": "open"}),
        ("h.4.mlp.up.bias", {}, {"g2": "unrolled", "g2~8": "open", "g2~8/1": "open", "g2~8/1/0": "open"}),
        (
            "h.11.mlp.up.bias",
            {"g2": "unrolled"},
            {"g2": "unrolled", "g2~1": "open", "g2~1/1": "open", "g2~1/1/0": "open"},
        ),
        ("embedding.weight", {}, {}),
    ],
)
def test_what_hides_a_node_is_opened(leaf: str, folds: dict[str, str], expected: dict[str, str]) -> None:
    graph = blocks(12).graph()
    assert tree_of(graph).revealed(folds, graph.leaf(leaf).node or "") == expected  # type: ignore[arg-type]


def test_a_shared_leaf_is_shown_where_it_is_in_sight() -> None:
    builder = blocks(12)
    add, embedding = builder.nodes[1], builder.nodes[-2]
    builder.leaf("shared", int(add.id[1:]), int(embedding.id[1:]))
    graph = builder.graph()
    node = graph.leaf("shared").node or ""
    assert tree_of(graph).revealed({"g2": "closed"}, node) == {"g2": "closed"}


def test_everything_unfolds_as_far_as_there_is_room() -> None:
    tree = tree_of(blocks(12).graph())
    assert tree.unfolded_all(rounds=False, most=20_000) == ({"g4": "open", "g5": "open", "g6": "open"}, True)
