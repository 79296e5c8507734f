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
    enabled = torch.is_grad_enabled()
    with torch._C.DisableTorchFunction(), modes:
        torch._C._set_grad_enabled(False)  # torch.no_grad is tapped: the watch would take it for a region of the user's
        try:
            yield
        finally:
            torch._C._set_grad_enabled(enabled)
