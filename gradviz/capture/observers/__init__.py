"""What a watch observes, one file per thing. They know nothing of each other; what they share is in the session."""

from __future__ import annotations

from gradviz.capture.observers.clipping import Clipping
from gradviz.capture.observers.communication import Communication
from gradviz.capture.observers.cuts import Cuts
from gradviz.capture.observers.exceptions import Exceptions
from gradviz.capture.observers.forwards import Forwards
from gradviz.capture.observers.gradients import Gradients
from gradviz.capture.observers.hook_effects import HookEffects
from gradviz.capture.observers.loading import Loading
from gradviz.capture.observers.optimizers import Optimizers
from gradviz.capture.observers.parameters import Parameters
from gradviz.capture.observers.registrations import Registrations
from gradviz.capture.observers.scaler import Scaler
from gradviz.capture.observers.scopes import Scopes
from gradviz.capture.observers.sources import Sources
from gradviz.capture.observers.zeroing import Zeroing
from gradviz.capture.run import Observer

# In this order they are entered, asked and told of runs; they are left in reverse. gradients.py comes before
# hook_effects.py: it puts a gate at every node.
OBSERVERS: tuple[type[Observer], ...] = (
    Scopes,
    Sources,
    Cuts,
    Gradients,
    HookEffects,
    Registrations,
    Communication,
    Exceptions,
    Forwards,
    Zeroing,
    Clipping,
    Scaler,
    Optimizers,
    Parameters,
    Loading,
)
