"""Reads a payload back, for the tests: columns as the numbers that they stand for, places as what lies there."""

from __future__ import annotations

from itertools import accumulate, islice
from typing import Any

Content = dict[str, Any]


def undo(column: list[int]) -> list[int]:
    return list(accumulate(column))


def rows(content: Content, section: str) -> list[dict[str, int]]:
    table = {name: undo(column) for name, column in content[section].items()}
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def text(content: Content, place: int) -> str | None:
    return None if place < 0 else content["strings"][place]


def texts(content: Content, place: int) -> tuple[str, ...]:
    return tuple(content["strings"][member] for member in content["lists"][place])


class Item(dict[str, Any]):
    """A row of ``items`` with its texts, and its children by number."""

    @property
    def positions(self) -> range:
        return range(self["start"], self["stop"])


def items(content: Content) -> list[Item]:
    tape = undo(content["tape"])
    found: list[Item] = []
    members = iter(undo(content["members"]))
    for number, row in enumerate(rows(content, "items")):
        item = Item(row)
        for name in ("kind", "key", "role", "label", "frame"):
            item[name] = text(content, row[name])
        for name in ("lines", "badges"):
            item[name] = texts(content, row[name])
        item["members"] = tuple(islice(members, row["members"]))
        item["children"] = []
        if row["parent"] >= 0:
            parent = found[row["parent"]]
            alike = [child for child in parent["children"] if found[child]["kind"] == item["kind"]]
            if item["kind"] == "operation":
                item["key"] = f"n{tape[item['start']]}"
            elif item["kind"] == "leaf":
                item["key"] = f"{parent['key']}:n{item['members'][0]}"
            elif item["kind"] == "dead_end":
                slot = rows(content, "dead_ends")[item["members"][0]]["source_slot"]
                item["key"] = f"{parent['key']}:{slot}"
            elif item["kind"] == "ghost":
                item["key"] = f"{parent['key']}:{len(alike)}"
            elif item["key"] is None:
                drawn = sum(not found[child]["round"] for child in parent["children"])
                item["key"] = f"{parent['key']}~{item['round']}" if item["round"] else f"{parent['key']}/{drawn}"
            parent["children"].append(number)
        found.append(item)
    return found


def visible(found: list[Item], *, dead_ends: bool) -> tuple[list[Item], list[Item]]:
    """The boxes and the frames that are seen at first, in no particular order."""
    boxes: list[Item] = []
    frames: list[Item] = []
    waiting = [0]
    while waiting:
        item = found[waiting.pop()]
        if item["open"]:
            frames.append(item)
            waiting += [child for child in item["children"] if not found[child]["round"]]
        elif item["kind"] != "dead_end" or dead_ends:
            boxes.append(item)
            if item["kind"] == "operation":
                waiting += item["children"]
    return boxes, frames
