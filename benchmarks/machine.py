"""The machine that is measured on: made quiet, and named, since a figure means nothing without it.

One thread on one core, always the same: a forward that is spread over cores would leave them busy for whoever comes
next.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch

_PACKAGES = ("torch", "torchviz", "torchlens", "networkx", "graphviz", "pygraphviz")


def settle() -> None:
    """Keep this process, and those that it starts, on one core, and torch on one thread."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    torch.set_num_threads(1)


def description() -> str:
    """Processor, system and versions, on one line."""
    versions = [f"{package} {found}" for package in _PACKAGES if (found := _version(package))]
    return ", ".join([_processor(), platform.platform(), f"Python {platform.python_version()}", *versions])


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    cores = f"{os.cpu_count()} cores"
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        names = [line.partition(":")[2].strip() for line in facts.read_text().splitlines() if "model name" in line]
        return f"{names[0] if names else platform.machine()}, {cores}"
    return f"{platform.processor() or platform.machine()}, {cores}"
