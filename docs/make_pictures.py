"""Draws the pictures of the README. Run it after a change to what pictures show."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import gradviz
from gradviz.demo import demo_step
from gradviz.view.theme import ThemeName

model, loss = demo_step()
graph = gradviz.trace(loss, model=model)
for theme in get_args(ThemeName):
    gradviz.draw(graph, theme=theme).save(Path(__file__).with_name(f"demo-{theme}.svg"))
