"""Programs with other things of torch's around the step: modes, profiler, anomaly detection, copies of the model."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks
from torch.optim import SGD
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from tests.capture.watch.programs.program import Program


class FunctionNames(TorchFunctionMode):
    """Lists the functions that it sees."""

    def __init__(self, seen: list[str]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_function__(
        self, func: Any, _: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        self.seen.append(resolve_name(func) or str(func))
        return func(*args, **(kwargs or {}))


class OperationNames(TorchDispatchMode):
    """Lists the operations that it sees."""

    def __init__(self, seen: list[str]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_dispatch__(
        self, func: Any, _: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


def _around_a_step(around: Callable[[], AbstractContextManager[Any]], seen: list[str] | None = None) -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1), nn.Tanh(), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05, momentum=0.9)

    def step() -> Any:
        with around():
            optimizer.zero_grad()
            loss = model(torch.randn(5, 4)).square().mean()
            loss.backward()
            optimizer.step()
        return loss.detach(), list(seen or ())

    return Program(step, (model, optimizer))


def function_mode() -> Program:
    seen: list[str] = []
    return _around_a_step(lambda: FunctionNames(seen), seen)


def dispatch_mode() -> Program:
    seen: list[str] = []
    return _around_a_step(lambda: OperationNames(seen), seen)


def anomaly_mode() -> Program:
    return _around_a_step(torch.autograd.detect_anomaly)


def profiler() -> Program:
    return _around_a_step(lambda: torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]))


def saved_on_cpu() -> Program:
    return _around_a_step(save_on_cpu)


def packed() -> Program:
    seen: list[str] = []

    def pack(tensor: Tensor) -> Any:
        seen.append("pack")
        return tensor.numpy(force=True)

    def unpack(values: Any) -> Tensor:
        seen.append("unpack")
        return torch.from_numpy(values)

    return _around_a_step(lambda: saved_tensors_hooks(pack, unpack), seen)


def single_threaded_engine() -> Program:
    return _around_a_step(lambda: torch.autograd.set_multithreading_enabled(False))


def default_device() -> Program:
    return _around_a_step(lambda: torch.device("cpu"))


def copies_and_files() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05)

    def step() -> Any:
        optimizer.zero_grad()
        x = torch.randn(5, 4)
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        twin = copy.deepcopy(model)
        pickled = pickle.dumps(model)
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "whole": model}, file)
        file.seek(0)
        loaded = torch.load(file, weights_only=False)
        again = pickle.loads(pickled)
        again.load_state_dict(loaded["model"])
        outputs = [one.eval()(x).detach() for one in (twin, again, loaded["whole"])]
        return loss.detach(), outputs, len(pickled), [sorted(vars(one)) for one in (twin, again)]

    return Program(step, (model, optimizer))


def scripted_and_traced() -> Program:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = SGD(model.parameters(), lr=0.05)

    def step() -> Any:
        optimizer.zero_grad()
        x = torch.randn(5, 4)
        traced, scripted = torch.jit.trace(model, x, check_trace=False), torch.jit.script(model)
        loss = traced(x).square().mean() + scripted(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach(), [node.kind() for node in traced.inlined_graph.nodes()]

    return Program(step, (model, optimizer))
