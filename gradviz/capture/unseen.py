"""unseen: a region for torch calls of gradviz's own, which no mode of the user's, nor a watch, may see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch
from torch.utils._python_dispatch import _disable_current_modes


@contextmanager
def unseen() -> Iterator[None]:
    """Without function modes, dispatch modes and gradients."""
    modes = _disable_current_modes() if torch._C._len_torch_dispatch_stack() else nullcontext()
    with torch._C.DisableTorchFunction(), torch.no_grad(), modes:
        yield
