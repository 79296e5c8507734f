"""Two devices in one watched graph: each is told, the copies between them are nodes, and figures are fetched once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from gradviz import watch
from gradviz.recording import HookEffect, OptimizerStepped

_ROOT = Path(__file__).parents[3]

# A device without hardware (torch >= 2.10). It is registered for a whole process and for ever, therefore in a child.
_SCRIPT = """
import json, sys, warnings
warnings.simplefilter("error")
import torch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend
_setup_privateuseone_for_python_backend("toy")
from torch._subclasses.fake_tensor import FakeTensorMode
import gradviz

with FakeTensorMode():
    inner, outer = torch.nn.Linear(3, 3, device="toy"), torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=0.1, foreach=False)
    with gradviz.watch(inner, outer, optimizer, observe="*", steps=None) as watched:
        x = torch.randn(2, 3)
        for _ in range(2):
            optimizer.zero_grad()
            hidden = inner(x.to("toy")).relu()
            hidden.register_hook(lambda gradient: gradient * 2)
            loss = outer(hidden.to("cpu")).sum()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(outer.parameters(), 1.0)
            optimizer.step()
    devices = [str(p.grad.device) for p in (inner.weight, outer.weight)]

graph, recording = watched.graph, watched.recording
json.dump({
    "nodes": [[node.id, node.op, node.slots[0].device, node.module] for node in graph.nodes],
    "edges": [[edge.source, edge.target] for edge in graph.edges],
    "leaves": [[leaf.name, leaf.meta.device] for leaf in graph.leaves],
    "executed": recording.backwards[0].executed,
    "sizes": [gradient.size for backward in recording.backwards for gradient in backward.gradients],
    "effects": [[e.node, e.before, e.after, e.replaced] for b in recording.backwards for e in b.effects],
    "updates": [u[:5] for e in recording.events if type(e).__name__ == "OptimizerStepped" for u in e.updates],
    "steps": recording.steps,
    "graphs": len(watched.graphs),
    "devices": devices,
    "text": str(watched),
    "dot": gradviz.draw(watched, fold=None).dot,
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def told() -> Any:
    run = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=False, cwd=_ROOT)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_node_and_leaf_tells_its_device(told: Any) -> None:
    assert [(op, device) for _, op, device, _ in told["nodes"]] == [
        ("SumBackward0", "cpu"),
        ("AddmmBackward0", "cpu"),
        ("AccumulateGrad", "cpu"),
        ("ToCopyBackward0", "cpu"),
        ("TBackward0", "cpu"),
        ("ReluBackward0", "toy:0"),
        ("AccumulateGrad", "cpu"),
        ("AddmmBackward0", "toy:0"),
        ("AccumulateGrad", "toy:0"),
        ("TBackward0", "toy:0"),
        ("AccumulateGrad", "toy:0"),
    ]
    assert told["leaves"] == [
        ["outer.bias", "cpu"],
        ["outer.weight", "cpu"],
        ["inner.bias", "toy:0"],
        ["inner.weight", "toy:0"],
    ]
    assert told["devices"] == ["toy:0", "cpu"]


def test_the_copy_stands_between_the_devices(told: Any) -> None:
    device = {node: device for node, _, device, _ in told["nodes"]}
    between = [(source, target) for source, target in told["edges"] if device[source] != device[target]]
    copies = [node for node, op, _, _ in told["nodes"] if op == "ToCopyBackward0"]
    assert [source for source, _ in between] == copies


def test_what_has_no_values_is_not_recorded_and_nothing_raises(told: Any) -> None:
    assert (told["graphs"], told["steps"]) == (2, 2)
    assert len(told["executed"]) == len(told["nodes"])
    assert len(told["sizes"]) == 2 * 11
    assert set(map(str, told["sizes"])) == {"None"}
    assert told["effects"] == [["n5", [None], [None], True]] * 2
    assert {str(update[1:]) for update in told["updates"]} == {"[0.1, None, None, None]"}


def test_text_and_picture_tell_the_devices(told: Any) -> None:
    assert "toy:0" in told["dot"]
    assert "inner.weight" in told["text"]


class Halves(nn.Module):
    """One half on the graphics processor, the other not."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(3, 3, device="cuda"), nn.Linear(3, 1)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.inner(x.cuda()).relu()
        hidden.register_hook(lambda gradient: gradient * 2)
        output: Tensor = self.outer(hidden.cpu())
        return output


def _step(model: Halves, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad()
    model(torch.ones(2, 3)).sum().backward()
    optimizer.step()


@pytest.mark.gpu
def test_cuda_devices_sizes_and_hook_effects() -> None:
    model = Halves()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.inner.weight.detach().clone()
    with watch(model, optimizer) as watched:
        _step(model, optimizer)
    graph, recording = watched.graph, watched.recording
    assert recording is not None
    devices = {leaf.name: leaf.meta.device for leaf in graph.leaves if leaf.meta is not None}
    assert devices == {
        "inner.weight": "cuda:0", "inner.bias": "cuda:0", "outer.weight": "cpu", "outer.bias": "cpu",
    }  # fmt: skip
    (effect,) = recording.backwards[0].effects
    assert isinstance(effect, HookEffect)
    given, left = effect.before[0], effect.after[0]
    assert given is not None
    assert left is not None
    assert left.norm == 2 * given.norm
    assert model.inner.weight.grad is not None
    (stepped,) = [event for event in recording.events if isinstance(event, OptimizerStepped)]
    change = {update.name: update.change for update in stepped.updates}["inner.weight"]
    assert change == pytest.approx((model.inner.weight.detach() - before).norm().item(), rel=1e-5)
    sizes = {gradient.node: gradient.size for gradient in recording.backwards[0].gradients}
    node = graph.leaf("inner.weight").node
    assert node is not None
    size = sizes[node]
    assert size is not None
    assert size.norm == pytest.approx(model.inner.weight.grad.norm().item(), rel=1e-6)


@pytest.mark.gpu
def test_cuda_results_are_the_same() -> None:
    def trained(watching: bool) -> list[Tensor]:
        torch.manual_seed(0)
        model = Halves()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        with watch(model, optimizer, steps=None if watching else 1):
            for _ in range(20):
                _step(model, optimizer)
        return list(model.parameters())

    assert all(torch.equal(one, other) for one, other in zip(trained(True), trained(False), strict=True))


@pytest.mark.gpu
def test_cuda_is_waited_for_once_in_a_backward() -> None:
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)).cuda()
    x = torch.ones(4, 8, device="cuda")
    model(x).sum().backward()
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with watch(model, steps=None), pytest.warns(UserWarning, match="synchronizing CUDA operation") as said:
            model(x).sum().backward()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert len(said) == 1


@pytest.mark.gpu
def test_cuda_work_on_another_stream() -> None:
    model = nn.Linear(64, 64).cuda()
    stream = torch.cuda.Stream()
    x = torch.ones(4, 64, device="cuda")
    torch.cuda.synchronize()
    with watch(model) as watched, torch.cuda.stream(stream):
        model(x).sum().backward()
    torch.cuda.synchronize()
    assert watched.recording is not None
    sizes = {gradient.node: gradient.size for gradient in watched.recording.backwards[0].gradients}
    node = watched.graph.leaf("weight").node
    assert node is not None
    size = sizes[node]
    assert size is not None
    assert size.norm == pytest.approx(4 * 64.0, rel=1e-6)  # every element of the 64 x 64 is 4
