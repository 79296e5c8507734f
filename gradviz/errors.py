"""The one exception that gradviz raises for what a user can mend: what happened, why, and what to do."""

from __future__ import annotations


class GradvizError(Exception):
    """Raised for input that cannot be traced, drawn or read back.

    Args:
        what: what did not work, in one sentence without a full stop.
        why: the reason, as far as it is known.
        remedy: what to write or do instead.
    """

    def __init__(self, what: str, why: str, remedy: str) -> None:
        super().__init__(what, why, remedy)
        self.what = what
        self.why = why
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}.\n  Why: {self.why}.\n  What to do: {self.remedy}."
