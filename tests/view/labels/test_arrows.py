"""What arrows say."""

from __future__ import annotations

from gradviz.view.compose import compose
from tests.view.builders import Builder


def test_arguments_are_named_where_an_operation_has_several() -> None:
    builder = Builder()
    first = builder.op()
    second = builder.op("SinBackward0")
    builder.edge(first, second, "self")
    third = builder.op("CosBackward0")
    builder.edge(first, third, "other")
    builder.edge(second, third, "self")
    graph = builder.graph()
    assert [arrow.label for arrow in compose(graph).arrows] == ["self", "other", ""]
    assert [arrow.label for arrow in compose(graph, detail="full").arrows] == ["self", "other", "self"]
    assert [arrow.label for arrow in compose(graph, detail="brief").arrows] == ["", "", ""]
    assert compose(graph).arrows[1].tooltip == ("n0[1] → n2[0] (other): (2, 3) float32 cpu",)


def test_edges_are_counted_for_one_round() -> None:
    builder = Builder()
    stack = builder.op("StackBackward0")
    last = stack
    for number in range(20):
        step = builder.op("SinBackward0")
        builder.edge(stack, step, f"tensors[{number}]")
        if number:
            builder.edge(last, step)
        last = builder.op("MulBackward0", step)
    builder.op("ExpBackward0", last)
    labels = {(a.source, a.target, a.again): (a.label, a.edges) for a in compose(builder.graph()).arrows}
    assert labels["n0", "n1", False] == ("tensors ×20", 20)
    assert labels["n1", "n2", False] == ("", 20)
    assert labels["n2", "n1", True] == ("", 19)
