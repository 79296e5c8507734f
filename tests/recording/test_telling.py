"""What a watch saw, as text: events with their places, then cuts, hooks, what hooks did, turns and notes."""

from __future__ import annotations

from gradviz.recording import Recording, Watched
from tests.view.watching import backward, classic, effect, gradient, troubled, watched


def test_the_classic_reads_like_this() -> None:
    assert str(classic()) == (
        "Watched 0 optimizer steps, 1 backward.\n"
        "\n"
        "train.py:19  backward 1: 3 nodes ran\n"
        "\n"
        "Hooks:\n"
        "  hook <lambda> (train.py:12) on a, registered at train.py:12: fired 1 time\n"
        "  pre-hook <lambda> (train.py:13) on a, registered at train.py:13: fired 1 time\n"
        "  post-accumulate hook <lambda> (train.py:14) on a, registered at train.py:14: fired 1 time\n"
        "  post-hook <lambda> (train.py:15) on a, registered at train.py:15: fired 1 time\n"
        "\n"
        "Backward:\n"
        "  a: hook <lambda> (train.py:12): 2.83 → 8.49, replaced\n"
        "  a: pre-hook <lambda> (train.py:13): 8.49, unchanged\n"
        "  a: post-accumulate hook <lambda> (train.py:14): 8.49 → 4.24, in place\n"
        "  a: post-hook <lambda> (train.py:15): 8.49, unchanged"
    )


def test_everything_is_told_in_order() -> None:
    assert str(troubled()).splitlines() == [
        "Watched 1 optimizer step, 1 backward.",
        "",
        "train.py:27  gradients of optimizer set to None: 2 parameters (body.fc.weight, body.fc.bias)",
        "train.py:28  forward of Net (training)",
        "train.py:31  backward 1: 10 nodes ran, loss scaled by 65536, raised RuntimeError: bad",
        "train.py:32  scaler.unscale_, scale 65536",
        "train.py:33  gradients clipped: norm was 1230, limit 1, 2 parameters (body.fc.weight, body.fc.bias)",
        "train.py:34  step of optimizer (SGD): 3 parameters, lr 0.1, lr 0.01, largest update about 123 of 2"
        " (body.fc.weight), smallest 0 of 0.5 (body.fc.bias), 1 without a gradient",
        "train.py:35  scaler left the step out: gradients were not finite",
        r"train.py:36  RuntimeError: bad\x1b[31m, which ended the block (through train.py:50, train.py:36)",
        "             the observers left after 1 optimizer step",
        "",
        "Cuts:",
        "  cut at x.detach() train.py:42, 3 times, severs head.weight, head.bias",
        "  cut at no_grad train.py:41 (opened at train.py:40), came back in at train.py:44, perhaps severs head.bias",
        "",
        "Hooks:",
        "  hook <lambda> (train.py:7) on a, registered at train.py:7: fired 1 time",
        "  unknown hook C++ on the model: never fired",
        "",
        "Backward:",
        r"  body.fc.weight: hook <lambda> (train.py:7): 1230, raised ValueError: no\x1b way",
        "  module hook <lambda> (train.py:8): 0.5 → 0.5, in place, also at n4",
        "  the gradient turns non-finite here: 0.408 at n1 AddBackward0 (train.py:29),"
        " nan at n3 LogBackward0 (net.py:10)",
        "  the gradient turns zero here: 0.408 at n2 ReluBackward0 (body, net.py:9), 0 at n4 AddmmBackward0 (body.fc)",
        "  The loss was scaled by 65536; sizes are unscaled.",
        "",
        "Threads were not seen.",
    ]


def test_several_backwards_are_numbered_and_cuts_say_which_is_meant() -> None:
    one = classic().graph
    ran = [backward(one, gradient(0, 1.0), effects=(effect("tensor", size, size),)) for size in (1.0, 2.0)]
    cuts = troubled().recording.cuts[:1]  # type: ignore[union-attr]
    assert str(watched(one, *ran, cuts=cuts)).splitlines()[2:] == [
        "Cuts:",
        "  backward 1: cut at x.detach() train.py:42, 3 times, severs head.weight, head.bias",
        "",
        "Backward 1:",
        "  a: hook <lambda> (train.py:12): 1, unchanged",
        "",
        "Backward 2:",
        "  a: hook <lambda> (train.py:12): 2, unchanged",
    ]


def test_what_is_not_recorded_is_said() -> None:
    assert str(Watched()) == "A watch whose block has not ended: nothing is recorded yet."
    assert str(Watched((), Recording())) == "Watched 0 optimizer steps, 0 backwards."


def test_a_repr_is_one_line() -> None:
    assert repr(Watched()) == "<gradviz.Watched: the block has not ended>"
    assert repr(troubled()) == "<gradviz.Watched: 1 optimizer step, 1 backward, 9 events>"
