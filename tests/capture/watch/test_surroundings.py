"""A watch among other things: threads, processes, generators, other watches, compiled code, errors from anywhere."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.optim import SGD
from torch.utils.data import DataLoader, Dataset

from gradviz import watch
from gradviz.recording import BackwardRan, Event, ExceptionRaised, OptimizerStepped, Watched
from tests.capture.watch.plain import differences, of_gradviz, plain, thing_facts, torch_state
from tests.capture.watch.programs.catalogue import PROGRAMS
from tests.capture.watch.programs.program import Program
from tests.capture.watch.running import Stop, run


@pytest.fixture(autouse=True)
def _nothing_stays_installed() -> Iterator[None]:
    before = torch_state()
    yield
    assert of_gradviz() == []
    assert {**torch_state(), "random": 0, "numbers": 0} == {**before, "random": 0, "numbers": 0}


def test_what_is_installed_is_seen() -> None:
    with watch():
        assert "torch.autograd._engine_run_backward" in of_gradviz()


def events_of(watched: Watched, kind: type) -> list[Event]:
    assert watched.recording is not None
    return [event for event in watched.recording.events if isinstance(event, kind)]


class Trainer:
    """A model with an optimizer and data of its own, so that threads share nothing."""

    def __init__(self, seed: int = 0) -> None:
        self.random = torch.Generator().manual_seed(seed)
        self.model = nn.Linear(3, 1)
        with torch.no_grad():
            for parameter in self.model.parameters():
                parameter.copy_(torch.rand(parameter.shape, generator=self.random))
        self.optimizer = SGD(self.model.parameters(), lr=0.1)
        self.losses: list[float] = []

    def step(self, x: Tensor | None = None) -> None:
        self.optimizer.zero_grad()
        loss = self.model(torch.rand(4, 3, generator=self.random) if x is None else x).square().mean()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def watch(self) -> Any:
        return watch(self.model, self.optimizer, steps=None)


def trained(seed: int, steps: int) -> list[float]:
    trainer = Trainer(seed)
    for _ in range(steps):
        trainer.step()
    return trainer.losses


def in_threads(*works: Callable[[], None]) -> None:
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  # raised again below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_threads_with_watches_of_their_own() -> None:
    trainers = [Trainer(seed) for seed in range(3)]
    results: dict[int, Watched] = {}
    together = threading.Barrier(3)

    def work(place: int) -> Callable[[], None]:
        def steps() -> None:
            trainer = trainers[place]
            together.wait()
            with trainer.watch() as watched:
                for _ in range(place + 2):
                    trainer.step()
                together.wait()  # nobody leaves before all have stepped
            results[place] = watched

        return steps

    in_threads(*(work(place) for place in range(3)))
    for place, trainer in enumerate(trainers):
        assert trainer.losses == trained(place, place + 2)
        assert len(results[place].graphs) == place + 2
        assert len(events_of(results[place], OptimizerStepped)) == place + 2
        assert {leaf.name for leaf in results[place].graph.leaves} == {"weight", "bias"}


def test_a_thread_without_a_watch_beside_a_watched_one() -> None:
    watched_trainer, other = Trainer(0), Trainer(1)
    inside, done = threading.Event(), threading.Event()
    results: list[Watched] = []

    def with_a_watch() -> None:
        with watched_trainer.watch() as watched:
            inside.set()
            watched_trainer.step()
            done.wait()
            watched_trainer.step()
        results.append(watched)

    def without() -> None:
        inside.wait()
        for _ in range(3):
            other.step()
        done.set()

    in_threads(with_a_watch, without)
    assert watched_trainer.losses == trained(0, 2)
    assert other.losses == trained(1, 3)
    assert len(results[0].graphs) == 2
    assert len(events_of(results[0], BackwardRan)) == 2


def test_a_backward_in_another_thread_than_the_forward() -> None:
    model = nn.Linear(3, 1)
    with watch(model, steps=None) as watched:
        loss = model(torch.ones(2, 3)).sum()
        in_threads(loss.backward)
    assert model.bias.grad is not None
    assert model.bias.grad.item() == 2.0
    assert watched.graphs == ()


class Rows(Dataset[Tensor]):
    """Data that uses torch, and even autograd, in the worker."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> Tensor:
        x = torch.full((3,), float(index), requires_grad=True)
        (gradient,) = torch.autograd.grad(x.square().sum(), x)
        return gradient


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_of_a_data_loader(start: str) -> None:
    def losses(trainer: Trainer, around: Any) -> tuple[list[float], Any]:
        with around as watched:
            for rows in DataLoader(Rows(), batch_size=2, num_workers=2, multiprocessing_context=start):
                trainer.step(rows)
        return trainer.losses, watched

    expected, _ = losses(Trainer(), ExitStack())
    trainer = Trainer()
    found, watched = losses(trainer, trainer.watch())
    assert found == expected
    assert len(found) == 4
    assert len(watched.graphs) == 4


def test_a_watch_in_a_watch() -> None:
    trainer = Trainer()
    with trainer.watch() as outer:
        trainer.step()
        with trainer.watch() as inner:
            trainer.step()
        trainer.step()
    assert trainer.losses == trained(0, 3)
    assert (len(outer.graphs), len(inner.graphs)) == (3, 1)
    assert inner.graph.nodes == outer.graphs[1].nodes
    assert inner.recording is not None
    assert outer.recording is not None
    assert inner.recording.backwards[0].gradients == outer.recording.backwards[1].gradients


def test_watches_that_end_in_the_order_in_which_they_began() -> None:
    trainer = Trainer()
    first, second = trainer.watch(), trainer.watch()
    one = first.__enter__()
    trainer.step()
    other = second.__enter__()
    trainer.step()
    first.__exit__(None, None, None)
    trainer.step()
    second.__exit__(None, None, None)
    assert trainer.losses == trained(0, 3)
    assert (len(one.graphs), len(other.graphs)) == (2, 2)


def test_the_outer_watch_leaves_by_itself_before_the_inner_one() -> None:
    trainer = Trainer()
    with watch(trainer.model, trainer.optimizer, steps=1) as outer:
        with trainer.watch() as inner:
            for _ in range(3):
                trainer.step()
        trainer.step()
    assert trainer.losses == trained(0, 4)
    assert (len(outer.graphs), len(inner.graphs)) == (1, 3)


def steps_of(trainer: Trainer, results: list[Watched]) -> Iterator[float]:
    with trainer.watch() as watched:
        results.append(watched)
        while True:
            trainer.step()
            yield trainer.losses[-1]


def test_a_generator_that_is_closed() -> None:
    trainer, results = Trainer(), list[Watched]()
    steps = steps_of(trainer, results)
    next(steps)
    next(steps)
    steps.close()
    trainer.step()
    assert trainer.losses == trained(0, 3)
    assert len(results[0].graphs) == 2
    (end,) = events_of(results[0], ExceptionRaised)
    assert isinstance(end, ExceptionRaised)
    assert end.type == "GeneratorExit"


def test_a_generator_that_is_closed_in_another_thread() -> None:
    trainer, results = Trainer(), list[Watched]()
    steps = steps_of(trainer, results)
    next(steps)
    in_threads(steps.close)  # type: ignore[attr-defined]
    trainer.step()
    assert trainer.losses == trained(0, 2)
    assert len(results[0].graphs) == 1


def test_two_generators_by_turns() -> None:
    trainers, results = [Trainer(0), Trainer(1)], list[Watched]()
    first, second = (steps_of(trainer, results) for trainer in trainers)
    for _ in range(2):
        next(first)
        next(second)
    first.close()
    next(second)
    second.close()
    assert [trainer.losses for trainer in trainers] == [trained(0, 2), trained(1, 3)]
    assert [len(watched.graphs) for watched in results] == [4, 4]  # both watch the thread, not a model


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_a_watch_inside_a_region_without_gradients(mode: Any) -> None:
    model = nn.Linear(3, 1)
    with mode(), watch(model) as watched:
        output = model(torch.ones(1, 3))
        assert not output.requires_grad
        assert torch.is_grad_enabled() is False
    assert watched.graphs == ()
    assert watched.recording is not None


def test_a_region_without_gradients_that_is_left_after_the_watch_began() -> None:
    w = torch.ones(2, requires_grad=True)
    region = torch.no_grad()
    region.__enter__()
    with watch() as watched:
        region.__exit__(None, None, None)
        (w * 3).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [3.0, 3.0]
    assert len(watched.graphs) == 1


def test_a_watch_that_is_entered_inside_a_hook() -> None:
    w, inner = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen: list[Watched] = []

    def hook(gradient: Tensor) -> Tensor:
        with torch.enable_grad(), watch() as watched:
            (inner * 5).sum().backward()
        seen.append(watched)
        return gradient * 2

    product = w * 3
    product.register_hook(hook)
    with watch() as watched:
        product.sum().backward()
    assert w.grad is not None
    assert inner.grad is not None
    assert (w.grad.tolist(), inner.grad.tolist()) == ([6.0, 6.0], [5.0, 5.0])
    assert (len(watched.graphs), len(seen[0].graphs)) == (2, 1)
    assert watched.recording is not None
    assert [backward.nested for backward in watched.recording.backwards] == [False, True]


def test_a_watch_that_begins_in_one_hook_and_ends_in_another() -> None:
    w = torch.ones(2, requires_grad=True)
    entered = watch()
    results: list[Watched] = []
    first, second = w * 3, w * 1
    loss = (first.sin() + second).sum()
    loss.grad_fn.register_prehook(lambda _: results.append(entered.__enter__()))  # type: ignore[union-attr]
    second.register_hook(lambda _: entered.__exit__(None, None, None))
    loss.backward()
    assert w.grad is not None
    assert w.grad.tolist() == (3 * torch.tensor([3.0, 3.0]).cos() + 1).tolist()
    assert results[0].graphs == ()
    assert results[0].recording is not None


def compiled() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.1)
    call = torch.compile(model, backend="eager")

    def step() -> float:
        optimizer.zero_grad()
        loss: Tensor = call(torch.randn(5, 4)).square().mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, (model, optimizer))


@pytest.mark.filterwarnings("ignore")  # of torch's own, while it loads its compiler
def test_compiled_code_gives_what_it_gives_without_a_watch() -> None:
    run(compiled, steps=1)
    torch._dynamo.reset()
    expected = run(compiled, steps=3).facts
    torch._dynamo.reset()
    watched = run(compiled, lambda given: watch(*given.given, steps=None), steps=3)
    torch._dynamo.reset()
    assert differences(watched.facts["results"], expected["results"]) == []
    assert differences(watched.facts["things"], expected["things"]) == []
    assert watched.watched is not None
    assert len(watched.watched.graphs) == 3


class Failing(torch.autograd.Function):
    """Raises in its backward."""

    @staticmethod
    def forward(_: Any, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(_: Any, __: Tensor) -> Tensor:
        raise Stop("in a function")


def raise_in_a_tensor_hook(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    output: Tensor = model(x).exp()
    output.register_hook(lambda _: stop())
    return output.sum()


def raise_in_a_node_hook(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    loss: Tensor = model(x).exp().sum()
    loss.grad_fn.next_functions[0][0].register_hook(lambda *_: stop())  # type: ignore[union-attr]
    return loss


def raise_in_a_leaf_hook(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    model[0].bias.register_post_accumulate_grad_hook(lambda _: stop())  # type: ignore[index,union-attr]
    return model(x).sum()  # type: ignore[no-any-return]


def raise_in_a_function(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    return Failing.apply(model(x)).sum()  # type: ignore[no-any-return]


def raise_in_a_module_hook(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    model[1].register_full_backward_hook(lambda *_: stop())  # type: ignore[operator]
    return model(x).sum()  # type: ignore[no-any-return]


def raise_in_forward(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    model[1].register_forward_pre_hook(lambda *_: stop())  # type: ignore[operator]
    return model(x).sum()  # type: ignore[no-any-return]


def raise_in_a_checkpoint(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    ran: list[int] = []

    def part(x: Tensor) -> Tensor:
        if ran:
            stop()
        ran.append(1)
        return model(x)  # type: ignore[no-any-return]

    return torch.utils.checkpoint.checkpoint(part, x, use_reentrant=False).sum()  # type: ignore[no-any-return]


def raise_in_a_step(model: nn.Module, optimizer: SGD, x: Tensor) -> Tensor:
    optimizer.register_step_pre_hook(lambda *_: stop())
    return model(x).sum()  # type: ignore[no-any-return]


def raise_in_torch(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    return model(x[:, 1:]).sum()  # type: ignore[no-any-return]


def raise_for_a_second_backward(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    loss: Tensor = model(x).exp().sum()
    loss.backward()
    return loss


def raise_in_the_engine(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    output = model(x).exp()
    loss: Tensor = output.sum()
    output.mul_(2)
    return loss


def raise_without_a_graph(_: nn.Module, __: SGD, x: Tensor) -> Tensor:
    return x.sum()


def raise_for_no_scalar(model: nn.Module, _: SGD, x: Tensor) -> Tensor:
    return model(x)  # type: ignore[no-any-return]


def stop() -> None:
    raise Stop("on purpose")


RAISING = [value for name, value in sorted(globals().items()) if name.startswith("raise_")]


def raising(losing: Any, caught: bool, watching: bool) -> tuple[dict[str, Any], Watched | None]:
    """One step that goes well, one in which an error rises; and what is left then."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer = SGD(model.parameters(), lr=0.1)
    F.mse_loss(model(torch.randn(2, 3)), torch.ones(2, 1)).backward()
    around = watch(model, optimizer, steps=None) if watching else ExitStack()
    message = ""
    watched: Any = None

    def step() -> None:
        losing(model, optimizer, torch.randn(2, 3)).backward()
        optimizer.step()

    try:
        with around as watched:
            if caught:
                try:
                    step()
                except (Stop, RuntimeError) as error:
                    message = f"{type(error).__name__}: {error}"
                F.mse_loss(model[0](torch.randn(2, 3)), torch.ones(2, 3)).sin()
            else:
                step()
    except (Stop, RuntimeError) as error:
        message = f"{type(error).__name__}: {error}"
    state = {"message": message, "things": [thing_facts(model), thing_facts(optimizer)], "random": torch.rand(1)}
    return plain(state), watched if watching else None


@pytest.mark.parametrize("caught", [True, False], ids=["caught", "leaves the block"])
@pytest.mark.parametrize("losing", RAISING, ids=[raising.__name__ for raising in RAISING])
def test_an_error_from_anywhere(losing: Any, caught: bool) -> None:
    expected, _ = raising(losing, caught, watching=False)
    found, watched = raising(losing, caught, watching=True)
    assert expected["message"]
    assert differences(found, expected) == []
    assert watched is not None
    assert watched.recording is not None
    ended = [event for event in events_of(watched, ExceptionRaised) if isinstance(event, ExceptionRaised)]
    if caught:
        assert not any(event.ended for event in ended)
    else:
        last = watched.recording.events[-1]
        assert isinstance(last, ExceptionRaised)
        assert last.ended
        assert f"{last.type}: {last.message}" == expected["message"]
        assert "raising" in [frame.function for frame in last.frames]
        assert [event.ended for event in ended].count(True) == 1


def test_a_result_is_the_same_when_it_is_recorded_again() -> None:
    def recorded() -> Watched:
        result = run(PROGRAMS["transformer"], lambda program: watch(*program.given, steps=None), steps=3).watched
        assert result is not None
        return result

    assert recorded() == recorded()
