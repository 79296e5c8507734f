"""What a watch observes, one file per thing. They know nothing of each other; what they share is in the session."""

from __future__ import annotations

from gradviz.capture.run import Observer

# In this order they are entered, asked and told of runs; they are left in reverse. gradients.py comes before
# hook_effects.py: it puts a gate at every node.
OBSERVERS: tuple[type[Observer], ...] = ()
