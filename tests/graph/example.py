"""A graph written by hand, with something in every field: ``(x @ w + b) * mask`` and ``b`` as a second root."""

from __future__ import annotations

from gradviz.graph import Argument, DeadEnd, Edge, Graph, Hook, Leaf, Node, Root, Saved, TensorMeta

MATRIX = TensorMeta((2, 3), "float32", "cpu")
ROW = TensorMeta((3,), "float32", "cpu", "strided")
RAGGED = TensorMeta((2, "j1"), "float64", "cuda:0", "jagged")
UNTOLD = TensorMeta(None, "float32", "cpu", "strided")
HOOK = Hook("tensor", "w", "Trainer.clip", "train.py:12")


def node(index: int, op: str, order: int) -> Node:
    kind = "leaf" if op == "AccumulateGrad" else "op"
    return Node(f"n{index}", op, kind, None, False, None, None, (), (MATRIX,), (), (), order)


def leaf(name: str | None, place: str | None, aliases: tuple[str, ...] = ()) -> Leaf:
    return Leaf(name, aliases, True, ROW, True, True, False, None, 0, place, ())


GRAPH = Graph(
    roots=(Root(("", "['loss']"), "tensor", "n0", 0, MATRIX), Root(("list(", ")[1]"), "leaf", "n1", 0, None)),
    nodes=(
        node(0, "MulBackward0", 0)._replace(
            arguments=(Argument("self", "grad * other"), Argument("other", "grad * self")),
            saved=(Saved("other", ROW, 12, 0, "held"), Saved("self", None, None, None, "hooked", "unpack (a.py:1)")),
            hooks=(HOOK._replace(owner="n0"),),
        ),
        node(1, "AccumulateGrad", 2)._replace(module="layer"),
        node(2, "AddmmBackward0", 1)._replace(
            module="layer",
            module_inferred=True,
            where="model.py:7",
            slots=(MATRIX, UNTOLD, RAGGED),
            saved=(Saved("mat1", ROW, 12, 0, "stale"), Saved("mat2", MATRIX, 24, 1, "held")),
        ),
        node(3, "AccumulateGrad", 3),
    ),
    edges=(
        Edge("n0", 0, "n2", 0, "self"),
        Edge("n2", 0, "n1", 0, "self"),
        Edge("n2", 1, "n3", 0, None),
        Edge("n2", 2, "n3", 0, "mat2"),
    ),
    dead_ends=(DeadEnd("n0", 1, "other", "mask", "a tensor with requires_grad=False"),),
    leaves=(
        leaf("layer.bias", "n1"),
        leaf("layer.weight", "n3", ("head.weight",))._replace(hooks=(HOOK,), grad=ROW, version=None),
        leaf("unused", None)._replace(requires_grad=False),
    ),
    modules=(("", "Model"), ("layer", "Linear")),
    hooks=(HOOK._replace(kind="module_backward", owner="layer"),),
    notes=("One thing was not looked for.",),
)


def chain(hops: int) -> Graph:
    """A root and as many nodes below it, each at slot ``hop % 3`` of the one before."""
    return Graph(
        roots=(Root(("", ""), "tensor", "n0", 0, None),),
        nodes=tuple(node(index, "CatBackward0", index) for index in range(hops + 1)),
        edges=tuple(Edge(f"n{hop}", hop % 3, f"n{hop + 1}", 0, None) for hop in range(hops)),
    )
