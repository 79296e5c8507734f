"""The page: one file that loads nothing, runs nothing but the viewer, and shows a picture where it may not run."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gradviz.errors import GradvizError
from gradviz.graph import Graph
from gradviz.view import picture, script
from gradviz.view.page import OfflinePage
from gradviz.view.payload import encode
from gradviz.view.viewing import save_page, show
from tests.view.builders import HOSTILE, Builder, blocks, chain

pytestmark = pytest.mark.usefixtures("built")

SPITEFUL = ("</script><script>alert(1)</script>", "<!--<script>", "\u2028\u2029", "<img src=x onerror=alert(1)>", "]]>")


class Reader(HTMLParser):
    """The tags of a page with their attributes, and the text inside each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))
        self._inside = True

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  (HTMLParser gives it)
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)

    def all(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for found, attributes, text in self.found if found == tag]


@pytest.fixture
def graph() -> Graph:
    return blocks(12).graph()


def page_of(graph: Graph, **options: Any) -> OfflinePage:
    return show(graph, mode="page", **options)


def test_the_page_holds_the_graph_and_the_viewer(graph: Graph) -> None:
    read = Reader(page_of(graph).html)
    (data, payload), (viewer, source) = read.all("script")
    assert data == {"type": "application/octet-stream;base64", "id": "gradviz-payload"}
    assert zlib.decompress(base64.b64decode(payload)) == zlib.decompress(encode(graph).compressed())
    assert (viewer, source) == ({}, script.viewer_script("page"))
    assert read.all("html") == [({"lang": "en"}, "\n")]
    assert read.all("title")[0][1] == f"Backward graph: {encode(graph).content['title']}"
    assert any("switched off" in text for _, text in read.all("p"))


def test_its_policy_allows_that_one_script_and_nothing_from_a_network(graph: Graph) -> None:
    made = page_of(graph).html
    (policy,) = [meta["content"] or "" for meta, _ in Reader(made).all("meta") if "http-equiv" in meta]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    digest = base64.b64encode(hashlib.sha256(script.viewer_script("page").encode()).digest()).decode()
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}' blob:",  # the Blob is the viewer that this script unpacks
        "worker-src": "blob:",
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert made.index("http-equiv") < made.index("<script")
    assert not re.search("https?:|src=|href=", made)


@pytest.mark.parametrize("label", [*SPITEFUL, *HOSTILE])
def test_no_label_gets_out_of_its_place(label: str) -> None:
    builder = Builder()
    builder.leaf(label, builder.op(label, module=label))
    made = OfflinePage(builder.graph(), encode(builder.graph()).compressed(9), label).html
    tags = [tag for tag, _, _ in Reader(made).found]
    assert tags == [tag for tag, _, _ in Reader(page_of(chain("MeanBackward0")).html).found]
    assert made.count("</script") == 2
    assert "<!--" not in made


def test_equal_graphs_give_equal_bytes() -> None:
    assert page_of(blocks(12).graph()).html == page_of(blocks(12).graph()).html


def test_a_large_graph_is_a_small_page() -> None:
    graph = blocks(1000).graph()
    assert len(graph) == 12_003
    assert len(page_of(graph).html) < 200_000


def test_save_page_writes_it(graph: Graph, tmp_path: Path) -> None:
    path = save_page(graph, tmp_path / "graph.HTML", title="Mine & <yours>", theme="dark")
    assert path == tmp_path / "graph.HTML"
    made = path.read_text(encoding="utf-8")
    assert "<title>Mine &amp; &lt;yours&gt;</title>" in made
    assert 'data-theme="dark"' in made
    assert '<meta name="color-scheme" content="dark">' in made
    assert made == OfflinePage(graph, encode(graph).compressed(9), "Mine & <yours>", "dark").html
    assert sorted(file.name for file in tmp_path.iterdir()) == ["graph.HTML", "static"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("graph.pdf", r"Cannot save a page as '.*graph\.pdf'[\s\S]*\.html \.htm"),
        ("graph", "its name does not tell the format"),
        ("no/graph.html", "there is no folder"),
    ],
)
def test_a_file_that_cannot_be_is_an_error(name: str, said: str, graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(GradvizError, match=said):
        save_page(graph, f"{tmp_path}/{name}")


def test_what_is_no_graph_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GradvizError, match=r"Cannot save an object of type int[\s\S]*trace\(loss\), path\)"):
        save_page(3, tmp_path / "graph.html")  # type: ignore[arg-type]


def test_a_viewer_that_was_not_built_is_an_error_and_leaves_no_file(graph: Graph, built: Path) -> None:
    built.joinpath("page.js").unlink()
    with pytest.raises(GradvizError, match=r"page\.js cannot be read"):
        save_page(graph, built / "graph.html")
    assert not built.joinpath("graph.html").exists()


def test_a_notebook_gets_a_frame_with_a_picture_behind_it(graph: Graph) -> None:
    page = page_of(graph, height=300)
    bundle = page._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    read = Reader(bundle["text/html"])
    assert [tag for tag, _, _ in read.found] == ["style", "iframe", "img"]
    ((frame, _),) = read.all("iframe")
    assert frame["sandbox"] == "allow-scripts allow-downloads"  # not same-origin: it cannot reach the notebook
    assert frame["srcdoc"] == page.html
    assert frame["height"] == "300"
    ((image, _),) = read.all("img")
    kind, _, svg = (image["src"] or "").partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(svg).decode() == picture.draw(graph).svg
    assert "iframe.gradviz + img.gradviz { display: none !important; }" in html.unescape(bundle["text/html"])
    assert bundle["text/plain"] == picture.draw(graph).text
    assert repr(page) == f"<gradviz.OfflinePage: {page.title}>"


def test_without_graphviz_there_is_no_picture_and_the_text_says_why(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADVIZ_DOT", "/nowhere/dot")
    bundle = page_of(graph)._repr_mimebundle_()
    assert [tag for tag, _, _ in Reader(bundle["text/html"]).found] == ["style", "iframe"]
    assert bundle["text/plain"].startswith("There is no Graphviz to draw with.")


def test_only_text_is_made_where_only_text_is_asked_for(graph: Graph, built: Path) -> None:
    built.joinpath("page.js").unlink()
    assert set(page_of(graph)._repr_mimebundle_(include={"text/plain"})) == {"text/plain"}
