"""What the tests of the capture stage share: a seed, one thread, and an end for the zoo's process group."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import torch.distributed as dist


@pytest.fixture(scope="session", autouse=True)
def _process() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the tensors are tiny: a second thread only costs
    yield
    torch.set_num_threads(threads)
    if dist.is_initialized():
        dist.destroy_process_group()


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)
