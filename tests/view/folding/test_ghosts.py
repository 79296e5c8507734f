from __future__ import annotations

from gradviz.graph import Leaf
from gradviz.view.folding.ghosts import gather
from gradviz.view.folding.part import Missing
from tests.view.builders import Builder


def missing(home: str, *names: str | None, frozen: bool = False) -> list[Missing]:
    builder = Builder()
    for name in names:
        builder.leaf(name, requires_grad=not frozen)
    return [Missing(leaf, home) for leaf in builder.leaves]


def names(leaves: tuple[Leaf, ...]) -> list[str | None]:
    return [leaf.name for leaf in leaves]


def test_a_frozen_backbone_is_one_ghost() -> None:
    paths = [f"backbone.layer{number // 50}.{number}.weight" for number in range(200)]
    (ghost,) = gather(missing("", *paths, frozen=True))
    assert (ghost.role, ghost.title, len(ghost.leaves)) == ("frozen", "backbone", 200)


def test_parameters_of_the_module_itself_are_drawn_one_by_one() -> None:
    ghosts = gather(missing("fc", "fc.weight", "fc.bias"))
    assert [(ghost.role, ghost.title, names(ghost.leaves)) for ghost in ghosts] == [
        ("unreached", "weight", ["fc.weight"]),
        ("unreached", "bias", ["fc.bias"]),
    ]


def test_more_than_three_of_a_role_are_gathered() -> None:
    ghosts = gather(missing("h", *(f"h.{number}.weight" for number in range(6)), frozen=True) + missing("h", "h.w"))
    assert [(ghost.role, ghost.title, len(ghost.leaves)) for ghost in ghosts] == [
        ("frozen", "0 … 5", 6),
        ("unreached", "w", 1),
    ]


def test_rounds_of_a_repeat_are_gathered_by_what_they_are_called_inside() -> None:
    ghosts = gather(missing("h.1", "h.1.fc.weight") + missing("h.0", "h.0.fc.weight"))
    assert [(ghost.title, names(ghost.leaves)) for ghost in ghosts] == [("fc", ["h.1.fc.weight", "h.0.fc.weight"])]


def test_a_ghost_without_a_name_is_drawn() -> None:
    assert [ghost.title for ghost in gather(missing("", None))] == ["unnamed"]
