"""A bare graph at the end of a cell is a picture: in a live notebook, untrusted, without a kernel, and as a page."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gradviz.graph import Graph, Node, Root
from gradviz.recording import Recording, Watched
from gradviz.view import notebook
from gradviz.view.engine import has_font
from tests.view.watching import classic

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NODE = "Node('n0', 'MeanBackward0', 'op', None, False, None, None, (), (), (), (), 0)"
CELLS = [
    "from gradviz.view import notebook\n"
    "from gradviz.graph import Graph, Node, Root\n"
    "notebook.register()\n"
    f"graph = Graph((Root(('', ''), 'tensor', 'n0', 0, None),), ({NODE},), ())",
    "graph",
    "from gradviz.view.picture import draw\ndraw(graph, theme='dark')",
    "from gradviz.recording import Backward, Recording, Watched\n"
    "ran = Backward('backward', None, False, False, ('n0',), (), (), (), 1024.0, 0)\n"
    "Watched((graph,), Recording(backwards=(ran,)))",
    "import os\nos.environ['GRADVIZ_DOT'] = '/nowhere/dot'\ngraph",
    "graph.__dict__['roots'] = None\ngraph",
]


@pytest.fixture
def graph() -> Graph:
    node = Node("n0", "MeanBackward0", "op", None, False, None, None, (), (), (), (), 0)
    return Graph((Root(("", ""), "tensor", "n0", 0, None),), (node,), ())


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    folder = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(folder))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder))
        nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(Path.cwd())}}).execute()
    return made


def output(executed: Any, cell: int) -> dict[str, str]:
    (shown,) = executed.cells[cell].outputs
    assert shown.output_type == "execute_result"
    return dict(shown.data)


@pytest.mark.parametrize("cell", [1, 2], ids=["a bare graph", "a picture"])
def test_a_cell_shows_svg_png_and_text(executed: Any, cell: int) -> None:
    data = output(executed, cell)
    assert data["image/svg+xml"].startswith("<svg ")
    assert "MeanBackward0" in data["image/svg+xml"]
    assert re.match(r"root +MeanBackward0", data["text/plain"].splitlines()[2])
    if has_font():
        assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert set(data) <= {
        "image/svg+xml",
        "image/png",
        "text/plain",
    }  # no HTML, which viewers on the web would clean away


def test_a_bare_watch_shows_its_last_backward_and_tells_what_happened(executed: Any) -> None:
    data = output(executed, 3)
    assert "1 node, 0 parameters, backward" in data["image/svg+xml"]
    first, _, *picture = data["text/plain"].splitlines()
    assert first == "Watched 0 optimizer steps, 1 backward."
    assert picture[:3] == ["Backward:", "  The loss was scaled by 1024; sizes are unscaled.", ""]
    assert re.match(r"root +MeanBackward0", picture[5])
    assert ("image/png" in data) == has_font()


def test_a_watch_without_a_backward_is_text() -> None:
    assert notebook.show_watched(Watched()) == {"text/plain": str(Watched())}
    empty = Watched((), Recording(steps=2))
    assert notebook.show_watched(empty) == {"text/plain": "Watched 2 optimizer steps, 0 backwards."}


def test_a_watch_that_cannot_be_drawn_still_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("no room")

    monkeypatch.setattr("gradviz.view.picture.draw", fail)
    assert notebook.show_watched(classic()) == {"text/plain": f"{classic()}\n\nIt cannot be drawn: no room"}


@pytest.mark.parametrize(("cell", "reason"), [(4, "/nowhere/dot: No such file"), (5, "It cannot be drawn")])
def test_what_cannot_be_drawn_is_shown_as_text_with_the_reason(executed: Any, cell: int, reason: str) -> None:
    data = output(executed, cell)
    assert set(data) == {"text/plain"}
    assert reason in data["text/plain"]


def test_the_page_that_nbconvert_makes_has_the_picture_in_it(executed: Any) -> None:
    page, _ = pytest.importorskip("nbconvert").HTMLExporter().from_notebook_node(executed)
    assert len(re.findall(r'<img[^>]* src="data:image/svg\+xml;base64,|<svg ', page)) == 3


def test_a_terminal_gets_text_and_nothing_is_drawn_for_it(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = SimpleNamespace(display_formatter=SimpleNamespace(active_types=["text/plain"]))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setenv("GRADVIZ_DOT", "/nowhere/dot")
    (kind, text), *rest = notebook.show_graph(graph).items()
    assert (kind, rest) == ("text/plain", [])
    assert "MeanBackward0" in text
    assert "nowhere" not in text


@pytest.mark.parametrize(
    ("include", "exclude", "shown"),
    [
        (None, {"image/png"}, {"image/svg+xml", "text/plain"}),
        ({"image/svg+xml"}, None, {"image/svg+xml"}),
        ({"text/html"}, None, set()),
    ],
)
def test_only_what_is_asked_for_is_made(
    include: set[str] | None, exclude: set[str] | None, shown: set[str], graph: Graph
) -> None:
    assert set(notebook.show_graph(graph, include, exclude)) == shown


def test_without_a_running_ipython_nothing_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    notebook.register()
    assert "IPython" not in sys.modules
