"""The golden files: each payload with the scene that must come of it, for Python and for the viewer's TypeScript.

``python -m tests.view.payload.golden`` writes them anew, after a change that was meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gradviz.view.compose import compose
from gradviz.view.payload import encode
from gradviz.view.scene import Arrow, Box, Group, Scene
from tests.view.payload.examples import EXAMPLES, Example

FOLDER = Path(__file__).parent.parent / "golden"


def golden(example: Example) -> dict[str, Any]:
    graph = example.graph()
    return {"payload": encode(graph, fold=example.fold).content, "scene": plain(compose(graph, fold=example.fold))}


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
    return f'{{"payload": {{\n{payload}\n}},\n"scene": {{\n{scene}\n}}}}\n'


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, example in EXAMPLES.items():
        (FOLDER / f"{name}.json").write_text(write(golden(example)))
