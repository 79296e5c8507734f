"""Facts in words, worked out by hand."""

from __future__ import annotations

import math

import pytest

from gradviz.graph import Hook
from gradviz.recording import Cut, HookEffect, Magnitude, Source, Turn
from gradviz.recording.phrases import cut, cut_in_full, hook_effect, scaled, size, turn

HOOK = Hook("tensor", "a", "<lambda>", "train.py:12")
EFFECT = HookEffect(
    hook=HOOK,
    node="n2",
    started=3,
    before=(Magnitude(2.0),),
    after=(Magnitude(6.0),),
    returned_none=False,
    replaced=True,
    in_place=False,
    removed=False,
    registered=Source("train.py", 20, "main"),
)
CUT = Cut("detach", "x.detach()", Source("net.py", 42, "f"), None, 0, ("w", "v"), (), None, ("n1",), 1)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "hook <lambda> (train.py:12): 2 → 6, replaced"),
        ({"replaced": False, "in_place": True}, "hook <lambda> (train.py:12): 2 → 6, in place"),
        ({"replaced": False, "after": (Magnitude(2.0),)}, "hook <lambda> (train.py:12): 2, unchanged"),
        ({"after": (Magnitude(2.0),)}, "hook <lambda> (train.py:12): 2 → 2, replaced"),
        ({"replaced": False, "error": "ValueError: no"}, "hook <lambda> (train.py:12): 2, raised ValueError: no"),
        ({"before": (), "replaced": False, "after": (), "error": "E"}, "hook <lambda> (train.py:12): raised E"),
        ({"reached": ("n3", "n4"), "removed": True, "in_place": True, "replaced": False},
         "hook <lambda> (train.py:12): 2 → 6, in place, also at n3, n4, removed itself"),
        ({"before": (None, Magnitude(math.nan)), "after": (Magnitude(0.0), Magnitude(math.inf))},
         "hook <lambda> (train.py:12): none, nan → 0, inf, replaced"),
        ({"before": (Magnitude(1.0),) * 5, "after": (Magnitude(1.0),) * 5, "replaced": False},
         "hook <lambda> (train.py:12): 1, 1, 1, 1 …, unchanged"),
        ({"hook": Hook("post_accumulate", "a", "f", None)}, "post-accumulate hook f (train.py:20): 2 → 6, replaced"),
        ({"hook": Hook("unknown", "a", "C++", None), "registered": None}, "unknown hook C++: 2 → 6, replaced"),
    ],
)  # fmt: skip
def test_what_a_hook_did(facts: dict[str, object], words: str) -> None:
    assert hook_effect(EFFECT._replace(**facts)) == words


def test_no_gradient_is_not_zero() -> None:
    assert [size(None), size(Magnitude(0.0)), size(Magnitude(0.02345))] == ["none", "0", "0.0234"]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "cut at x.detach() net.py:42, severs w, v"),
        ({"times": 3, "severed": ()}, "cut at x.detach() net.py:42, 3 times, severs no parameter"),
        (
            {"opened": Source("a.py", 7, "f"), "severed": (), "suspected": ("w",), "entered": Source("a.py", 9, "f")},
            "cut at x.detach() net.py:42 (opened at a.py:7), came back in at a.py:9, perhaps severs w",
        ),
        ({"where": None}, "cut at x.detach(), severs w, v"),
    ],
)
def test_where_history_ended(facts: dict[str, object], words: str) -> None:
    found = CUT._replace(**facts)
    assert cut_in_full(found) == words
    assert words.startswith(cut(found))


def test_turns_and_scale() -> None:
    kinds = ("zero", "nonfinite", "exploded", "vanished")
    assert [turn(Turn(kind, "n0", "n1", 0, 1.0, 0.0)) for kind in kinds] == [
        "turns zero here",
        "turns non-finite here",
        "explodes here",
        "vanishes here",
    ]
    assert scaled(65536.0) == "The loss was scaled by 65536; sizes are unscaled."
