"""A view: its traits take what the graph knows and refuse the rest, and what it shows survives without a kernel."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
import traitlets

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view import picture, widget
from gradviz.view.payload import encode
from gradviz.view.viewing import show
from gradviz.view.widget import View
from tests.view.builders import blocks

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def graph() -> Graph:
    builder = blocks(12)
    builder.leaf("unused.weight")
    return builder.graph()


@pytest.fixture
def view(graph: Graph, built: Path) -> View:
    assert built.is_dir()
    return show(graph)


def id_of(graph: Graph, leaf: str) -> str:
    node = graph.leaf(leaf).node
    assert node is not None
    return node


def test_the_browser_gets_the_graph_and_the_script(view: View) -> None:
    sent = view.get_state()
    assert sent["_esm"] == "export default {};\n"
    assert zlib.decompress(sent["payload"]) == zlib.decompress(encode(view.graph).compressed())
    assert (
        sent
        | {
            "selected": (),
            "folds": {},
            "color_by": "role",
            "highlight": None,
            "step": None,
            "query": "",
            "theme": "auto",
            "height": 520,
        }
        == sent
    )


def test_names_and_ids_are_selected_and_brought_into_sight(view: View) -> None:
    weight = id_of(view.graph, "h.3.mlp.up.weight")
    view.select("h.3.mlp.up.weight", "n0", "n0")
    assert view.selected == (weight, "n0")
    assert view.folds["g2"] == "unrolled"
    assert repr(view) == f"<gradviz.View: {len(view.graph)} nodes, 2 selected>"


def test_selecting_need_not_open_anything(view: View) -> None:
    view.select("h.3.mlp.up.weight", reveal=False)
    assert view.folds == {}
    view.select()
    assert view.selected == ()


def test_observers_hear_of_a_selection_once(view: View) -> None:
    heard: list[Any] = []
    view.observe(lambda change: heard.append(change["new"]), "selected")
    view.select("n3")
    view.select("n3")
    assert heard == [("n3",)]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("h.3.mlp.up.wait",), "no node or leaf called 'h.3.mlp.up.wait'[\\s\\S]*'h.3.mlp.up.weight'"),
        (("unused.weight",), "the graph does not reach this leaf"),
        ((["n0", "n1"],), "pass several names as several arguments"),
    ],
)
def test_what_cannot_be_selected_is_an_error_and_changes_nothing(names: tuple[Any, ...], said: str, view: View) -> None:
    view.select("n1")
    with pytest.raises(GradvizError, match=said):
        view.select("n2", *names)
    assert view.selected == ("n1",)


def test_modules_are_folded_and_unfolded_by_path(view: View) -> None:
    view.fold("h.11.mlp")
    assert view.folds == {"g3": "closed"}
    view.unfold("h.11.*")
    assert view.folds == {"g4": "open", "g5": "open", "g6": "open"}
    view.fold()
    assert view.folds == {"g2": "closed", "g3": "closed"}
    view.unfold()
    assert view.folds == {"g4": "open", "g5": "open", "g6": "open"}


def test_too_much_to_unfold_is_said(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "MOST_BOXES", 5)
    with pytest.warns(UserWarning, match="not all is unfolded: a view opens at most"):
        view.unfold(rounds=True)


def test_paths_stand_out(view: View) -> None:
    weight = id_of(view.graph, "h.3.mlp.up.weight")
    view.highlight_path("h.3.mlp.up.weight")
    assert view.highlight == {"kind": "upstream", "ids": [weight]}
    view.highlight_path("h.3.mlp.up.weight", "n1")
    assert view.highlight == {"kind": "between", "ids": ["n1", weight]}
    view.highlight_downstream("n1")
    assert view.highlight == {"kind": "downstream", "ids": ["n1"]}
    view.highlight_downstream()
    assert view.highlight is None


def test_two_that_no_path_joins_are_an_error(view: View) -> None:
    with pytest.raises(GradvizError, match=r"No path joins 'h\.3\.mlp\.up\.weight' and 'h\.3\.mlp\.up\.bias'"):
        view.highlight_path("h.3.mlp.up.weight", "h.3.mlp.up.bias")
    assert view.highlight is None


def test_clear_leaves_what_is_open(view: View) -> None:
    view.select("h.3.mlp.up.weight")
    view.highlight_path("n2")
    view.query, view.step = "norm", 4
    before = view.folds
    view.clear()
    assert (view.selected, view.highlight, view.query, view.step) == ((), None, "", None)
    assert view.folds == before != {}


BAD = [
    ("selected", ["n999"], "no node with the id 'n999'"),
    ("selected", [["n0"]], r"no node with the id \['n0'\]"),
    ("folds", {"zz": "open"}, "folds cannot hold 'zz': 'open'"),
    ("folds", {"g2": "ajar"}, "folds cannot hold 'g2': 'ajar'"),
    ("color_by", "mood", "choose from 'role', 'module', 'device', 'dtype', 'saved'"),
    ("theme", "pink", "choose from 'auto', 'light', 'dark'"),
    ("highlight", {"kind": "upstream"}, "is not understood"),
    ("highlight", "upstream", "is not understood"),
    ("highlight", {"kind": "between", "ids": ["n0"]}, "two of them for between"),
    ("highlight", {"kind": "both", "ids": ["n999"]}, "no node with the id 'n999'"),
    ("step", -1, "step=-1 is not possible"),
    ("step", 10**6, "or None to leave the steps"),
    ("height", 0, "height=0 is not possible"),
]


@pytest.mark.parametrize(("trait", "value", "said"), BAD)
def test_a_value_that_makes_no_sense_is_refused(trait: str, value: Any, said: str, view: View) -> None:
    before = getattr(view, trait)
    with pytest.raises(GradvizError, match=said):
        setattr(view, trait, value)
    assert getattr(view, trait) == before


@pytest.mark.parametrize(("trait", "value", "said"), BAD)
def test_it_is_refused_from_the_browser_too(trait: str, value: Any, said: str, view: View) -> None:
    before = getattr(view, trait)
    with pytest.raises(traitlets.TraitError, match=said):
        view.set_state({trait: value})
    assert getattr(view, trait) == before


def test_the_browser_selects(view: View) -> None:
    view.set_state({"selected": ["n1", "n2"], "folds": {"g2": "closed"}, "highlight": {"kind": "both", "ids": ["n1"]}})
    assert view.selected == ("n1", "n2")
    assert view.folds == {"g2": "closed"}
    assert view.highlight == {"kind": "both", "ids": ["n1"]}


def test_the_graph_cannot_be_replaced(view: View) -> None:
    with pytest.raises(traitlets.TraitError, match="payload"):
        view.payload = b""


def test_two_views_can_be_linked(view: View, graph: Graph) -> None:
    other = show(graph, theme="dark", height=300)
    traitlets.link((view, "selected"), (other, "selected"))
    view.select("n4")
    assert other.selected == ("n4",)
    other.select("n5")
    assert view.selected == ("n5",)


def test_a_saved_notebook_has_the_widget_a_picture_and_text(view: View) -> None:
    data, _ = view._repr_mimebundle_()
    assert set(data) == {WIDGET, "image/svg+xml", "text/plain"}  # no HTML, in whose place cleaning viewers show nothing
    assert data[WIDGET]["model_id"] == view.model_id
    assert data["image/svg+xml"] == picture.draw(view.graph).svg
    assert data["text/plain"] == picture.draw(view.graph).text


def test_only_what_is_asked_for_is_drawn(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADVIZ_DOT", "/nowhere/dot")
    data, _ = view._repr_mimebundle_(exclude={"image/svg+xml"})
    assert set(data) == {WIDGET, "text/plain"}
    assert "nowhere" not in data["text/plain"]


def test_without_graphviz_the_widget_is_there_and_the_text_says_why(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADVIZ_DOT", "/nowhere/dot")
    data, _ = view._repr_mimebundle_()
    assert set(data) == {WIDGET, "text/plain"}
    assert data["text/plain"].startswith("There is no Graphviz to draw with.")


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("loss", {}, r"Cannot show an object of type str[\s\S]*gradviz\.show\(gradviz\.trace\(loss\)\)"),
        (None, {"mode": "film"}, "mode='film' is not known[\\s\\S]*'widget', 'page'"),
        (None, {"theme": "pink"}, "theme='pink' is not known"),
        (None, {"height": "tall"}, "height='tall' is not possible"),
        (None, {"fold": "some"}, "fold='some'"),
    ],
)
@pytest.mark.usefixtures("built")
def test_show_says_what_it_does_not_take(given: Any, options: dict[str, Any], said: str, graph: Graph) -> None:
    with pytest.raises(GradvizError, match=said):
        show(given or graph, **options)


def test_a_viewer_that_was_not_built_is_an_error(graph: Graph, built: Path) -> None:
    built.joinpath("widget.js").unlink()
    with pytest.raises(GradvizError, match=r"widget\.js cannot be read[\s\S]*npm run build"):
        show(graph)
