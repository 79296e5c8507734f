"""The payload says all that the graph and the static picture say, and does it in little space."""

from __future__ import annotations

import json
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradviz.graph import Graph
from gradviz.view.compose import compose
from gradviz.view.payload import VERSION, encode
from gradviz.view.payload.columns import LONGEST
from gradviz.view.shown import Shown
from gradviz.wording import visible as shown
from tests.view.builders import RECIPES, Builder, blocks, chain, cook
from tests.view.payload.examples import EXAMPLES
from tests.view.payload.golden import FOLDER, golden
from tests.view.payload.reading import Content, Item, items, rows, text, undo, visible

slowly = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FOLDS = st.sampled_from(["auto", None, 0, 1, ["a*"], ["h.*"]])


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_payload_is_what_the_golden_file_holds(name: str) -> None:
    assert json.loads(json.dumps(golden(EXAMPLES[name]))) == json.loads((FOLDER / f"{name}.json").read_text())


def test_no_golden_file_is_left_over() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(EXAMPLES)


@slowly
@given(RECIPES)
def test_every_fact_of_the_graph_arrives(recipe: dict[str, object]) -> None:
    assert_same_facts(cook(recipe))


def test_hooks_saved_tensors_formulas_and_places_arrive() -> None:
    assert_same_facts(EXAMPLES["everything"].graph())


@slowly
@given(RECIPES, FOLDS)
def test_what_is_seen_at_first_is_the_static_picture(recipe: dict[str, object], fold: object) -> None:
    assert_same_boxes(cook(recipe), fold)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_seen_as_in_the_static_picture(name: str) -> None:
    assert_same_boxes(EXAMPLES[name].shown(), EXAMPLES[name].fold)


@pytest.mark.parametrize("detail", ["brief", "full"])
def test_labels_have_the_detail_of_the_static_picture(detail: str) -> None:
    for name in ("everything", "transformer"):
        graph = EXAMPLES[name].graph()
        scene = compose(graph, detail=detail)  # type: ignore[arg-type]
        boxes, _ = visible(items(encode(graph, detail=detail).content), dead_ends=name == "everything")  # type: ignore[arg-type]
        assert {(box["key"], box["label"], box["lines"]) for box in boxes} == {
            (box.key, shown(box.title, LONGEST), tuple(shown(line, LONGEST) for line in box.lines))
            for box in scene.boxes
        }


@slowly
@given(RECIPES)
def test_drawn_or_unrolled_every_operation_has_its_place(recipe: dict[str, object]) -> None:
    graph = cook(recipe)
    content = encode(graph).content
    found = items(content)
    assert len({item["key"] for item in found if item["frame"]}) == sum(bool(item["frame"]) for item in found)
    for item in found:
        if not item["frame"]:
            continue
        drawn, single = (
            [found[c] for c in item["children"] if bool(found[c]["round"]) == of_one and found[c]["kind"] != "ghost"]
            for of_one in (False, True)
        )
        round_length = len(item.positions) // item["times"]
        assert covered(drawn) == list(range(item["start"], item["start"] + round_length))
        if single:
            assert item["times"] > 1
            assert covered(single) == list(item.positions)


def test_a_round_of_a_repeat_is_shown_by_itself_with_its_own_names() -> None:
    builder = blocks(3)
    builder.leaf("h.1.mlp.frozen", requires_grad=False)
    found = items(encode(builder.graph(), fold=0).content)
    (repeat,) = (item for item in found if item["kind"] == "repeat")
    rounds = [found[child] for child in repeat["children"] if found[child]["round"]]
    assert [(item["label"], item["badges"], item["round"]) for item in rounds] == [
        ("2: Block", (), 1),
        ("1: Block", ("1 frozen",), 2),
        ("0: Block", (), 3),
    ]
    assert repeat["label"] == "0 … 2: Block ×3"
    assert repeat["badges"] == ("1 frozen",)


def test_the_steps_of_a_loop_are_numbered_from_the_loss_on() -> None:
    found = items(encode(EXAMPLES["recurrent"].graph()).content)
    (repeat,) = (item for item in found if item["kind"] == "repeat")
    rounds = [found[child]["label"] for child in repeat["children"] if found[child]["round"]]
    assert (rounds[0], rounds[-1], len(rounds)) == ("round 1 of 29", "round 29 of 29", 29)


def test_what_the_user_closed_can_be_opened() -> None:
    found = items(encode(blocks(12).graph(), fold=["h.*"]).content)
    closed = [item for item in found if item["kind"] == "repeat" and not item["open"]]
    assert [item["label"] for item in closed] == ["h.0 … h.11: Block ×12"]
    assert {found[child]["label"] for child in closed[0]["children"] if not found[child]["round"]} >= {
        "AddBackward0",
        "mlp: MLP",
    }


def test_what_is_long_opens_in_sections_that_can_be_read() -> None:
    found = items(encode(chain(*(f"Op{number}" for number in range(5_000)))).content)
    assert max(len(item["children"]) for item in found) <= 150


def test_it_is_compressed_json_with_a_version() -> None:
    payload = encode(blocks(2).graph())
    content = json.loads(zlib.decompress(payload.compressed()))
    assert (content["schema"], content["version"]) == ("gradviz.view", VERSION)
    assert content == json.loads(json.dumps(payload.content))
    assert payload.compressed() == encode(blocks(2).graph()).compressed()


def test_twenty_thousand_nodes_take_little_space() -> None:
    graph = chain(*("ABCDEFG"[number * number % 11 % 7] for number in range(20_000)))
    assert len(encode(graph).compressed(9)) < 60_000


def test_hostile_texts_are_spelled_out() -> None:
    builder = Builder()
    builder.leaf("a\x00\u202eb\nc", builder.op("Op</script>"))
    content = encode(builder.graph()).content
    assert not [letter for letter in json.dumps(content, ensure_ascii=False) if letter in "\x00\u202e\n"]
    assert "a\\x00\\u202eb\\nc" in content["strings"]


def covered(children: list[Item]) -> list[int]:
    return sorted(position for child in children for position in child.positions)


def assert_same_boxes(graph: Graph | Shown, fold: object) -> None:
    scene = compose(graph, fold=fold)  # type: ignore[arg-type]
    payload = encode(graph, fold=fold)  # type: ignore[arg-type]
    boxes, frames = visible(items(payload.content), dead_ends=payload.content["full"])
    if len(scene.boxes) == 1 and scene.boxes[0].role == "module" and scene.boxes[0].key == "g0":
        return  # a viewer opens the whole graph in sections, where the picture has no room for them
    assert sorted((b["key"], b["role"], b["label"], b["lines"], b["badges"]) for b in boxes) == sorted(
        (
            box.key,
            box.role,
            shown(box.title, LONGEST),
            tuple(shown(line, LONGEST) for line in box.lines),
            tuple(shown(badge, LONGEST) for badge in box.badges),
        )
        for box in scene.boxes
    )
    assert sorted((f["key"], f["frame"], f["times"]) for f in frames[1:]) == sorted(
        (group.key, shown(group.title, LONGEST), group.times) for group in scene.groups
    )


def assert_same_facts(graph: Graph) -> None:
    content = encode(graph).content
    storages = iter(undo(content["storages"]))
    for node, row in zip(graph.nodes, rows(content, "nodes"), strict=True):
        assert [text(content, row[name]) for name in ("op", "kind", "module", "where", "function")] == [
            None if fact is None else shown(fact, LONGEST)
            for fact in (node.op, node.kind, node.module, node.where, node.function)
        ]
        assert (row["order"], bool(row["inferred"])) == (node.order, node.module_inferred)
        assert read_metas(content, row["slots"]) == [plain_meta(slot) for slot in node.slots]
        saved = read_saved(content, row["saved"])
        assert [(*known, next(storages)) for known in saved] == [plain_saved(item) for item in node.saved]
        assert read_hooks(content, row["hooks"]) == [tuple(hook) for hook in node.hooks]
    assert next(storages, None) is None
    for edge, row in zip(graph.edges, rows(content, "edges"), strict=True):
        assert (f"n{row['source']}", row["source_slot"], f"n{row['target']}", row["target_slot"]) == edge[:4]
        assert text(content, row["name"]) == edge.name
    for leaf, row in zip(graph.leaves, rows(content, "leaves"), strict=True):
        assert text(content, row["name"]) == (None if leaf.name is None else shown(leaf.name, LONGEST))
        assert (None if row["node"] < 0 else f"n{row['node']}") == leaf.node
        assert [bool(row[name]) for name in ("parameter", "requires_grad", "is_leaf", "retains_grad")] == [
            leaf.parameter,
            leaf.requires_grad,
            leaf.is_leaf,
            leaf.retains_grad,
        ]
        assert read_hooks(content, row["hooks"]) == [tuple(hook) for hook in leaf.hooks]
    ends = [(f"n{r['source']}", r["source_slot"], text(content, r["name"])) for r in rows(content, "dead_ends")]
    assert ends == [end[:3] for end in graph.dead_ends]
    assert [(f"n{r['node']}", r["slot"]) for r in rows(content, "roots")] == [(r.node, r.slot) for r in graph.roots]


def read_metas(content: Content, place: int) -> list[tuple[str | None, ...]]:
    table = rows(content, "metas")
    return [
        tuple(text(content, table[member][name]) for name in ("shape", "dtype", "device", "layout"))
        for member in content["lists"][place]
    ]


def plain_meta(meta: object) -> tuple[str | None, ...]:
    shape, dtype, device, layout = meta  # type: ignore[misc]
    inside = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    return f"({inside})", dtype, device, None if layout == "strided" else layout


def read_saved(content: Content, place: int) -> list[tuple[object, ...]]:
    table = rows(content, "saved")
    return [
        (
            text(content, table[member]["name"]),
            table[member]["meta"] >= 0,
            table[member]["bytes"],
            text(content, table[member]["state"]),
            text(content, table[member]["hook"]),
        )
        for member in content["lists"][place]
    ]


def plain_saved(item: object) -> tuple[object, ...]:
    name, meta, size, storage, state, hook = item  # type: ignore[misc]
    return name, meta is not None, -1 if size is None else size, state, hook, -1 if storage is None else storage


def read_hooks(content: Content, place: int) -> list[tuple[str | None, ...]]:
    table = rows(content, "hooks")
    return [
        tuple(text(content, table[member][name]) for name in ("kind", "owner", "name", "where"))
        for member in content["lists"][place]
    ]
