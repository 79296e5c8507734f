"""A panel of plain ipywidgets beside a view: the view's traits as controls, and what is selected in words.

Everything goes through the view's traits, in both ways, so a panel knows nothing of the browser.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import ipywidgets
import traitlets

from gradviz.graph import Graph, Node
from gradviz.view.labels import tooltips
from gradviz.view.labels.flow import Flow
from gradviz.view.labels.wording import tensor
from gradviz.wording import visible

if TYPE_CHECKING:
    from gradviz.view.widget import View

_COLORS = {
    "Role": "role",
    "Module": "module",
    "Device": "device",
    "Dtype": "dtype",
    "Bytes saved": "saved",
    "Gradient size": "gradient",
}
_MOST = 20  # selected nodes that are described
_LONGEST = 400  # letters of a line


class Panel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets publishes no types
    """Controls of one view, made by ``view.panel()``: colors, search, steps, folds, and facts of what is selected.

    Its parts can be placed elsewhere one by one. ``close()`` cuts it off from the view.

    Args:
        view: what is controlled.
    """

    def __init__(self, view: View) -> None:
        self._view, self._flow = view, Flow(view.shown)
        self._showing = False
        self.color_by = ipywidgets.Dropdown(options=_COLORS, description="Color by")
        self.query = ipywidgets.Text(description="Search")
        self.stepping = ipywidgets.ToggleButton(description="Step through backward")
        self.step = ipywidgets.IntSlider(min=0, max=view.shown.steps, description="Step")
        self.fold = ipywidgets.Button(description="Fold all")
        self.unfold = ipywidgets.Button(description="Unfold all")
        self.selection = ipywidgets.HTML()
        self._links: list[traitlets.link | traitlets.dlink] = [
            traitlets.link((view, "color_by"), (self.color_by, "value")),
            traitlets.link((view, "query"), (self.query, "value")),
            traitlets.dlink((self.stepping, "value"), (self.step, "disabled"), lambda stepping: not stepping),
        ]
        self.fold.on_click(self._fold)
        self.unfold.on_click(self._unfold)
        self.stepping.observe(self._set_step, "value")
        self.step.observe(self._set_step, "value")
        view.observe(self._show_step, "step")
        view.observe(self._describe, "selected")
        self._show_step()
        self._describe()
        folding, stepping = ipywidgets.HBox([self.fold, self.unfold]), ipywidgets.HBox([self.stepping, self.step])
        super().__init__([self.color_by, self.query, folding, stepping, self.selection])

    def close(self) -> None:
        """Remove the panel from the page, and from what the view tells of its changes."""
        if self._links:  # it is closed again when Python frees it
            self._view.unobserve(self._show_step, "step")
            self._view.unobserve(self._describe, "selected")
        while self._links:
            self._links.pop().unlink()
        super().close()

    def _fold(self, _: ipywidgets.Button) -> None:
        self._view.fold()

    def _unfold(self, _: ipywidgets.Button) -> None:
        self._view.unfold()

    def _set_step(self, _: object) -> None:
        if not self._showing:
            self._view.step = self.step.value if self.stepping.value else None

    def _show_step(self, _: object = None) -> None:
        step = self._view.step
        self._showing = True  # the two controls are one trait: neither may answer before both are set
        try:
            self.stepping.value = step is not None
            self.step.value = step or 0
        finally:
            self._showing = False

    def _describe(self, _: object = None) -> None:
        selected, graph = self._view.selected, self._view.graph
        told = [_as_html(describe(graph, graph[node], self._flow)) for node in selected[:_MOST]]
        more = len(selected) - _MOST
        told += [f"<p>and {more:,} more</p>"] if more > 0 else []
        self.selection.value = "".join(told) or "<p>Nothing is selected.</p>"


def describe(graph: Graph, node: Node, flow: Flow) -> list[str]:
    """What is known of a node, in lines of any characters, its name first; ``flow`` tells what a backward did."""
    leaf = next((leaf for leaf in graph.leaves if leaf.node == node.id), None)
    lines = [f"{node.id} {node.op}"]
    lines += tooltips.ghost(leaf) if leaf is not None else []
    lines += [f"module {node.module}" + (" (inferred)" if node.module_inferred else "")] if node.module else []
    lines += [*tooltips.source(node), *flow.turn_to_run(node, len(graph)), *flow.lines([node])]
    lines += [f"slot {number}: {tensor(meta)}" for number, meta in enumerate(node.slots)]
    lines += [f"{argument.name}: {argument.formula}" for argument in node.arguments]
    lines += [tooltips.dead_end(end) for end in graph.dead_ends if end.source == node.id]
    lines += [tooltips.saved(item) for item in node.saved if item.state != "absent"]
    lines += [tooltips.hook_line(hook) for hook in dict.fromkeys((*node.hooks, *(leaf.hooks if leaf else ())))]
    return lines


def _as_html(lines: list[str]) -> str:
    first, *rest = (html.escape(visible(line, _LONGEST)) for line in lines)
    return f"<p><b>{first}</b><br>{'<br>'.join(rest)}</p>"
