"""Infers which module made each operation, from the parameters around it; a watch knows it, this only reads the graph.

An operation that reads a parameter belongs to the parameter's module. What ran between two such operations belongs to
the innermost module that contains both, except that a plain container (ModuleList, Sequential) computes nothing itself:
there it belongs to the block that came first, as the addition that ends a residual block does. What only makes up the
loss (numbers that lead to nothing but numbers) belongs to no module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

_MATMULS = frozenset({"AddmmBackward0", "MmBackward0"})
_RESHAPES = frozenset({"ViewBackward0", "UnsafeViewBackward0"})
_CELLS = frozenset({"LSTMCell", "GRUCell", "RNNCell"})  # modules that go on computing after they used their parameters
_CONTAINERS = frozenset({"ModuleList", "ModuleDict", "Sequential"})


def infer_modules(
    forward: Sequence[int],
    inputs: Sequence[Sequence[int]],
    ops: Sequence[str],
    carriers: Sequence[bool],
    numbers: Sequence[bool],
    homes: Mapping[int, tuple[str, ...]],
    classes: Mapping[str, str],
) -> list[str | None]:
    """The module path of every node, None where nothing tells it (before the first parameter is used, after the last).

    A leaf that no module owns has none.

    Args:
        forward: positions of the nodes in the order in which forward made them, leaves anywhere before their use.
        inputs: for each node, the positions of the nodes that its edges lead to.
        ops: each node's operation.
        carriers: whether a node hands on what it reads: a view or a cast.
        numbers: whether a node's result has no dimensions.
        homes: for each leaf that a module owns, the paths of the modules that own it (several if it is shared).
        classes: class name by module path, as far as known.
    """
    inference = _Inference(inputs, ops, homes, classes)
    loss = _loss(forward, inputs, numbers)
    previous: str | None = None
    gap: list[int] = []
    for index in forward:
        if index in homes or ops[index] == "AccumulateGrad":
            continue
        own = inference.own(index, carriers[index])
        if own is None:
            if not loss[index]:
                gap.append(index)
            continue
        if gap:
            inference.fill(gap, previous, own)
            gap = []
        previous = own
    inference.fill(gap, previous, None)
    return inference.modules


def _loss(forward: Sequence[int], inputs: Sequence[Sequence[int]], numbers: Sequence[bool]) -> list[bool]:
    """Whether a node is a number that leads to nothing but numbers."""
    loss = list(numbers)
    for index in reversed(forward):
        if not loss[index]:
            for source in inputs[index]:
                loss[source] = False
    return loss


class _Inference:
    """Modules found so far, while the nodes are gone through in forward order."""

    def __init__(
        self,
        inputs: Sequence[Sequence[int]],
        ops: Sequence[str],
        homes: Mapping[int, tuple[str, ...]],
        classes: Mapping[str, str],
    ) -> None:
        self.modules: list[str | None] = [None] * len(inputs)
        self._inputs = inputs
        self._ops = ops
        self._classes = classes
        self._shared = {index: list(owners) for index, owners in homes.items() if len(owners) > 1}
        self._used: set[int] = set()  # leaves that were read, and views or casts of them
        self._again = False  # whether the operation at hand reads one of these once more
        self._read: dict[int, str] = {}  # leaves, and views or casts of one, with the module of the leaf
        self._tails: dict[str, tuple[str, ...]] = {}  # container -> the operations with which its blocks end
        for index, owners in homes.items():
            self.modules[index] = self._read[index] = owners[0]

    def own(self, index: int, carrier: bool) -> str | None:
        """The module of an operation that reads a parameter, directly or through a view or cast of it; else None."""
        own: str | None = None
        inputs, read = self._inputs[index], self._read
        self._again = False
        for source in inputs:
            if source in read:
                home = read[source]
                self._again = self._again or source in self._used
                self._used.add(source)
                if source in self._shared:  # the n-th use of a shared parameter is taken for that of its n-th owner
                    owners = self._shared[source]
                    home = owners.pop(0) if len(owners) > 1 else owners[0]
                own = home if own is None else common_module(own, home)
        if own is not None:
            self.modules[index] = own
            if self._ops[index] in _MATMULS:  # a Linear flattens what it is given, and unflattens the result
                for source in inputs:
                    if source not in read and self._ops[source] in _RESHAPES:
                        self.modules[source] = own
            if carrier and len(inputs) == 1:
                read[index] = own
        return own

    def fill(self, gap: list[int], previous: str | None, following: str | None) -> None:
        """Give the operations between an operation of ``previous`` and the next one of ``following`` their module."""
        if previous is None or not gap:
            return
        around = None if following is None else common_module(previous, following)
        block, length = around, 0
        if self._classes.get(previous) in _CELLS:
            around = previous
        elif around and around == previous == following and self._again:  # one module was called twice in a row
            around = around.rpartition(".")[0]
        elif around is not None and following is not None and self._is_container(around, following):
            ended = _child_towards(around, previous)
            if ended != previous:  # a block ended: remember how, the container's last block ends in the same way
                self._tails[around] = tuple(self._ops[index] for index in gap)
                around = ended
        else:
            block, length = self._ending(previous, gap)
        for place, index in enumerate(gap):
            self.modules[index] = self._module_in_gap(index, block if place < length else around)

    def _module_in_gap(self, index: int, around: str | None) -> str | None:
        inputs = self._inputs[index]
        if len(inputs) > 1 and around is not None:
            return self._joined(index, around)
        if inputs and self._ops[index] in _RESHAPES and self._ops[inputs[0]] in _MATMULS:
            return self.modules[inputs[0]]
        return around

    def _joined(self, index: int, around: str) -> str:
        """A module further inside, where all that an operation joins comes from there (the end of a residual block)."""
        joined: str | None = None
        for source in self._inputs[index]:
            module = self.modules[source]
            if module is None:
                return around
            joined = module if joined is None else common_module(joined, module)
        if not joined or self._classes.get(joined) in _CONTAINERS:
            return around
        return joined if not around or joined.startswith(f"{around}.") else around

    def _ending(self, previous: str, gap: list[int]) -> tuple[str, int]:
        """The innermost block around ``previous`` that ends here as its siblings do, and in how many operations."""
        block = previous
        while block:
            container = block.rpartition(".")[0]
            tail = self._tails.get(container)
            if tail is not None:
                same = tuple(self._ops[index] for index in gap[: len(tail)]) == tail
                return block, len(tail) if same else 0
            block = container
        return previous, 0

    def _is_container(self, path: str, below: str) -> bool:
        if path in self._classes:
            return self._classes[path] in _CONTAINERS
        return _child_towards(path, below).rpartition(".")[2].isdigit()


def _child_towards(path: str, below: str) -> str:
    start = len(path) + 1 if path else 0
    end = below.find(".", start)
    return below if end < 0 else below[:end]


@lru_cache(maxsize=4096)
def common_module(first: str, second: str) -> str:
    """The innermost module path that contains both."""
    if first == second:
        return first
    shared = []
    for one, other in zip(first.split("."), second.split("."), strict=False):
        if one != other:
            break
        shared.append(one)
    return ".".join(shared)
