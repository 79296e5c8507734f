"""The same scene as text: every box and arrow, aligned, and nothing that a terminal would obey."""

from __future__ import annotations

import pytest

from gradviz.view.scene import Arrow, Box, Group, Scene
from gradviz.view.text import write_text


def test_it_reads_like_this() -> None:
    scene = Scene(
        "5 nodes, 2 parameters",
        (
            Box("n0", "root", "MseLoss", ("()",)),
            Box("n1", "op", "Addmm", ("(32, 64)",), ("hook", "cuda:0"), group="inner"),
            Box("n2", "parameter", "weight", ("(64, 64)",), group="inner"),
            Box("n3", "op", "Addmm", group="outer"),
            Box("n4", "unreached", "head.bias"),
        ),
        (
            Arrow("n0", "n1", "self"),
            Arrow("n1", "n2", "mat2"),
            Arrow("n1", "n3", "×4", 4),
            Arrow("n3", "n1", again=True, edges=11),
        ),
        (Group("outer", None, "repeat", "h.0 … h.11", 12), Group("inner", "outer", "module", "0: Linear")),
        ("A note.",),
    )
    assert write_text(scene) == (
        "5 nodes, 2 parameters\n"
        "\n"
        "root         MseLoss  ()                         -> Addmm (self)\n"
        "repeat x12   h.0 … h.11\n"
        "module         0: Linear\n"
        "operation        Addmm  (32, 64)  [hook]  [cuda:0]\n"
        "                                                 -> weight (mat2), Addmm #2 (×4)\n"
        "parameter        weight  (64, 64)\n"
        "operation      Addmm #2                          -> Addmm (next round)\n"
        "not reached  head.bias\n"
        "\n"
        "A note.\n"
    )


def test_equal_scenes_give_equal_text_and_every_box_has_a_line(specimen: Scene) -> None:
    lines = write_text(specimen).splitlines()
    assert lines == write_text(specimen._replace()).splitlines()
    starts = [line for line in lines if line[:1].strip()]
    for box in specimen.boxes:
        assert sum(f" {box.title} " in line.partition("->")[0] for line in starts) == 1


def test_every_arrow_is_named(specimen: Scene) -> None:
    text = write_text(specimen)
    targets = " ".join(line.rpartition("  ")[2] for line in text.splitlines())
    assert all(f"the {arrow.target}" in targets for arrow in specimen.arrows)
    assert "the custom (tensors ×4)" in text
    assert "the in_place (next round)" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_what_a_box_points_to_is_wrapped_between_two_names(width: int) -> None:
    boxes = (Box("a", "op", "Cat"), *(Box(f"b{at}", "op", f"some operation {at}") for at in range(20)))
    scene = Scene("", boxes, tuple(Arrow("a", box.key, f"tensors[{at}]") for at, box in enumerate(boxes[1:])), ())
    lines = write_text(scene, width).splitlines()
    assert max(map(len, lines)) <= width
    assert all(f"some operation {at} (tensors[{at}])" in "\n".join(lines) for at in range(20))


def test_wide_and_combining_characters_keep_the_columns() -> None:
    boxes = tuple(Box(str(at), "op", title) for at, title in enumerate(["日本語", "e\u0301te", "plain"]))
    scene = Scene("", boxes, tuple(Arrow(box.key, "2") for box in boxes[:2]), ())
    first, second, _ = write_text(scene).splitlines()[-3:]
    assert first == "operation  日本語  -> plain"
    assert second == "operation  e\u0301te     -> plain"


def test_a_name_of_ten_thousand_characters_is_shortened_with_an_ellipsis() -> None:
    text = write_text(Scene("", (Box("a", "parameter", "a" + "x" * 10_000 + "z"),), (), ()))
    assert max(map(len, text.splitlines())) < 80
    assert "ax" in text
    assert "…" in text
    assert "xz" in text


def test_facts_that_do_not_fit_beside_a_name_stand_below_it() -> None:
    facts = ("(32, 64) float32", "saves self: (32, 64) float32, 8.2 kB, held", "number 7 to run")
    scene = Scene("", (Box("a", "op", "Mul", facts, ("hook",)), Box("b", "op", "Add")), (Arrow("a", "b"),), ())
    assert write_text(scene) == (
        "\n"
        "operation  Mul  (32, 64) float32  [hook]  -> Add\n"
        "               saves self: (32, 64) float32, 8.2 kB, held\n"
        "               number 7 to run\n"
        "operation  Add\n"
    )


def test_a_long_reason_is_wrapped_and_not_cut() -> None:
    reason = "a tensor with requires_grad=False, which was made under torch.no_grad() and detached before it came here"
    scene = Scene("", (Box("a", "dead_end", "other", ("fixed", reason)),), (), ())
    assert write_text(scene) == (
        "\n"
        "no gradient  other  fixed\n"
        "                 a tensor with requires_grad=False, which was made under\n"
        "                   torch.no_grad() and detached before it came here\n"
    )


def test_badges_that_do_not_fit_stand_below() -> None:
    badges = tuple(f"{number} badges of a kind" for number in range(2, 8))
    scene = Scene("", (Box("a", "module", "encoder", badges=badges), Box("b", "op", "Add")), (Arrow("a", "b"),), ())
    first, *more = write_text(scene).splitlines()[1:]
    assert first == "closed module  encoder  -> Add"
    assert " ".join(more).count("[") == 6


def test_it_fits_eighty_columns(specimen: Scene) -> None:
    boxes = tuple(
        box._replace(title=f"{box.title} of thirty letters in all", lines=(*box.lines, "words " * 30))
        for box in specimen.boxes
    )
    assert max(map(len, write_text(specimen._replace(boxes=boxes)).splitlines())) <= 80


def test_an_empty_scene_is_its_title() -> None:
    assert write_text(Scene("no nodes", (), (), ())) == "no nodes\n\n"
