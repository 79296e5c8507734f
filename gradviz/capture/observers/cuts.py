"""Cuts: where gradient history ends, and which leaves lose their way to the loss there.

A cut arises where a tensor with history goes into a call of torch and one without comes out. From there on the value is
followed: what is computed from it, written with it, picked by it is marked with the cut. When the engine starts, the
marks of its outputs tell which cuts fed the loss, and the graph tells which leaves have another way. Rules:

- severed is a leaf that a cut's input led to and no recorded backward reached; a leaf with several such cuts is told at
  the last one, because until there a way remained (inside one line the way out of torch wins over a detach);
- values that come back from Python or numpy count as severed only where they are proven to be the same (``exits``),
  else as suspected;
- told are cuts that fed a backward, cuts that severed or are suspected, and those that the user wrote in forward
  (not those inside libraries, optimizers, or hooks that the engine calls);
- once all leaves of a cut have been trained by some backward it is only counted, and nothing is followed;
- no tensor, node or frame is kept.

Not followed: values that pass through compiled or scripted code, and in-place changes of a tensor through another one
that shares its memory (``.data``, a numpy array), except views.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

import torch
from torch.autograd.variable import VariableMeta

from gradviz.capture.calls import Returned
from gradviz.capture.cutting.following import Following
from gradviz.capture.cutting.reached import mark_unknown_formulas, reached_leaves
from gradviz.capture.cutting.reading import values_in
from gradviz.capture.known import UNNAMED
from gradviz.capture.run import Observer, Run
from gradviz.capture.session import Session
from gradviz.capture.taps import Around
from gradviz.capture.variables import is_tensor
from gradviz.capture.walk import sequence_number
from gradviz.recording.facts import CutKind

_PLAIN = frozenset({torch.Tensor, torch.nn.Parameter})
_INERT = frozenset({int, float, bool, str, type(None), slice, torch.dtype, torch.device, torch.Size, type(Ellipsis)})
_EXITS: tuple[tuple[str, CutKind, bool], ...] = (
    ("item", "to_python", True),
    ("tolist", "to_python", True),
    ("__float__", "to_python", True),
    ("__complex__", "to_python", True),
    ("numpy", "to_numpy", True),
    ("__array__", "to_numpy", True),
    # These steer the program; as a number they come back unrecognised.
    ("__bool__", "to_python", False),
    ("__int__", "to_python", False),
    ("__index__", "to_python", False),
)


class Cuts(Observer):
    """Fills ``Recording.cuts``."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._following = Following(session)
        self._marked = self._following.marks.table
        self._open = self._following.exits.open
        self._detaching: tuple[int, int] = (0, 0)
        self._runs: list[int] = []  # leaves that the runs of the engine reach, the innermost last
        self._graphs = 0
        self._names: dict[int, str] = {}

    def enter(self) -> None:
        """Listen to every call, and tap what the function mode does not see."""
        calls, taps = self.session.calls, self.session.taps
        calls.returned.append(self._returned)
        calls.raised.append(self._raised)
        particular, tensor = calls.particular, torch.Tensor
        for name, kind, returns in _EXITS:
            particular.setdefault(getattr(tensor, name), []).append(self._leaving(kind, returns=returns))
        for setter in (tensor.__setitem__, tensor.data.__set__):  # type: ignore[attr-defined]
            particular.setdefault(setter, []).append(self._set)
        calls.before.setdefault(tensor.detach_, []).append(self._before_detach)
        particular.setdefault(tensor.detach_, []).append(self._detached)
        self._following.regions.enter()
        taps.add(torch.nn.Parameter, "__new__", self._wrapping("Parameter", 1))
        taps.add(VariableMeta, "__call__", self._wrapping("Variable", 1))
        taps.add(torch.nn.Parameter, "__deepcopy__", self._wrapping("deepcopy", 0, "copy"))
        taps.add(torch, "from_numpy", self._wrapping("from_numpy", 0))
        rpc = sys.modules.get("torch.distributed.rpc")
        if rpc is not None:
            taps.add(rpc, "rpc_sync", self._remote)

    def before(self, run: Run) -> None:
        """Judge what fed this run."""
        following, frame = self._following, self.session.frame()
        graph, reach = None, following.reach
        if run.graph is not None:
            graph, self._graphs = self._graphs, self._graphs + 1
        outputs = [one for one in run.outputs if is_tensor(one)]
        marked = 0
        for output in outputs:
            marked |= following.marks.of(output)
        reached = reached_leaves(run, reach)
        wanted = -1
        if run.inputs:
            wanted = 0
            for one in run.inputs:
                if is_tensor(one) and one.is_leaf:
                    wanted |= reach.leaf(one)
        if run.walk is not None:
            marked |= mark_unknown_formulas(run, following, self.session.origins)
            reach.forget()
            if len(run.walk.roots) == 1:
                reach.learn(run.walk.nodes[run.walk.roots[0]], reached)
        self._runs.append(reached & wanted)
        severing = following.ledger.judge(marked, wanted & ~reached & ~following.ledger.trained, graph)
        if severing and run.walk is not None and run.graph is not None:
            for node, live in zip(run.graph.nodes, run.walk.nodes, strict=True):
                following.ledger.blame(severing & following.constants.get(sequence_number(live), 0), node.id)
        self._name(frame)

    def after(self, run: Run) -> None:
        """What trained needs no following any more."""
        following, reached = self._following, self._runs.pop()
        if run.error is None:
            following.ledger.trained |= reached
        useful = following.ledger.useful()
        following.marks.keep(useful)
        following.exits.keep(useful)
        if not self._runs:
            following.constants.clear()

    def tell(self) -> dict[str, Any]:
        """The cuts."""
        order = {name: place for place, name in enumerate(self.session.known.collect(None).tensors)}
        names = sorted(self._names.items(), key=lambda one: (order.get(one[1], len(order)), one[0]))
        return {"cuts": self._following.ledger.told(dict(names))}

    def _returned(
        self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], result: Any, made: bool
    ) -> None:
        """Every call of torch comes here: what cannot matter goes at once."""
        kind = type(result)
        if kind in _PLAIN:
            if not (self._marked or self._open):
                if made:
                    return
                for value in (*args, *kwargs.values()) if kwargs else args:
                    value_kind = type(value)
                    if value_kind in _PLAIN:
                        if value.requires_grad and value is not result:
                            break
                    elif value_kind not in _INERT:
                        break
                else:
                    return
        elif not issubclass(kind, tuple | list | torch.Tensor) or kind is torch.Size:
            return
        verdict = self._following.verdicts.of(function)
        if verdict.values:
            with torch._C.DisableTorchFunctionSubclass():
                self._following.flow(verdict, args, kwargs, result)

    def _raised(self, _: Any, error: BaseException) -> None:
        """Inference tensors cannot feed a graph at all: no backward will come."""
        if "Inference tensors cannot be saved" in str(error):
            ledger = self._following.ledger
            ledger.judge(ledger.of_kind("inference_mode"), ~ledger.trained, None)
            self._name(self.session.frame())

    def _leaving(self, kind: CutKind, *, returns: bool) -> Returned:
        def left(function: Any, args: tuple[Any, ...], _: Mapping[str, Any], result: Any, *__: bool) -> None:
            with torch._C.DisableTorchFunctionSubclass():
                self._following.left(kind, function, args[0], result, returns=returns)

        return left

    def _set(self, function: Any, args: tuple[Any, ...], *_: Any) -> None:
        with torch._C.DisableTorchFunctionSubclass():
            self._following.written(function, args[0], args[1:])

    def _before_detach(self, args: tuple[Any, ...], _: Mapping[str, Any]) -> None:
        with torch._C.DisableTorchFunctionSubclass():
            self._detaching = id(args[0]), self._following.reach.of(args[0]) if args[0].requires_grad else 0

    def _detached(self, function: Any, args: tuple[Any, ...], *_: Any) -> None:
        who, leaves = self._detaching
        if leaves and who == id(args[0]):
            self._following.detached(function, args[0], leaves)

    def _wrapping(self, operation: str, place: int, kind: CutKind = "rewrap") -> Around:
        """Around what makes a new tensor of the argument at this place."""

        def wrapping(call: Any, *args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            value = args[place] if len(args) > place else kwargs.get("data")
            if is_tensor(result) and value is not result:
                with torch._C.DisableTorchFunction():
                    self._following.wrapped(operation, value, result, kind)
            return result

        return wrapping

    def _remote(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """Outside a context of distributed autograd what comes back is a new leaf, without a word."""
        result = call(*args, **kwargs)
        with torch._C.DisableTorchFunction():
            for tensor in values_in((result,)):
                if is_tensor(tensor) and tensor.is_leaf:
                    self._following.wrapped("rpc_sync", (*values_in((*args, *kwargs.values())),), tensor, "rpc")
        return result

    def _name(self, frame: FrameType | None) -> None:
        """Name the leaves that cuts speak of while their names are there."""
        leaves = self._following.reach.leaves
        for number in self._following.ledger.named() - self._names.keys():
            leaf = leaves[number]()
            self._names[number] = UNNAMED if leaf is None else self.session.known.name(leaf, frame)
