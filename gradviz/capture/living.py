"""Facts: what is known about objects of the user's, which are not held."""

from __future__ import annotations

import weakref
from typing import Any, Generic, TypeVar

Fact = TypeVar("Fact")


class Facts(Generic[Fact]):
    """A fact about each of some objects, as long as they live; an object that gets the id of a dead one has none."""

    def __init__(self) -> None:
        self._facts: dict[int, tuple[weakref.ref[Any], Fact]] = {}

    def get(self, thing: object) -> Fact | None:
        """What is known about it."""
        found = self._facts.get(id(thing))
        return None if found is None or found[0]() is not thing else found[1]

    def put(self, thing: object, fact: Fact) -> None:
        """Know this from now on."""
        key, facts = id(thing), self._facts

        def forget(dead: weakref.ref[Any]) -> None:
            if key in facts and facts[key][0] is dead:
                del facts[key]

        facts[key] = weakref.ref(thing, forget), fact

    def alive(self) -> list[tuple[Any, Fact]]:
        """The objects that live, in the order in which they became known."""
        found = [(reference(), fact) for reference, fact in list(self._facts.values())]
        return [(thing, fact) for thing, fact in found if thing is not None]
