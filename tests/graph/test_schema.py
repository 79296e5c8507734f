"""JSON: an equal graph comes back, and whatever is damaged is refused with the place and the reason."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from tests.graph.example import GRAPH, chain

GOOD = GRAPH.to_dict()


@pytest.mark.parametrize("graph", [GRAPH, chain(3), Graph((), (), ())], ids=["every field", "chain", "empty"])
def test_an_equal_graph_comes_back(graph: Graph) -> None:
    text = json.dumps(graph.to_dict(), allow_nan=False)
    again = Graph.from_dict(json.loads(text))
    assert again == graph
    assert json.dumps(again.to_dict()) == text
    assert Graph.from_dict(graph.to_dict()) == graph


def test_the_form_of_the_data() -> None:
    assert list(GOOD) == [
        *("schema", "version", "roots", "nodes", "edges", "dead_ends", "leaves", "modules", "hooks", "notes"),
    ]
    assert (GOOD["schema"], GOOD["version"]) == ("gradviz.graph", 1)
    assert GOOD["roots"][0]["access"] == ["", "['loss']"]
    assert GOOD["modules"] == {"": "Model", "layer": "Linear"}
    assert GOOD["nodes"][2]["slots"][2] == {
        "shape": [2, "j1"],
        "dtype": "float64",
        "device": "cuda:0",
        "layout": "jagged",
    }
    assert GOOD["edges"][0] == {"source": "n0", "source_slot": 0, "target": "n2", "target_slot": 0, "name": "self"}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "it does not say that it is a gradviz.graph"),
        ([], "it does not say that it is a gradviz.graph"),
        ("text", "it does not say that it is a gradviz.graph"),
        ({}, "it does not say that it is a gradviz.graph"),
        ({**GOOD, "schema": "gradviz.recording"}, "it does not say that it is a gradviz.graph"),
        ({**GOOD, "version": 2}, "it has version 2 of the schema, this gradviz reads version 1"),
        ({**GOOD, "version": "1"}, "it has version '1' of the schema, this gradviz reads version 1"),
        ({**GOOD, "more": []}, "its sections differ from those of a graph by 'more'"),
        ({key: GOOD[key] for key in GOOD if key != "edges"}, "its sections differ from those of a graph by 'edges'"),
        ({**GOOD, "nodes": {}}, "nodes is {}, not a list"),
        ({**GOOD, "modules": {"": 3}}, "modules[0] is 3, not of type str"),
        ({**GOOD, "modules": 3}, "modules is not an object of class names by path"),
        ({**GOOD, "notes": [3]}, "notes[0] is 3, not of type str"),
    ],
)
def test_other_data_is_refused(data: Any, why: str) -> None:
    with pytest.raises(GradvizError) as caught:
        Graph.from_dict(data)
    assert caught.value.what == "This is not a graph that can be read back"
    assert caught.value.why == why


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The good data with one part replaced."""
    data = copy.deepcopy(GOOD)
    part: Any = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return data


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed("nodes", 0, "kind", to="opp"), "nodes[0].kind is 'opp', not one of op, leaf, custom, view"),
        (changed("nodes", 2, "slots", 1, "shape", to="23"), "nodes[2].slots[1].shape is '23', not a list"),
        (changed("nodes", 2, "slots", 0, "shape", 1, to=2.5), "nodes[2].slots[0].shape[1] is 2.5, not of type int"),
        (changed("nodes", 0, "order", to=True), "nodes[0].order is True, not of type int"),
        (changed("nodes", 0, "module_inferred", to=0), "nodes[0].module_inferred is 0, not of type bool"),
        (changed("nodes", 0, "extra", to=0), "nodes[0] is {'id': 'n0', "),
        (changed("nodes", 0, "saved", 0, "bytes", to="12"), "nodes[0].saved[0].bytes is '12', not of type int"),
        (changed("roots", 0, "access", to=["a"]), "roots[0].access is ['a'], not a list of 2"),
        (changed("leaves", 1, "hooks", 0, "kind", to=[]), "leaves[1].hooks[0].kind is [], not one of tensor, retain"),
        (changed("nodes", 1, "id", to="n7"), "its nodes are not n0, n1, … in this order"),
        (changed("edges", 0, "target", to="n9"), "it mentions a node 'n9' that is not among its nodes"),
        (changed("leaves", 0, "node", to="w"), "it mentions a node 'w' that is not among its nodes"),
        (changed("roots", 0, "node", to=""), "it mentions a node '' that is not among its nodes"),
        (changed("edges", 2, "source_slot", to=0), "its edges or dead ends are not in the order of their nodes"),
        (changed("dead_ends", 0, "source_slot", to=0), "its edges or dead ends are not in the order of their nodes"),
        (changed("edges", to=GOOD["edges"][::-1]), "its edges or dead ends are not in the order of their nodes"),
        (changed("edges", to=GOOD["edges"][1:]), "some of its nodes are reached from no root"),
        (changed("roots", to=[]), "some of its nodes are reached from no root"),
        (changed("nodes", 0, "order", to=2), "the order of its nodes is not one in which they can run"),
        (changed("edges", 1, "target", to="n0"), "the order of its nodes is not one in which they can run"),
    ],
)
def test_damage_is_named_by_its_place(data: dict[str, Any], why: str) -> None:
    with pytest.raises(GradvizError) as caught:
        Graph.from_dict(data)
    assert caught.value.why.startswith(why)
    assert caught.value.remedy == "pass what Graph.to_dict() made, unchanged"


def places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every part of JSON data."""
    steps = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [path, *(found for step, inner in steps for found in places(inner, (*path, step)))]


PLACES = [path for path in places(GOOD) if path]
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 5),
    st.floats(allow_nan=False),
    st.sampled_from(["", "n0", "n1", "n3", "leaf", "held", "tensor", "w"]),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.sampled_from([path for path in PLACES if len(path) > 1]).map(lambda path: _at(GOOD, path)),
)


def _at(part: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        part = part[step]
    return copy.deepcopy(part)


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    data = copy.deepcopy(GOOD)
    for path in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=3)):
        part: Any = data
        try:
            for step in path[:-1]:
                part = part[step]
            if draw(st.booleans()):
                del part[path[-1]]
            else:
                part[path[-1]] = draw(ANYTHING)
        except (KeyError, IndexError, TypeError):  # an earlier damage took the place away
            continue
    return data


@settings(max_examples=500, deadline=None)
@given(damaged())
def test_damaged_data_is_refused_or_means_what_it_says(data: dict[str, Any]) -> None:
    try:
        graph = Graph.from_dict(data)
    except GradvizError:
        return
    assert graph.to_dict() == data
    for node in graph.nodes:  # and a graph that was read can answer
        assert graph.expression(node.id)
        assert graph.path_to(node.id)
    assert len(graph.network) == len(graph.nodes)
    assert graph.saved_bytes >= 0
