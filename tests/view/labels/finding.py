"""Finds boxes of a scene, for tests of what they say."""

from __future__ import annotations

from gradviz.graph import Hook
from gradviz.view.scene import Box, Scene
from tests.view.builders import Builder, linear

HOOK = Hook("tensor", "w", "clip", "train.py:7")


def keyed(scene: Scene, key: str) -> Box:
    (found,) = [box for box in scene.boxes if box.key == key]
    return found


def titled(scene: Scene, title: str) -> Box:
    (found,) = [box for box in scene.boxes if box.title == title]
    return found


def layer() -> Builder:
    """A Linear among enough operations for it to be drawn closed."""
    builder = Builder()
    last = builder.op("MeanBackward0")
    last = linear(builder, "fc", last)
    for number in range(45):
        last = builder.op(f"Op{number % 7}Backward0", last)
    return builder
