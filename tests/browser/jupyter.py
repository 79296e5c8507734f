"""A notebook in JupyterLab or Notebook 7, opened in a browser: run its cells, ask its kernel, find its viewers."""

from __future__ import annotations

import ast
import json
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import nbformat
from playwright.sync_api import Locator, Page

from tests.browser.hands import PATIENCE
from tests.browser.programs import free_port, running

TOKEN = "token-of-the-tests"

SETTINGS = {
    # The news pop-up covers a corner, and asks the network; `--LabApp.news_url` does not keep it away.
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/apputils-extension/themes": {"adaptive-theme": False},
}

# A cell that is run before the kernel is there is lost without an error, and "idle" is shown all the same.
READY = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  let panel;
  while (!(panel = app.shell.currentWidget)?.sessionContext) await new Promise((then) => setTimeout(then, 20));
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""

RUN = "([command, given]) => window.jupyterapp.commands.execute(command, given)"

RERUN = """async ([cell, times]) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.activeCellIndex = cell;
  const { node } = content.activeCell;
  const shown = () => [...node.querySelectorAll('*')].filter((e) => e.gradviz?.ready || e.matches('.empty-widget'));
  for (let run = 0; run < times; run++) {
    const before = new Set(shown());
    await window.jupyterapp.commands.execute('notebook:run-cell');
    while (!shown().some((e) => !before.has(e))) await new Promise((then) => setTimeout(then, 20));
  }
}"""

ASK = """async ([code, expression]) => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const asked = kernel.requestExecute({ code, user_expressions: { value: expression } });
  const { content } = await asked.done;
  const { value } = content.user_expressions ?? {};
  if (content.status !== 'ok') throw new Error(`${content.ename}: ${content.evalue}`);
  if (value.status !== 'ok') throw new Error(`${value.ename}: ${value.evalue}`);
  return value.data['text/plain'];
}"""


class Server(NamedTuple):
    """A running server: its address, and the folder with its notebooks."""

    kind: Literal["lab", "notebook"]
    url: str
    folder: Path

    def end_kernels(self) -> None:
        """End all kernels: every test starts one."""
        with urllib.request.urlopen(self._asking("kernels"), timeout=30) as answer:
            kernels = json.load(answer)
        for kernel in kernels:
            urllib.request.urlopen(self._asking(f"kernels/{kernel['id']}", "DELETE"), timeout=30).close()

    def _asking(self, path: str, method: str = "GET") -> urllib.request.Request:
        return urllib.request.Request(
            f"{self.url}/api/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )


@contextmanager
def serving(kind: Literal["lab", "notebook"], home: Path) -> Iterator[Server]:
    """Run JupyterLab or Notebook 7 with settings of its own until the block is left."""
    folder, port = home / "notebooks", free_port()
    folder.mkdir(parents=True)
    for name, values in SETTINGS.items():
        file = home / f"jupyter/settings/{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    app = {"lab": "LabApp", "notebook": "JupyterNotebookApp"}[kind]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,  # else it silently takes the next
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": TOKEN,
        f"{app}.expose_app_in_browser": True,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    command = [
        sys.executable,
        "-m",
        {"lab": "jupyterlab", "notebook": "notebook"}[kind],
        "--no-browser",
        "--allow-root",
    ]
    command += [f"--{name}={value}" for name, value in options.items()]
    url = f"http://127.0.0.1:{port}"
    with running(command, home=home, url=f"{url}/api/status?token={TOKEN}"):
        yield Server(kind, url, folder)


class Notebook:
    """A notebook in a page."""

    def __init__(self, page: Page, server: Server, name: str, cells: Sequence[str] | nbformat.NotebookNode) -> None:
        """Write it, open it, and wait for its kernel."""
        node = cells if isinstance(cells, nbformat.NotebookNode) else new(cells)
        nbformat.write(node, server.folder / f"{name}.ipynb")
        self.page, self.server = page, server
        tree = {"lab": f"lab/tree/{name}.ipynb?reset&", "notebook": f"notebooks/{name}.ipynb?"}[server.kind]
        page.goto(f"{server.url}/{tree}token={TOKEN}")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=2 * PATIENCE)
        page.evaluate(READY)

    def command(self, name: str, **given: Any) -> None:
        """Run a command of JupyterLab's."""
        self.page.evaluate(RUN, [name, given])

    def run(self) -> None:
        """Run all cells, and wait for the last."""
        self.command("notebook:run-all-cells")

    def execute(self, code: str) -> None:
        """Run code in the kernel, beside the cells."""
        self.page.evaluate(ASK, [code, "None"])

    def value(self, expression: str) -> Any:
        """What an expression of literals is in the kernel."""
        return ast.literal_eval(self.page.evaluate(ASK, ["", expression]))

    def until_value(self, expression: str, wanted: Any) -> None:
        """Wait until an expression is that in the kernel: what the browser sent may be on its way."""
        latest = time.monotonic() + PATIENCE / 1000
        while (value := self.value(expression)) != wanted:
            assert time.monotonic() < latest, f"{expression} is {value!r}, not {wanted!r}"

    def rerun(self, cell: int, times: int) -> None:
        """Run a cell again and again, each time when the run before has ended and shows a new widget."""
        self.page.evaluate(RERUN, [cell, times])

    def listeners(self) -> int:
        """Listeners that are alive in the page after garbage was collected."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Performance.enable")
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        session.detach()
        return next(int(metric["value"]) for metric in metrics if metric["name"] == "JSEventListeners")

    def close(self) -> None:
        """Leave the page, whatever state it is in, and end the kernel."""
        self.page.close(run_before_unload=False)
        self.server.end_kernels()

    def output(self, cell: int) -> Locator:
        """What a cell has put out."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-OutputArea")

    def cells(self) -> int:
        """How many cells it has."""
        return self.page.locator(".jp-Notebook .jp-Cell").count()


def new(cells: Sequence[str]) -> nbformat.NotebookNode:
    """A notebook of these code cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    made.cells = [nbformat.v4.new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(cells)]
    return made
