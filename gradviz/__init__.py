"""Shows what PyTorch's autograd really built.

Names are loaded when they are first used (PEP 562): importing gradviz, or one part of it, imports neither torch nor
networkx nor anything of the notebook.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradviz.api import trace as trace
    from gradviz.api import watch as watch
    from gradviz.errors import GradvizError as GradvizError
    from gradviz.graph import Graph as Graph
    from gradviz.recording import Recording as Recording
    from gradviz.recording import Watched as Watched
    from gradviz.view.picture import Picture as Picture
    from gradviz.view.picture import draw as draw
    from gradviz.view.viewing import save_page as save_page
    from gradviz.view.viewing import show as show
    from gradviz.view.widget import View as View

__version__ = "0.1.0"

_HOME = {
    "GradvizError": "gradviz.errors",
    "Graph": "gradviz.graph",
    "Picture": "gradviz.view.picture",
    "Recording": "gradviz.recording",
    "View": "gradviz.view.widget",
    "Watched": "gradviz.recording",
    "draw": "gradviz.view.picture",
    "save_page": "gradviz.view.viewing",
    "show": "gradviz.view.viewing",
    "trace": "gradviz.api",
    "watch": "gradviz.api",
}

__all__ = [
    "GradvizError",
    "Graph",
    "Picture",
    "Recording",
    "View",
    "Watched",
    "draw",
    "save_page",
    "show",
    "trace",
    "watch",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module 'gradviz' has no attribute {name!r}") from None
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if "IPython" in sys.modules:
    from gradviz.view import notebook

    notebook.register()
