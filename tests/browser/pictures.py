"""Reads the colours of a PNG as browsers write it: red, green and blue in 8 bits each, no palette, not interlaced."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

Colour = tuple[int, int, int]


def most_common(png: bytes) -> Colour:
    """The colour of most pixels: the area of a box, whatever is written on it."""
    (colour, _), *_ = Counter(pixels(png)).most_common(1)
    return colour


def pixels(png: bytes) -> Iterator[Colour]:
    """The colours of all pixels, row by row."""
    chunks = list(_chunks(png))
    width, height, depth, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, kind in (2, 6)) == (8, True)
    step = {2: 3, 6: 4}[kind]
    data = zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT"))
    above = bytes(width * step)
    for row in range(height):
        start = row * (width * step + 1)
        above = _unfiltered(data[start], data[start + 1 : start + 1 + width * step], above, step)
        for at in range(0, width * step, step):
            yield above[at], above[at + 1], above[at + 2]


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def _unfiltered(how: int, row: bytes, above: bytes, step: int) -> bytes:
    """A row, of which differences to its neighbours were stored (PNG specification, section 9)."""
    made = bytearray(row)
    for at, byte in enumerate(row):
        left, corner = (made[at - step], above[at - step]) if at >= step else (0, 0)
        guess = (0, left, above[at], (left + above[at]) // 2, _paeth(left, above[at], corner))[how]
        made[at] = (byte + guess) % 256
    return bytes(made)


def _paeth(left: int, above: int, corner: int) -> int:
    nearest = left + above - corner
    return min((left, above, corner), key=lambda each: abs(nearest - each))
