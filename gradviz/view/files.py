"""Writes files so that a reader sees the old content or the whole new one, never a part."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path

from gradviz.errors import GradvizError


def destination(path: str | Path, what: str, endings: Collection[str]) -> Path:
    """The file to write, with ``~`` replaced by the user's home.

    Args:
        path: what the user gave.
        what: what is saved there, for errors: ``"a picture"``.
        endings: what its name may end with, in small letters.

    Raises:
        GradvizError: if the name ends otherwise, is none that a file can have, or there is no such home.
    """
    try:
        target = Path(path).expanduser()
        target.resolve()
    except (RuntimeError, TypeError, ValueError, OSError) as error:
        raise GradvizError(f"Cannot save {what} as {path!r}", str(error), "write the whole path as text") from error
    if target.suffix.lower() not in endings:
        why = f"its name ends with {target.suffix!r}" if target.suffix else "its name does not tell the format"
        raise GradvizError(
            f"Cannot save {what} as {str(path)!r}",
            why if target.name else "it names no file",
            f"use a name that ends with one of {' '.join(endings)}",
        )
    return target


def write_atomically(target: Path, content: str | bytes) -> None:
    """Write beside the target and rename. Text becomes UTF-8. A link stays a link; its target is replaced.

    Raises:
        GradvizError: if it cannot be written. Then nothing is left of the new file, and the old one is as it was.
    """
    final = target.resolve()
    # Not tempfile: its files can be read by their owner alone, and the rename would keep that.
    draft = final.with_name(f".{secrets.token_hex(8)}.gradviz")
    try:
        try:
            with draft.open("xb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
            draft.replace(final)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        if not final.parent.is_dir():
            raise GradvizError(
                f"Cannot write {target}", f"there is no folder {final.parent}", "make it first"
            ) from None
        why = error.strerror or str(error)
        raise GradvizError(f"Cannot write {target}", why, "free the place or choose another one") from error
