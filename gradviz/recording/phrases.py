"""Facts of a recording in words, a line each; pictures, the viewer and the text of a recording use the same ones.

Sizes are 2-norms with three significant digits. "None" stands for no gradient, which is never the same as 0. Names are
raw here: whoever shows a line makes it visible (``gradviz.wording.visible``).
"""

from __future__ import annotations

from gradviz.recording.facts import Cut, HookEffect, Magnitude, Source, Turn
from gradviz.wording import exact, figure, several

HOOK_WORDS = {
    "tensor": "hook",
    "retain_grad": "retain_grad",
    "post_accumulate": "post-accumulate hook",
    "node_pre": "pre-hook",
    "node_post": "post-hook",
    "module_backward": "module hook",
    "module_backward_pre": "module pre-hook",
    "module_backward_legacy": "legacy module hook",
    "multi_grad": "multi-grad hook",
    "optimizer_in_backward": "optimizer in backward",
    "communication": "communication hook",
    "unknown": "unknown hook",
}
_TURNS = {
    "zero": "turns zero here",
    "nonfinite": "turns non-finite here",
    "exploded": "explodes here",
    "vanished": "vanishes here",
}


def size(magnitude: Magnitude | None) -> str:
    """The norm of a gradient; ``none`` where there was no gradient."""
    return "none" if magnitude is None else figure(magnitude.norm)


def hook_effect(effect: HookEffect) -> str:
    """One call of a hook: ``hook <lambda> (train.py:12): 2 → 6, replaced``."""
    return f"{hook_called(effect)}: {hook_outcome(effect)}"


def hook_called(effect: HookEffect) -> str:
    """Which hook was called, and where it is defined or was registered."""
    hook = effect.hook
    place = hook.where or (effect.registered and str(effect.registered))
    return f"{HOOK_WORDS[hook.kind]} {hook.name}" + (f" ({place})" if place else "")


def hook_outcome(effect: HookEffect) -> str:
    """What a hook did to the gradients that it was given."""
    before, after = (_sizes(sizes) for sizes in (effect.before, effect.after))
    said = [f"{before} → {after}" if effect.replaced or effect.in_place or before != after else before]
    if effect.error is not None:
        said = [before, f"raised {effect.error}"] if before else [f"raised {effect.error}"]
    said += ["replaced"] if effect.replaced else []
    said += ["in place"] if effect.in_place else []
    said += [f"also at {several(effect.reached)}"] if effect.reached else []
    said += ["removed itself"] if effect.removed else []
    if not effect.replaced and not effect.in_place and effect.error is None:
        said.append("unchanged")
    return ", ".join(filter(None, said))


def turn(found: Turn) -> str:
    """What becomes of the gradient at the target of a turn."""
    return _TURNS[found.kind]


def cut(found: Cut) -> str:
    """Where history ended: ``cut at detach train.py:42``; of a region without gradients, also where it was opened."""
    opened = "" if found.opened is None else f" (opened at {found.opened})"
    return f"cut at {found.operation}{_at(found.where)}{opened}"


def cut_in_full(found: Cut) -> str:
    """A cut with all that it severs."""
    said = [cut(found)]
    if found.times > 1:
        said.append(f"{found.times:,} times")
    if found.entered is not None:
        said.append(f"came back in at {found.entered}")
    if found.severed:
        said.append(f"severs {several(found.severed, 6)}")
    if found.suspected:
        said.append(f"perhaps severs {several(found.suspected, 6)}")
    if not found.severed and not found.suspected:
        said.append("severs no parameter")
    return ", ".join(said)


def scaled(scale: float) -> str:
    """That a GradScaler scaled the loss."""
    return f"The loss was scaled by {exact(scale)}; sizes are unscaled."


def _sizes(sizes: tuple[Magnitude | None, ...]) -> str:
    shown = [size(each) for each in sizes[:4]]
    return ", ".join(shown) + (" …" if len(sizes) > len(shown) else "")


def _at(where: Source | None) -> str:
    return "" if where is None else f" {where}"
