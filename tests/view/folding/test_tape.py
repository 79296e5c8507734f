from __future__ import annotations

from dataclasses import replace

from gradviz.view.folding.tape import read_tape
from tests.view.builders import Builder, blocks


def test_operations_lie_in_the_order_in_which_backward_runs_them() -> None:
    builder = Builder()
    first = builder.op("MeanBackward0", order=0)
    late = builder.op("SinBackward0", first, order=2)
    early = builder.op("CosBackward0", first, order=1)
    builder.op("ExpBackward0", late, early, order=3)
    tape = read_tape(builder.graph())
    assert tape.nodes == [0, 2, 1, 3]
    assert tape.out == [[2, 1], [3], [3], []]


def test_a_leaf_is_kept_at_each_of_its_uses() -> None:
    builder = Builder()
    first = builder.op()
    second = builder.op("MulBackward0", first)
    shared = builder.leaf("w", first, second, second)
    tape = read_tape(builder.graph())
    assert tape.nodes == [0, 1]
    assert shared is not None
    assert tape.out == [[1, ~shared], [~shared, ~shared]]
    assert tape.uses == {shared: 2}


def test_a_leaf_that_nothing_uses_has_its_own_position() -> None:
    builder = Builder()
    builder.op("AccumulateGrad", kind="leaf")
    assert read_tape(builder.graph()).nodes == [0]


def test_each_way_finds_its_edge() -> None:
    graph = blocks(2).graph()
    tape = read_tape(graph)
    for position, ways in enumerate(tape.out):
        for number, way in enumerate(ways):
            edge = tape.edges[tape.first_edge[position] + number]
            assert edge.source == graph.nodes[tape.nodes[position]].id
            assert edge.target == graph.nodes[tape.nodes[way] if way >= 0 else ~way].id


def test_edges_in_another_order_give_the_same_tape() -> None:
    graph = blocks(2).graph()
    assert read_tape(replace(graph, edges=graph.edges[::-1])).out == read_tape(graph).out


def test_equal_tokens_mean_equal_operations() -> None:
    builder = Builder()
    last = builder.op("MeanBackward0")
    names = []
    for number, (op, shape, twice, lost) in enumerate(
        [
            ("MulBackward0", (3,), False, False),
            ("MulBackward0", (3,), False, False),
            ("DivBackward0", (3,), False, False),
            ("MulBackward0", (4,), False, False),
            ("MulBackward0", (3,), True, False),
            ("MulBackward0", (3,), False, True),
        ]
    ):
        last = builder.op(op, last)
        users = [last, last] if twice else [last]
        builder.leaf(f"w{number}", *users, shape=shape)
        if lost:
            builder.dead_end(last)
        names.append(last)
    builder.op("SinBackward0", last)
    tape = read_tape(builder.graph())
    place = {node: position for position, node in enumerate(tape.nodes)}
    first, equal, *others = [tape.tokens[place[node]] for node in names]
    assert equal == first
    assert len({first, *others}) == 1 + len(others)


def test_two_equal_leaves_are_told_from_one_that_is_used_twice() -> None:
    builder = Builder()
    one, two = builder.op(), builder.op("MulBackward0", 0)
    builder.leaf("w", one, one)
    builder.leaf("a", two)
    builder.leaf("b", two)
    tape = read_tape(builder.graph(1))
    assert [[way < 0 for way in ways] for ways in tape.out] == [[False, True, True], [True, True]]
    builder = Builder()
    one, two = builder.op(), builder.op()
    builder.leaf("w", one, one)
    builder.leaf("a", two)
    builder.leaf("b", two)
    tokens = read_tape(builder.graph(0, 1)).tokens
    assert tokens[0] != tokens[1]
