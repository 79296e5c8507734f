"""Servers that browser tests talk to: each a process of its own, with its own home and port, and surely ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

START = 90  # seconds that a server may take to answer; it is up after three where nothing else runs
STOP = 20  # seconds that it may take to end its kernels and itself


def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def homeless(home: Path) -> dict[str, str]:
    """The environment, but with every folder of a user's settings inside ``home``."""
    folders = {
        "HOME": "",
        "JUPYTER_CONFIG_DIR": "jupyter/config",
        "JUPYTER_DATA_DIR": "jupyter/data",
        "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
        "JUPYTERLAB_SETTINGS_DIR": "jupyter/settings",
        "JUPYTERLAB_WORKSPACES_DIR": "jupyter/workspaces",
        "IPYTHONDIR": "ipython",
        "XDG_CONFIG_HOME": "config",
        "XDG_CACHE_HOME": "cache",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
    }
    return os.environ | {name: str(home / folder) for name, folder in folders.items()}


@contextmanager
def running(command: Sequence[str], *, home: Path, url: str) -> Iterator[None]:
    """Run a server until the block is left; it is entered when ``url`` answers. Its output lies in ``home/log``."""
    log = home / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=homeless(home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that its children can be ended with it
        )
    try:
        _wait_for(url, process, log)
        yield
    finally:
        _end(process)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    latest = time.monotonic() + START
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError as refused:  # URLError is one
            ended = process.poll()
            if ended is not None or time.monotonic() > latest:
                told = f"ended with {ended}" if ended is not None else f"did not answer in {START} s"
                raise RuntimeError(f"{process.args!r} {told}:\n{log.read_text(errors='replace')}") from refused
            if isinstance(refused, urllib.error.HTTPError):
                refused.close()
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask it to end, with its children; make it, where it does not listen."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            break  # nobody of its group is left
        try:
            process.wait(STOP)
        except subprocess.TimeoutExpired:
            continue
    process.wait(STOP)
