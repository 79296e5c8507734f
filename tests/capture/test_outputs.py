"""What can be traced and what cannot: the reason, the remedy, and the text that reaches each traced output."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import nn

from gradviz.capture.trace import trace
from gradviz.errors import GradvizError
from gradviz.graph import Graph
from tests.capture.live import evaluate
from tests.capture.zoo.catalogue import KINDS
from tests.capture.zoo.sample import built, leaf, linear

NOT_REQUIRED = (
    "it has requires_grad=False: it was computed from tensors that do not require grad, or under torch.no_grad(), "
    "or detached (detach(), .data, .item(), numpy())"
)


def _without_gradient() -> torch.Tensor:
    with torch.no_grad():
        return leaf(3) * 2


def _in_inference_mode() -> torch.Tensor:
    with torch.inference_mode():
        return leaf(3) * 2


def _inside_vmap() -> torch.Tensor:
    seen = []
    torch.func.vmap(lambda x: seen.append(x) or x)(leaf(2, 3))  # type: ignore[func-returns-value]
    return seen[0]


def _leaf_made_in_inference_mode() -> torch.Tensor:
    with torch.inference_mode():
        return torch.ones(3, requires_grad=True)


def _jagged() -> torch.Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls nested tensors a prototype
        return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged, requires_grad=True)


def loss_function(x: Any) -> Any:
    return x


# What is given, what the error says, and why, and what to do: parts of each.
REFUSED: list[tuple[str, Callable[[], Any], str, str, str]] = [
    ("requires_grad=False", lambda: torch.ones(3), "no backward graph", NOT_REQUIRED, "are all parameters frozen?"),
    ("no_grad", _without_gradient, "no backward graph", "under torch.no_grad()", "with gradients enabled"),
    (
        "detached",
        lambda: leaf(3).exp().detach(),
        "no backward graph",
        "detached (detach(), .data",
        "requires_grad=True",
    ),
    ("integer", lambda: leaf(3).argmax(), "no backward graph", "type int64 cannot carry", "the logits before argmax"),
    ("bool", lambda: leaf(3) > 0, "no backward graph", "type bool cannot carry", "the loss before a comparison"),
    ("inference", _in_inference_mode, "no backward graph", "made under torch.inference_mode()", "outside of torch."),
    ("vmap", _inside_vmap, "no backward graph", "a transform of torch.func", "trace what the transform returns"),
    (
        "sparse leaf",
        lambda: torch.eye(3).to_sparse().requires_grad_(),
        "no backward",
        "torch cannot view",
        "computed from",
    ),
    ("jagged leaf", _jagged, "no backward graph", "torch cannot view", "computed from it"),
    ("inference leaf", _leaf_made_in_inference_mode, "no backward graph", "torch cannot view", "computed from it"),
    (
        "list of them",
        lambda: [torch.ones(1), [leaf(3) > 0]],
        "no backward graph",
        "outputs[1][0]: a tensor of",
        "enabled",
    ),
    (
        "empty list",
        list,
        "no tensor to trace",
        "a list without any tensor in it was given",
        "pass a tensor that requires",
    ),
    ("empty dict", dict, "no tensor to trace", "a dict without any tensor", "a list, dict or dataclass"),
    ("None", lambda: None, "no tensor to trace", "a NoneType without any tensor", "pass a tensor"),
    ("string", lambda: "loss", "no tensor to trace", "a str without any tensor", "pass a tensor"),
    ("number", lambda: 3.0, "no tensor to trace", "a float without any tensor", "pass a tensor"),
    ("long range", lambda: range(10**12), "no tensor to trace", "a range without any tensor", "pass a tensor"),
    ("generator", lambda: (x for x in ()), "no tensor to trace", "a generator without any tensor", "pass a tensor"),
    (
        "module",
        linear,
        "A module has no backward graph",
        "Linear is what computes it",
        "gradviz.trace(model(inputs).sum()",
    ),
    (
        "function",
        lambda: loss_function,
        "A function has no backward",
        "loss_function was passed",
        "trace(loss_function(",
    ),
    ("class", lambda: nn.Linear, "A function has no backward graph", "Linear was passed without", "trace(Linear(...))"),
    ("optimizer", lambda: torch.optim.SGD([leaf(1)], 0.1), "no tensor to trace", "a SGD without", "pass a tensor"),
]


@pytest.mark.parametrize(("make", "what", "why", "remedy"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED])
def test_what_cannot_be_traced_is_refused_with_the_reason(
    make: Callable[[], Any], what: str, why: str, remedy: str
) -> None:
    with pytest.raises(GradvizError) as caught:
        trace(make())
    assert what in caught.value.what
    assert why in caught.value.why
    assert remedy in caught.value.remedy


def test_the_whole_text_of_an_error() -> None:
    with pytest.raises(GradvizError) as caught:
        trace({"accuracy": torch.tensor(1), "loss": torch.ones(1)})
    assert str(caught.value) == (
        "There is no backward graph to trace.\n"
        "  Why: outputs['accuracy']: a tensor of type int64 cannot carry a gradient; "
        f"outputs['loss']: {NOT_REQUIRED}.\n"
        "  What to do: trace the value that it was derived from: the logits before argmax, the loss before a "
        "comparison."
    )


def test_of_many_reasons_three_are_told() -> None:
    with pytest.raises(GradvizError) as caught:
        trace([torch.ones(1)] * 5)
    assert caught.value.why.count(NOT_REQUIRED) == 3
    assert caught.value.why.endswith("; and 2 more")


def test_an_unknown_search_for_hooks_is_refused() -> None:
    with pytest.raises(GradvizError, match="hooks='some' is not known"):
        trace(leaf(3), hooks="some")  # type: ignore[arg-type]


def test_what_is_passed_by_is_noted() -> None:
    graph = trace({"loss": leaf(3).sum(), "accuracy": torch.tensor(3), "kept": torch.ones(1), "name": "run"})
    assert graph.notes[:2] == (
        "outputs['accuracy'] was passed by: a tensor of type int64 cannot carry a gradient",
        f"outputs['kept'] was passed by: {NOT_REQUIRED}",
    )


@pytest.mark.parametrize(
    ("kind", "expressions"),
    [
        ("chain", ["loss.grad_fn"]),
        ("leaf_alone", ["torch.autograd.graph.get_gradient_edge(loss).node"]),
        ("list_of_lists", ["loss[0][0].grad_fn", "loss[1][0].grad_fn"]),
        (
            "dict_with_odd_keys",
            [
                """loss["it's"].grad_fn""",
                """loss['say "x"\\n'][3].grad_fn""",
                """loss['say "x"\\n'][None].grad_fn""",
                "list(list(loss.values())[2].values())[0].grad_fn",  # the keys are a tuple and an enum's member
            ],
        ),
        ("dataclass_with_list", ["loss.loss.grad_fn", "loss.parts[0].grad_fn"]),
        ("named_tuple", ["loss[0].grad_fn", "loss[1][1].grad_fn"]),
        ("model_output", ["loss['loss'].grad_fn", "loss['logits'].grad_fn"]),
        ("one_in_a_set", ["list(loss['losses'])[0].grad_fn"]),
        ("other_containers", ["loss['queue'][0].grad_fn", "loss['queue'][1].grad_fn", "loss['largest'][0].grad_fn"]),
        ("mixed_with_edges", ["loss['edge'].node", "loss['loss'][0].grad_fn"]),
        ("some_not_differentiable", ["loss['loss'].grad_fn"]),
    ],
)
def test_expressions_of_roots(kind: str, expressions: list[str]) -> None:
    sample = built(KINDS[kind])
    graph = trace(sample.outputs)
    found = dict.fromkeys(graph.expression(root.node) for root in graph.roots)
    assert sorted(found) == sorted(expressions)
    for text in expressions:
        assert evaluate(text, "loss", sample.outputs) is not None


def test_a_container_that_holds_itself() -> None:
    outputs: list[Any] = [leaf(3).sum()]
    outputs.append(outputs)
    assert len(trace(outputs).roots) == 1


class Lazy(Sequence[Any]):
    """Makes its entries only when they are asked for, so that none of them stays."""

    def __init__(self, losses: list[torch.Tensor]) -> None:
        self.losses = losses

    def __len__(self) -> int:
        return len(self.losses)

    def __getitem__(self, index: Any) -> Any:
        return [self.losses[index]]


class Folded(Mapping[str, Any]):
    """Answers to a key in any spelling."""

    def __init__(self, **losses: Any) -> None:
        self.losses = losses

    def __iter__(self) -> Iterator[str]:
        return iter(self.losses)

    def __len__(self) -> int:
        return len(self.losses)

    def __getitem__(self, key: str) -> Any:
        return self.losses[key.lower()]


def places(graph: Graph) -> list[str]:
    return ["loss".join(root.access) for root in graph.roots]


def test_containers_of_the_users_own() -> None:
    lazy = Lazy([leaf(1).exp() for _ in range(50)])
    assert places(trace(lazy)) == [f"loss[{index}][0]" for index in range(50)]
    assert places(trace(Folded(first=leaf(1), second=leaf(2)))) == ["loss['first']", "loss['second']"]


def test_a_generator_of_tensors_is_not_used_up() -> None:
    losses = (leaf(1) for _ in range(2))
    with pytest.raises(GradvizError, match="a generator without any tensor"):
        trace(losses)
    assert len(list(losses)) == 2
