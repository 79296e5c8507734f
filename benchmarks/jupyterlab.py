"""A JupyterLab of its own, without settings of the user's, and a notebook in it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOKEN = "token-of-the-benchmarks"
START, STOP = 120, 20  # seconds that the server may take
_FOLDERS = {
    "HOME": "",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}
_NEWS = "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"

# A cell that is run before the kernel is there is lost without an error.
_READY = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  let panel;
  while (!(panel = app.shell.currentWidget)?.sessionContext) await new Promise((then) => setTimeout(then, 20));
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""
_EXECUTE = """async (code) => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const { content } = await kernel.requestExecute({ code }).done;
  if (content.status !== 'ok') throw new Error(`${content.ename}: ${content.evalue}`);
}"""
# Marks when the kernel's messages arrive: the widget is made, then told to be shown.
_RUN = """async () => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const hear = (_, { header }) => watch.mark(header.msg_type);
  kernel.iopubMessage.connect(hear);
  const marks = await watch.after(() => window.jupyterapp.commands.execute('notebook:run-cell'), true);
  kernel.iopubMessage.disconnect(hear);
  return marks;
}"""
_CLOSE = "() => window.jupyterapp.shell.currentWidget?.sessionContext.shutdown()"


def missing() -> str:
    """Why there is no JupyterLab here, "" if there is one."""
    absent = [name for name in ("jupyterlab", "ipykernel") if find_spec(name) is None]
    return f"{' and '.join(absent)} is not installed" if absent else ""


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """Its address, while it runs."""
    news = home / _NEWS
    news.parent.mkdir(parents=True)
    news.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))  # it would ask the network
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.root_dir": home,
        "IdentityProvider.token": TOKEN,
        "LabApp.expose_app_in_browser": True,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    folders = {name: str(home / folder) for name, folder in _FOLDERS.items()}
    process = subprocess.Popen(
        [*command, *(f"--{name}={value}" for name, value in options.items())],
        cwd=home,
        env=os.environ | folders | {"PYTHONPATH": str(Path(__file__).parent.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # so that its kernels can be ended with it
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(f"{url}/api/status?token={TOKEN}", process)
        yield url
    finally:
        _end(process)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    latest = time.monotonic() + START
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            if process.poll() is not None or time.monotonic() > latest:
                raise RuntimeError("JupyterLab did not start") from None
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP)


class Notebook:
    """A notebook of one cell, opened in a watched page, with a kernel of its own in which ``setup`` has run."""

    def __init__(self, page: Page, url: str, home: Path, cell: str, setup: str) -> None:
        name = f"{uuid4().hex}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        source = {"cell_type": "code", "id": "cell", "metadata": {}, "outputs": [], "execution_count": None}
        content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
        (home / name).write_text(json.dumps(content | {"cells": [source | {"source": cell}]}))
        self._page = page
        page.goto(f"{url}/lab/tree/{name}?reset&token={TOKEN}")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.evaluate(_READY)
        page.evaluate(_EXECUTE, setup)

    def run(self) -> dict[str, Any]:
        """Run the cell: the milliseconds since then at which its view got how far."""
        return self._page.evaluate(_RUN)

    def close(self) -> None:
        """End the kernel."""
        self._page.evaluate(_CLOSE)
