"""`gradviz demo` as a user runs it: in a process of its own, in an empty folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gradviz


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("gradviz")), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("demo")
    return folder, run(folder, "demo", "--out", "deep/er")


def test_the_demo_leaves_its_five_files_and_nothing_else(demo):
    folder, done = demo
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "graph.dot",
        "graph.html",
        "graph.json",
        "graph.png",
        "graph.svg",
    ]


def test_the_files_hold_the_same_graph_in_their_formats(demo):
    files = demo[0] / "deep" / "er"
    graph = gradviz.Graph.from_dict(json.loads((files / "graph.json").read_text(encoding="utf-8")))
    picture = gradviz.draw(graph)
    assert (files / "graph.dot").read_text(encoding="utf-8") == picture.dot
    assert (files / "graph.svg").read_text(encoding="utf-8") == picture.svg
    page = gradviz.save_page(graph, demo[0] / "again.html", title="gradviz demo")
    assert (files / "graph.html").read_bytes() == page.read_bytes()
    page.unlink()
    assert (files / "graph.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert ElementTree.parse(files / "graph.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_the_demo_shows_what_it_promises(demo):
    graph = gradviz.Graph.from_dict(json.loads((demo[0] / "deep/er/graph.json").read_text(encoding="utf-8")))
    hooks = [hook for node in graph.nodes for hook in node.hooks]
    assert [(hook.kind, hook.owner, hook.name) for hook in hooks] == [("tensor", "head.0.weight", "clip_gradient")]
    frozen = [leaf.name for leaf in graph.leaves if not leaf.requires_grad]
    assert frozen == ["embed.weight", "embed.bias"]
    confidence = graph.path_to("confidence.weight")
    (end,) = [end for end in graph.dead_ends if end.source in {node.id for node in confidence} and end.name == "mat1"]
    assert graph[end.source].module == "confidence"  # its input was detached


def test_the_table_names_what_is_counted(demo):
    printed = demo[1].stdout
    for text in ("parameters that are frozen", "embed.weight", "clip_gradient on head.0.weight", "graph.svg"):
        assert text in printed.replace("\n", " ")


def test_a_folder_that_cannot_be_made_is_said_without_a_traceback(tmp_path):
    (tmp_path / "taken").write_text("a file")
    done = run(tmp_path, "demo", "--out", "taken")
    assert done.returncode == 1
    assert "gradviz demo failed" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_random_state_is_left_alone():
    import torch

    from gradviz.demo import demo_step

    before = torch.random.get_rng_state()
    demo_step()
    assert torch.equal(torch.random.get_rng_state(), before)
