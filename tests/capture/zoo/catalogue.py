"""Every kind of graph that the tests of the capture stage go through, by name."""

from __future__ import annotations

from tests.capture.zoo import containers, functions, networks, operations, tensors
from tests.capture.zoo.sample import Builder

KINDS: dict[str, Builder] = {
    build.__name__: build
    for group in (operations, functions, tensors, networks, containers)
    for build in group.BUILDERS
}
