"""What boxes say of a watched backward: sizes, hooks in true order, what stands out, cuts; nothing of a plain graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gradviz.recording import Turn, Watched
from gradviz.view.accepted import shown_of
from gradviz.view.compose import Detail, compose
from gradviz.view.scene import Arrow, Box, Scene
from tests.view.builders import Builder, assert_faithful, blocks, chain, linear
from tests.view.labels.finding import layer, titled
from tests.view.watching import INF, NAN, backward, classic, cut, deep, effect, gradient, troubled, watched


def scene(given: Watched, detail: Detail = "normal") -> Scene:
    return compose(shown_of(given, "draw", "gradviz.draw(…)"), detail=detail)


def test_hooks_stand_around_what_arrived_in_true_order() -> None:
    a = titled(scene(classic()), "a")
    lines = (
        "hook <lambda> (train.py:12): 2.83 → 8.49, replaced",
        "grad 8.49",
        "pre-hook <lambda> (train.py:13): 8.49, unchanged",
        "added to .grad",
        "post-accumulate hook <lambda> (train.py:14):",
        "8.49 → 4.24, in place",
        "post-hook <lambda> (train.py:15): 8.49, unchanged",
    )
    assert a.lines == ("(2,)", *lines)
    assert a.badges == ("hook ×4",)
    assert [line for line in a.tooltip if line in lines] == list(lines)


def test_a_hook_that_raised_leaves_nothing_in_grad() -> None:
    graph = classic().graph
    effects = (effect("tensor", 2.0, 2.0, error="ValueError: no"),)
    a = titled(scene(watched(graph, backward(graph, effects=effects))), "a")
    assert a.lines == ("(2,)", "hook <lambda> (train.py:12): 2, raised ValueError: no")


def test_many_calls_of_hooks_are_counted() -> None:
    graph = classic().graph
    effects = tuple(effect("tensor", 1.0, 1.0, line=line) for line in range(20))
    a = titled(scene(watched(graph, backward(graph, gradient(2, 1.0), effects=effects))), "a")
    assert a.lines[1:] == (
        *(f"hook <lambda> (train.py:{line}): 1, unchanged" for line in range(5)),
        "and 15 more calls of hooks",
        "grad 1",
        "added to .grad",
    )


def test_where_nothing_was_watched_nothing_is_said() -> None:
    graph = classic().graph
    plain = compose(graph)
    assert [box.lines for box in plain.boxes] == [("()",), ("(2,)",), ("(2,)",)]
    assert not any(box.badges for box in plain.boxes)
    assert plain.title == "3 nodes, 0 parameters"


def test_what_was_not_recorded_is_not_zero() -> None:
    graph = classic().graph
    boxes = scene(watched(graph, backward(graph))).boxes
    assert [(box.lines, box.badges) for box in boxes] == [(("()",), ()), (("(2,)",), ()), (("(2,)",), ())]


@pytest.mark.parametrize(
    ("sizes", "line", "badges"),
    [
        ((0.5,), "grad 0.5", ()),
        ((0.0,), "grad 0", ("zero grad",)),
        ((None,), "grad none", ("without grad",)),
        ((None, 0.0), "grad none, 0", ("zero grad",)),
        ((0.0, 2.0), "grad 0, 2", ()),
        ((NAN, 2.0), "grad nan, 2", ("non-finite grad",)),
        ((INF,), "grad inf", ("non-finite grad",)),
        ((1.0, 2.0, 3.0, 4.0), "grad 1, 2, 3 …", ()),
    ],
)
def test_zero_non_finite_and_nothing_stand_out(
    sizes: tuple[float | None, ...], line: str, badges: tuple[str, ...]
) -> None:
    graph = classic().graph
    ran = backward(graph, *(gradient(1, size, slot) for slot, size in reversed(list(enumerate(sizes)))))
    box = titled(scene(watched(graph, ran)), "MulBackward0")
    assert (box.lines[1:], box.badges) == ((line,), badges)
    brief = titled(scene(watched(graph, ran), "brief"), "MulBackward0")
    assert (brief.lines, brief.badges) == ((), badges)


def test_a_node_that_did_not_run_says_so() -> None:
    exp = titled(scene(troubled(), "full"), "ExpBackward0")
    assert exp.badges == ("did not run",)
    assert not [line for line in exp.lines if "run" in line or "grad" in line]


def test_the_engines_real_order_and_the_source_line_are_told() -> None:
    log = titled(scene(troubled(), "full"), "LogBackward0")
    assert log.lines == ("(2, 3) float32 cpu", "grad nan", "at net.py:10 in Net.forward", "number 3 that ran")
    assert log.tooltip == (
        "n3 LogBackward0",
        "at net.py:10 in Net.forward",
        "number 3 of 10 that ran",
        "slot 0: (2, 3) float32 cpu",
        "grad nan",
    )


def test_a_turn_takes_the_place_of_what_it_turns_into() -> None:
    drawn = scene(troubled())
    assert titled(drawn, "LogBackward0").badges == ("turns non-finite here",)
    assert titled(drawn, "AddmmBackward0").badges == ("turns zero here",)
    assert titled(drawn, "bias").badges == ("zero grad",)


def test_turns_of_sizes() -> None:
    graph = chain("A", "B", "C")
    turns = (Turn("exploded", "n0", "n1", 0, 1.0, 1e9), Turn("vanished", "n1", "n2", 0, 1e9, 1e-9))
    boxes = scene(watched(graph, backward(graph, gradient(1, 1e9), gradient(2, 1e-9), turns=turns))).boxes
    assert [box.badges for box in boxes] == [(), ("explodes here",), ("vanishes here",)]
    assert [box.lines[1:] for box in boxes] == [(), ("grad 1e+09",), ("grad 1e-09",)]


def test_a_closed_box_shows_the_range_and_counts_what_stands_out() -> None:
    graph = layer().graph()
    gradients = [gradient(1, 0.3), gradient(2, 0.0), gradient(3, 1e-5), gradient(4, NAN)]
    effects = (effect("tensor", 0.3, 0.3, "n1"), effect("tensor", 0.3, 0.3, "n2", 5))
    fc = titled(scene(watched(graph, backward(graph, *gradients, effects=effects))), "fc: Linear")
    assert fc.lines == ("weight (4, 4)", "bias (4,)", "grad 0 … 0.3")
    assert fc.badges == ("hook ×2", "1 zero grad", "1 non-finite grad")
    assert "grad 1e-05 … 0.3" in fc.tooltip  # of its operations


def test_rounds_of_a_repeat_show_their_range() -> None:
    drawn = scene(deep())
    # AddBackward0 of twelve rounds: n1, n13, ...: the first has 0.9, the last 0.9**133
    assert titled(drawn, "AddBackward0").lines == ("(2, 3)", "grad 8.21e-07 … 0.9")
    assert titled(drawn, "up: Linear").badges == ("1 zero grad",)
    graph = blocks(12).graph()
    equal = watched(graph, backward(graph, *(gradient(place, 0.0) for place in range(len(graph)))))
    assert titled(scene(equal), "AddBackward0").lines == ("(2, 3)", "grad 0")
    assert titled(scene(equal), "AddBackward0").badges == ("12 zero grads",)
    nothing = watched(graph, backward(graph, *(gradient(place, None) for place in range(len(graph)))))
    assert titled(scene(nothing), "AddBackward0").lines == ("(2, 3)", "grad none")
    assert titled(scene(nothing), "AddBackward0").badges == ("12 without grad",)


def test_a_severed_ghost_says_where_and_an_arrow_leads_to_it() -> None:
    given = troubled()
    drawn = scene(given)
    head: Box = titled(drawn, "head")
    assert head.lines == (
        "2 parameters not reached",
        "cut at x.detach() train.py:42",
        "perhaps cut at no_grad train.py:41 (opened at train.py:40)",
    )
    assert head.tooltip[-2:] == head.lines[-2:]
    (arrow,) = [arrow for arrow in drawn.arrows if arrow.target == head.key]
    words = "cut at x.detach() train.py:42, 3 times, severs head.weight, head.bias"
    assert arrow == Arrow("n1", head.key, "cut", 0, tooltip=(words,))
    assert_faithful(given.graph, drawn)


def test_cuts_of_other_backwards_and_unknown_nodes_are_left_out() -> None:
    given = troubled()
    assert given.recording is not None
    cuts = (cut("head.weight", backward=1, severed_from=("n1",)), cut("head.bias", severed_from=("n99",)))
    drawn = scene(watched(given.graph, given.recording.backwards[0], cuts=cuts))
    assert titled(drawn, "head").lines == ("2 parameters not reached", "cut at x.detach() train.py:42")
    assert not [arrow for arrow in drawn.arrows if arrow.label == "cut"]


def test_what_each_edge_added_is_told_where_it_was_observed() -> None:
    tooltips = [line for arrow in scene(troubled()).arrows for line in arrow.tooltip]
    assert "n4[2] → n8[0] (self): (1,) float32 cpu, grad 3" in tooltips
    assert "n3[0] → n8[0] (self): (1,) float32 cpu, grad 4" in tooltips
    assert "n0[0] → n1[0] (self): (2, 3) float32 cpu" in tooltips


def test_notes_and_the_title_tell_which_backward_is_shown() -> None:
    drawn = scene(troubled())
    assert drawn.title == "11 nodes, 2 parameters, backward at train.py:31"
    assert drawn.notes == (
        "The loss was scaled by 65536; sizes are unscaled.",
        "This backward raised RuntimeError: bad.",
        "Threads were not seen.",
    )
    graph = classic().graph
    many = watched(graph, backward(graph), backward(graph, kind="grad", where=None), backward(graph, nested=True))
    assert scene(many).title == "3 nodes, 0 parameters, autograd.grad"
    assert scene(many).notes == ("Shown is backward 2 of 3.",)


def test_a_chain_of_views_tells_what_arrived() -> None:
    builder = Builder()
    last = linear(builder, "fc", builder.op("MeanBackward0"))
    for op in ("ViewBackward0", "TBackward0"):
        last = builder.op(op, last, kind="view")
    builder.op("ExpBackward0", last)
    graph = builder.graph()
    effects = (effect("tensor", 2.0, 4.0, f"n{last}"),)
    ran = backward(graph, gradient(last - 1, 2.0), gradient(last, 4.0), effects=effects)
    shown = shown_of(watched(graph, ran), "draw", "gradviz.draw(…)")
    views = titled(compose(shown, fold=["fc"]), "View · T")
    assert views.lines == ("(2, 3)", "hook <lambda> (train.py:12): 2 → 4, replaced", "grad 2 … 4")
    assert views.badges == ("hook",)


@pytest.mark.parametrize("make", [classic, troubled, deep])
@pytest.mark.parametrize("detail", ["brief", "normal", "full"])
def test_every_scene_of_a_watch_is_faithful(make: Callable[[], Watched], detail: Detail) -> None:
    given = make()
    drawn = scene(given, detail)
    assert_faithful(given.graph, drawn)
    assert drawn == scene(make(), detail)
