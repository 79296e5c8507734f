"""What is severed and what is not: ways beside a cut, several cuts, several backwards, values of unknown origin."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import gradviz
from tests.capture.watch.cutting import FIRST, Two, cuts_of, cuts_through, line, severing


def test_a_cut_beside_an_intact_way_severs_nothing() -> None:
    def straight_through(h: Tensor) -> Tensor:
        return h + (h.round() - h).detach()  # cut

    (cut,) = cuts_through(straight_through)
    assert (cut.kind, cut.severed, cut.suspected, cut.severed_from, cut.backward) == ("detach", (), (), (), 0)
    assert cut.where is not None
    assert cut.where.line == line(straight_through, "cut")


def test_of_several_cuts_the_last_takes_the_last_way() -> None:
    def between(h: Tensor) -> Tensor:
        early = h.detach()
        late = h.argmax(1, keepdim=True)  # cut
        return early + late

    first, second = cuts_through(between)
    assert (first.kind, first.severed) == ("detach", ())
    assert (second.kind, second.severed) == ("nondifferentiable", FIRST)
    assert second.where is not None
    assert second.where.line == line(between, "cut")


def test_a_further_detach_of_what_is_cut_already_is_no_cut() -> None:
    def between(h: Tensor) -> Tensor:
        h = h.detach()  # cut
        return h.detach().clone().detach()

    (cut,) = cuts_through(between)
    assert cut.where is not None
    assert (cut.where.line, cut.times, cut.severed) == (line(between, "cut"), 1, FIRST)


def test_each_layer_is_severed_where_its_own_way_ends() -> None:
    layers = nn.ModuleList([nn.Linear(1, 1, bias=False) for _ in range(3)])

    def step() -> None:
        h = layers[0](torch.ones(1, 1)).detach()  # one
        h = layers[1](h).data  # two
        layers[2](h).sum().backward()

    one, two = cuts_of(step, layers)
    assert (one.severed, two.severed) == (("0.weight",), ("1.weight",))
    assert one.where is not None
    assert two.where is not None
    assert (one.where.line, two.where.line) == (line(step, "one"), line(step, "two"))


def test_one_helper_for_two_networks_is_blamed_for_the_one_that_fed_the_loss() -> None:
    a, b, head = (nn.Linear(1, 1, bias=False) for _ in range(3))

    def stop(h: Tensor) -> Tensor:
        return h.detach()

    def step() -> None:
        x = torch.ones(1, 1)
        fed, _ = stop(a(x)), stop(b(x))
        head(fed).sum().backward()

    (cut,) = cuts_of(step, names={"a": a, "b": b, "head": head})
    assert (cut.severed, cut.times) == (("a.weight",), 2)


def test_the_nodes_that_got_the_value_as_a_constant() -> None:
    w = torch.ones(2, requires_grad=True)
    u = torch.ones(2, requires_grad=True)

    def step() -> None:
        ((w * 3).detach() * u).sum().backward()

    with gradviz.watch(names={"w": w, "u": u}) as watched:
        step()
    assert watched.recording is not None
    (cut,) = watched.recording.cuts
    operations = {node.id: node.op for node in watched.graph.nodes}
    assert [operations[one] for one in cut.severed_from] == ["MulBackward0"]
    assert cut.severed == ("w",)


def test_what_another_backward_trains_is_not_severed() -> None:
    generator, critic = nn.Linear(1, 1), nn.Linear(1, 1)

    def step() -> None:
        fake = generator(torch.ones(1, 1))
        critic(fake.detach()).sum().backward()  # cut
        critic(fake).sum().backward()

    (cut,) = cuts_of(step, names={"g": generator, "d": critic})
    assert (cut.kind, cut.severed, cut.severed_from, cut.backward) == ("detach", (), (), 0)


def test_a_gradient_asked_for_some_leaves_severs_only_those() -> None:
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)

    def step() -> None:
        loss = ((x * w).detach() * x * 1).sum()
        torch.autograd.grad(loss, [w], allow_unused=True)

    (cut,) = cuts_of(step, names={"x": x, "w": w})
    assert cut.severed == ("w",)


def test_updates_of_parameters_are_no_cuts() -> None:
    w, average = nn.Parameter(torch.ones(2)), torch.ones(2)

    def step() -> None:
        for _ in range(3):
            (w * w).sum().backward()
            with torch.no_grad():
                w.sub_(w.grad, alpha=0.1)
                average.lerp_(w, 0.5)  # cut
            w.grad = None

    (cut,) = cuts_of(step, names={"w": w})
    assert (cut.kind, cut.operation, cut.severed, cut.backward, cut.times) == ("no_grad", "lerp_", (), None, 3)
    assert cut.where is not None
    assert cut.where.line == line(step, "cut")


def test_optimizers_and_state_dicts_are_not_told() -> None:
    model = Two(torch.relu)
    twin = copy.deepcopy(model)
    optimizers = [
        torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1, foreach=foreach)
        for foreach in (False, True)
    ]
    optimizers.append(torch.optim.LBFGS(model.parameters(), max_iter=2))

    def closure() -> Tensor:
        model.zero_grad()
        loss: Tensor = model(torch.ones(3, 2))
        loss.backward()
        return loss

    def step() -> None:
        for optimizer in optimizers:
            optimizer.step(closure)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        twin.load_state_dict(model.state_dict())

    assert cuts_of(step, model) == ()


def test_metrics_and_logging_sever_nothing() -> None:
    model = Two(torch.relu)

    def step() -> None:
        loss = model(torch.ones(3, 2))
        loss.backward()
        losses.append(loss.item())
        if loss > 5:  # what steers the program is a cut at the comparison
            raise AssertionError

    losses: list[float] = []
    logged, compared = cuts_of(step, model)
    assert (logged.kind, logged.operation, logged.severed, logged.suspected) == ("to_python", "item", (), ())
    assert (compared.kind, compared.operation, compared.severed) == ("nondifferentiable", "gt", ())


def test_a_number_that_was_changed_in_python_is_only_suspected() -> None:
    def between(h: Tensor) -> Tensor:
        number = h.sum().item()  # left
        changed = number * 2
        return torch.ones(3, 2) * changed  # entered

    (cut,) = cuts_through(between)
    assert (cut.kind, cut.severed, cut.suspected, cut.backward) == ("to_python", (), FIRST, 0)
    assert cut.where is not None
    assert cut.entered is not None
    assert (cut.where.line, cut.entered.line) == (line(between, "left"), line(between, "entered"))


def test_an_array_that_was_copied_is_only_suspected() -> None:
    def between(h: Tensor) -> Tensor:
        rows = (h > 100).numpy()
        array = h.detach().numpy()  # left
        chosen = np.concatenate([array, array])[: 3 + rows.sum()]
        return torch.from_numpy(chosen)  # entered

    *_, cut = cuts_through(between)
    assert (cut.kind, cut.severed, cut.suspected) == ("to_numpy", (), FIRST)
    assert cut.where is not None
    assert cut.entered is not None
    assert (cut.where.line, cut.entered.line) == (line(between, "left"), line(between, "entered"))


def test_a_constant_of_the_program_is_no_suspect() -> None:
    def between(h: Tensor) -> Tensor:
        _ = h.sum().item()
        return torch.ones(3, 2) * 0.5

    (cut,) = cuts_through(between)
    assert (cut.severed, cut.suspected, cut.entered) == ((), (), None)


def test_custom_functions_and_reentrant_checkpoints_that_work() -> None:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(_: Any, h: Tensor) -> Tensor:
            return h * 2

        @staticmethod
        def backward(_: Any, gradient: Tensor) -> Tensor:
            return gradient * 2

    assert cuts_through(Twice.apply) == ()
    inner = nn.Linear(2, 2)

    def between(h: Tensor) -> Tensor:
        return torch.utils.checkpoint.checkpoint(inner, h, use_reentrant=True)  # type: ignore[no-any-return]

    assert severing(cuts_through(between)) == []


def test_only_the_value_decides_not_its_shape() -> None:
    def between(h: Tensor) -> Tensor:
        return torch.zeros_like(h) + torch.rand_like(h) + h.new_ones(h.shape)

    assert cuts_through(between) == ()


def test_a_tensor_given_and_returned_without_a_change() -> None:
    def between(h: Tensor) -> Tensor:
        numbers, h = torch.broadcast_tensors(torch.ones(1, dtype=torch.int64), torch.as_tensor(h).contiguous())
        return h * numbers

    assert cuts_through(between) == ()


def test_a_step_without_a_graph() -> None:
    model = Two(torch.relu)

    def step() -> None:
        model(torch.ones(3, 2)).detach().backward()  # cut

    (cut,) = cuts_of(step, model)
    assert cut.severed == ("first.weight", "first.bias", "second.weight", "second.bias")
    assert (cut.backward, cut.severed_from) == (None, ())


def test_three_steps_are_told_once() -> None:
    model = Two(torch.detach)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step() -> None:
        for _ in range(3):
            optimizer.zero_grad()
            model(torch.ones(3, 2)).backward()
            optimizer.step()

    (cut,) = cuts_of(step, model, optimizer)
    assert (cut.severed, cut.times, cut.backward) == (FIRST, 3, 0)


def test_cuts_are_plain_data() -> None:
    cuts = cuts_through(torch.detach)
    assert pickle.loads(pickle.dumps(cuts)) == cuts
