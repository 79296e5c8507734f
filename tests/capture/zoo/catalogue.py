"""Every kind of graph that the tests of the capture stage go through, by name."""

from __future__ import annotations

from tests.capture.zoo import containers, functions, networks, operations, tensors
from tests.capture.zoo.sample import Builder

KINDS: dict[str, Builder] = {
    build.__name__: build
    for group in (operations, functions, tensors, networks, containers)
    for build in group.BUILDERS
}

# Those for which looking for every hook could do harm. It goes through all live objects: too slow for the rest.
WITH_HOOKS_TO_SEARCH = (
    "leaf_alone",
    "copy_slices",
    "custom_function",
    "checkpoint_non_reentrant",
    "checkpoint_reentrant",
    "saved_tensors_hooks",
    "freed_by_backward",
    "module_backward_hooks",
    "tensor_hooks",
    "nested_jagged",
    "dtensor",
    "lstm_cell_loop",
)
KINDS_AND_SEARCHES = {name: (build, "found") for name, build in KINDS.items()} | {
    f"{name} (all hooks)": (KINDS[name], "all") for name in WITH_HOOKS_TO_SEARCH
}
