"""What closed boxes say, and the frames of open ones."""

from __future__ import annotations

from gradviz.graph import Hook
from gradviz.view.compose import compose
from tests.view.builders import Builder, blocks, linear
from tests.view.labels.finding import HOOK, layer, titled


def test_a_layer_lists_its_parameters() -> None:
    fc = titled(compose(layer().graph()), "fc: Linear")
    assert (fc.role, fc.lines) == ("module", ("weight (4, 4)", "bias (4,)"))
    assert fc.nodes == ("n1", "n3", "n2", "n4")
    assert fc.tooltip == (
        "fc: Linear",
        "2 operations",
        "1 × AddmmBackward0",
        "1 × TBackward0",
        "fc.bias (4,)",
        "fc.weight (4, 4)",
    )


def test_a_layer_in_brief_and_in_full() -> None:
    graph = layer().graph()
    assert titled(compose(graph, detail="brief"), "fc: Linear").lines == ("weight", "bias")
    assert titled(compose(graph, detail="full"), "fc: Linear").lines == (
        "weight (4, 4) float32 cpu",
        "bias (4,) float32 cpu",
    )


def test_more_than_three_parameters_are_only_counted() -> None:
    scene = compose(blocks(12).graph(), fold=1)
    block = titled(scene, "h.0 … h.11: Block ×12")
    assert block.role == "repeat"
    assert block.lines == ("5 parameters", "norm.weight … mlp.up.bias")
    brief = titled(compose(blocks(12).graph(), fold=1, detail="brief"), "h.0 … h.11: Block ×12")
    assert brief.lines == ("norm.weight … mlp.up.bias",)


def test_many_operations_are_counted_beside_the_leaves() -> None:
    builder = layer()
    for number, user in enumerate((5, 5, 6, 7, 8)):
        builder.leaf(f"w{number}", user, *([9] if number == 4 else []), parameter=number != 1)
    (top,) = compose(builder.graph(), closer=8).boxes
    assert top.lines == ("48 operations, 7 leaves, 1 shared", "w4 … fc.bias")


def test_badges_tell_what_is_hidden() -> None:
    builder = layer()
    builder.nodes[1] = builder.nodes[1]._replace(hooks=(HOOK,), kind="custom")
    builder.hooks.append(Hook("module_backward", "fc", "log", "a.py:1"))
    builder.leaf("fc.mask", requires_grad=False)
    builder.leaf("fc.extra")
    fc = titled(compose(builder.graph(1)), "fc: Linear")
    assert fc.badges == ("root", "hook ×2", "1 custom", "1 frozen", "1 not reached")
    assert {"fc.mask, frozen", "fc.extra, not reached"} < set(fc.tooltip)


def test_shared_parameters_say_so() -> None:
    builder = layer()
    builder.edge(len(builder.nodes) - 1, 4)
    assert titled(compose(builder.graph()), "fc: Linear").lines[0] == "weight (4, 4), shared by 2"


def test_a_section_tells_from_where_to_where() -> None:
    builder = Builder()
    for number in range(240):
        builder.op(f"Op{number * number % 101}Backward0", *([number - 1] if number else []))
    sections = [box for box in compose(builder.graph()).boxes if box.role == "section"]
    assert sections[0].title == "section 2 of 8"
    assert sections[0].lines == ("n18 … n49", "32 operations")


def test_frames_are_called_after_their_modules_and_classes() -> None:
    scene = compose(blocks(12).graph())
    assert [(group.kind, group.title, group.times) for group in scene.groups] == [
        ("repeat", "h.0 … h.11: Block", 12),
        ("module", "mlp: MLP", 1),
    ]
    assert scene.groups[0].tooltip == (
        "h.11: Block",
        "12 equal rounds; drawn is the one nearest the loss",
        "84 operations",
    )


def test_a_loop_over_a_module() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    for _ in range(20):
        for number in range(4):
            last = builder.op(f"Op{number}Backward0", last, module="cell")
        last = builder.op("SumBackward0", linear(builder, "out", last))
    builder.op("ExpBackward0", last)
    assert [group.title for group in compose(builder.graph()).groups] == ["out, cell"]


def test_hooks_of_an_open_module() -> None:
    builder = blocks(2)
    builder.hooks.append(Hook("module_backward", "h.1.mlp", "log", None))
    scene = compose(builder.graph(), fold=4)
    (title,) = {group.title for group in scene.groups if "hook" in group.title}
    assert title == "mlp: MLP · 1 hook"
