"""The golden files: each payload with the scene that must come of it, and what folding must do, for both languages.

``python -m tests.view.payload.golden`` writes them anew, after a change that was meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gradviz.graph import Graph
from gradviz.view.compose import compose
from gradviz.view.folds import FoldTree
from gradviz.view.payload import encode
from gradviz.view.scene import Arrow, Box, Group, Scene
from tests.view.payload.examples import EXAMPLES, Example

FOLDER = Path(__file__).parent.parent / "golden"


def golden(example: Example) -> dict[str, Any]:
    shown = example.shown()
    payload = encode(shown, fold=example.fold)
    return {
        "payload": payload.content,
        "scene": plain(compose(shown, fold=example.fold)),
        "folds": folds(shown.graph, FoldTree(shown.graph, payload)),
    }


def folds(graph: Graph, tree: FoldTree) -> dict[str, Any]:
    """What "unfold all" opens with room for so many boxes, and what each of some nodes needs in some states."""
    unfolded = {str(most): tree.unfolded_all(rounds=False, most=most)[0] for most in (12, 40, 20_000)}
    states = [{}, tree.folded({}, []), tree.unfolded_all(rounds=True, most=20_000)[0], unfolded["40"]]
    leaves = [leaf.node for leaf in graph.leaves if leaf.node is not None]
    nodes = [*(node.id for node in graph.nodes[:: len(graph) // 8 + 1]), *leaves[:: len(leaves) // 8 + 1]]
    revealed = [[state, node, tree.revealed(state, node)] for state in states for node in dict.fromkeys(nodes)]
    return {"unfolded": unfolded, "revealed": revealed}


def plain(scene: Scene) -> dict[str, Any]:
    """A scene as JSON, without its tooltips: the viewer has the facts themselves."""
    return {name: [_told(part) for part in getattr(scene, name)] for name in ("boxes", "arrows", "groups")}


def _told(part: Box | Arrow | Group) -> dict[str, Any]:
    facts = {name: list(value) if isinstance(value, tuple) else value for name, value in part._asdict().items()}
    del facts["tooltip"]
    return facts


def write(content: dict[str, Any]) -> str:
    """One line for each section, and for each box, arrow and group."""
    payload = ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content["payload"].items())
    parts = []
    for name, listed in content["scene"].items():
        lines = ",\n".join(json.dumps(part) for part in listed)
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    scene = ",\n".join(parts)
    revealed = ",\n".join(map(json.dumps, content["folds"]["revealed"]))
    folds = f'"unfolded": {json.dumps(content["folds"]["unfolded"])},\n"revealed": [\n{revealed}\n]'
    return f'{{"payload": {{\n{payload}\n}},\n"scene": {{\n{scene}\n}},\n"folds": {{\n{folds}\n}}}}\n'


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, example in EXAMPLES.items():
        (FOLDER / f"{name}.json").write_text(write(golden(example)))
