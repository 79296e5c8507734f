"""Graphs made by hand that the golden files hold, between them everything that a payload can say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gradviz.graph import Argument, Graph, Hook, Saved
from gradviz.recording import Watched
from gradviz.view.accepted import shown_of
from gradviz.view.folding.choice import Fold
from gradviz.view.shown import Shown
from tests.view import watching
from tests.view.builders import Builder, blocks, linear, meta


class Example(NamedTuple):
    make: Callable[[], Graph | Watched]
    fold: Fold = "auto"

    def shown(self) -> Shown:
        return shown_of(self.make(), "show", "gradviz.show(…)")

    def graph(self) -> Graph:
        return self.shown().graph


def everything() -> Graph:
    """Small enough to be shown in full: two outputs, hooks, dead ends, saved tensors, ghosts, hostile names."""
    builder = Builder()
    builder.classes |= {"": "Model", "head": "Head", "head.fc": "Linear"}
    hook = Hook("tensor", "head.fc.weight", "clip", "train.py:7")
    saved = (
        Saved("self", meta(2, 3), 24, 1, "held"),
        Saved("other", None, None, None, "freed"),
        Saved("packed", meta(5, dtype="float16"), 10, None, "hooked", "unpack"),
    )
    loss = builder.op("MeanBackward0", arguments=(Argument("self", "grad / self.numel()"),), where="train.py:12")
    twice = builder.op("MulBackward0", loss, saved=saved, slots=(meta(2, 3), meta(2, device="cuda:0")))
    builder.edge(loss, twice, "other")
    fc = linear(builder, "head.fc", twice)
    builder.op("Quantize<b>", fc, kind="custom", module="head", module_inferred=True)
    builder.dead_end(fc, "bias", "head.fc.frozen", "it does not require grad")
    builder.dead_end(twice, None)
    builder.leaf("shared", fc, twice, hooks=(hook,), aliases=("tied", "also\ntied"), retains_grad=True, grad=meta(3))
    builder.leaf("</script><b>\u202e", fc, parameter=False)
    builder.leaf("head.fc.frozen", requires_grad=False)
    builder.leaf("head.unused")
    builder.hooks.append(Hook("module_backward", "head", "watch_me", None))
    return builder.graph(loss, twice, notes=("Hooks of nodes were not looked for.",))


def transformer() -> Graph:
    """Twelve equal blocks, a parameter of each frozen, one not reached."""
    builder = blocks(12)
    for number in range(12):
        builder.leaf(f"h.{number}.mlp.frozen", requires_grad=False)
    builder.leaf("h.3.mlp.lost")
    return builder.graph()


def recurrent() -> Graph:
    """Thirty steps that share their weights, each of two modules and an operation between them."""
    builder = Builder()
    loss = last = builder.op("StackBackward0")
    builder.classes |= {"": "Net", "cell": "Cell", "out": "Linear"}
    weights = []
    for step in range(30):
        out = builder.op("AddmmBackward0", loss, module="out")
        tanh = builder.op("TanhBackward0", out, *([last] if step else []), module="cell")
        last = builder.op("MulBackward0", tanh, slots=(meta(2, step + 1),))
        weights += [(out, tanh)]
    builder.leaf("out.weight", *(out for out, _ in weights))
    builder.leaf("cell.weight", *(tanh for _, tanh in weights), shape=(4, 4))
    return builder.graph()


def stages() -> Graph:
    """Repeats in repeats: three equal stages of four equal layers, between other operations, with chains of views."""
    builder = Builder()
    last = builder.op("SumBackward0")
    builder.classes |= {"": "Net", "stages": "Sequential"}
    for stage in reversed(range(3)):
        builder.classes[f"stages.{stage}"] = "Stage"
        for layer in reversed(range(4)):
            last = linear(builder, f"stages.{stage}.layers.{layer}", last)
            last = builder.op("ReluBackward0", last, module=f"stages.{stage}")
        for op in ("ViewBackward0", "TransposeBackward0", "CloneBackward0"):
            kind = "op" if op == "CloneBackward0" else "view"
            last = builder.op(op, last, module=f"stages.{stage}", kind=kind)
    builder.leaf("input", builder.op("ExpBackward0", last), parameter=False)
    return builder.graph()


def long() -> Graph:
    """Four hundred operations that nothing shortens, some with ways over many others."""
    builder = Builder()
    last = builder.op("SumBackward0")
    before = [last]
    for number in range(400):
        far = [before[-7 * (number % 5) - 3]] if number > 40 and number % 11 == number % 6 else []
        last = builder.op(("Sin", "Cos", "Exp", "Log", "Tan")[number * number % 7 % 5], last, *far)
        before.append(last)
    builder.leaf("x", last, *before[100:400:50])
    return builder.graph()


EXAMPLES: dict[str, Example] = {
    "everything": Example(everything),
    "transformer": Example(transformer),
    "transformer-depth-1": Example(transformer, 1),
    "transformer-in-full": Example(lambda: blocks(3).graph(), None),
    "recurrent": Example(recurrent),
    "stages": Example(stages),
    "long": Example(long),
    "watched": Example(watching.troubled),
    "watched-hooks": Example(watching.classic),
    "watched-transformer": Example(watching.deep),
    "one-leaf": Example(lambda: _alone("leaf")),
    "one-node": Example(lambda: _alone("op")),
}


def _alone(kind: str) -> Graph:
    builder = Builder()
    builder.op("AccumulateGrad" if kind == "leaf" else "MulBackward0", kind=kind)
    return builder.graph()
