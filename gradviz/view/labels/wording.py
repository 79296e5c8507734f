"""Words for what a picture says: bytes, shapes, names within a frame."""

from __future__ import annotations

from collections.abc import Iterable

from gradviz.graph import TensorMeta


def size(number: int) -> str:
    """Bytes in the largest unit that leaves at least one of it, by thousands: ``12.3 MB``."""
    value, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 999.95:
            break
        value, unit = value / 1000, larger
    return f"{number} {'byte' if number == 1 else unit}" if unit == "bytes" else f"{value:.1f} {unit}"


def shape(meta: TensorMeta) -> str:
    """A shape as Python writes it, ``(64, 32)``."""
    if meta.shape is None:
        return "(shape not known)"
    if len(meta.shape) == 1:
        return f"({meta.shape[0]},)"
    return f"({', '.join(map(str, meta.shape))})"


def tensor(meta: TensorMeta) -> str:
    """Shape, dtype and device, and the layout where it is unusual."""
    layout = "" if meta.layout in (None, "strided") else f" {meta.layout}"
    return f"{shape(meta)} {meta.dtype} {meta.device}{layout}"


def within(name: str, path: str) -> str:
    """A name or module path as it is called inside the module at ``path``."""
    if path and name.startswith(f"{path}."):
        name = name[len(path) + 1 :]
    return name or '""'


def span(items: Iterable[str]) -> str:
    """One item, or the first and the last of several."""
    distinct = list(dict.fromkeys(items))
    return distinct[0] if len(distinct) == 1 else f"{distinct[0]} … {distinct[-1]}"
