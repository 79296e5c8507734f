// Sizes of boxes, labels and titles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boxText, fitted, frameText, LABEL, measure, shortened, TOGGLE, textWidth } from "../../src/layout/measure.ts";
import type { Looks, Role, Shape } from "../../src/model.ts";
import type { Box, Group } from "../../src/scene/types.ts";

const SHAPES: Partial<Record<Role, Shape>> = {
  in_place: "hexagon",
  checkpoint: "cylinder",
  module: "tab",
  input: "note",
};
const LOOKS = {
  roles: new Proxy({}, { get: (_, role) => ({ shape: SHAPES[role as Role] ?? "round" }) }),
} as unknown as Looks;

function box(parts: Partial<Box>): Box {
  const empty = {
    key: "n0",
    item: 0,
    kind: "operation",
    role: "op",
    label: "",
    lines: [],
    badges: [],
    nodes: [],
  } as const;
  return { ...empty, group: -1, opens: false, ...parts };
}

test("letters have Helvetica's widths", () => {
  assert.equal(textWidth("", 10), 0);
  assert.ok(Math.abs(textWidth("Wi", 10) - 11.66) < 1e-9);
  assert.ok(Math.abs(textWidth("Wi", 10, true) - 12.22) < 1e-9);
  assert.equal(textWidth("漢🙂", 10), 20);
  assert.equal(textWidth("é", 10), 6);
  assert.ok(Math.abs(textWidth("e\u0301", 10) - 5.56) < 1e-9);
});

test("a long text keeps both its ends", () => {
  assert.equal(shortened("abcdefghij", 10), "abcdefghij");
  assert.equal(shortened("abcdefghij", 5), "ab…ij");
  assert.equal(shortened("abcdefghij", 4), "ab…j");
  assert.equal(shortened("🙂🙂🙂🙂", 3), "🙂…🙂");
});

test("a text is fitted into a width, as long as it may be", () => {
  const text = "encoder.layers.0.self_attn";
  assert.equal(fitted(text, 10, 1000), text);
  const cut = fitted(text, 10, 80);
  assert.ok(textWidth(cut, 10) <= 80 && cut.includes("…"));
  assert.ok(textWidth(shortened(text, [...cut].length + 1), 10) > 80);
  assert.equal(fitted(text, 10, 3), "");
});

test("the texts of a box lie inside it, one below the other", () => {
  const all = boxText(
    box({ label: "AddmmBackward0", lines: ["(2, 5)", "bias (5,)"], badges: ["a", "b", "c", "d"] }),
    LOOKS,
  );
  const texts = [...all.lines, ...all.badges];
  for (const { x, y, width } of texts) {
    assert.ok(Math.abs(x) + width / 2 <= all.width / 2);
    assert.ok(Math.abs(y) + 7 <= all.height / 2);
  }
  assert.deepEqual(
    [...texts.map(({ y }) => y)],
    texts.map(({ y }) => y).toSorted((a, b) => a - b),
  );
  assert.equal(new Set(all.badges.map(({ y }) => y)).size, 2);
});

test("the [+] has room beside the title", () => {
  const { lines, toggle, width } = boxText(box({ label: "encoder: TransformerEncoder", opens: true }), LOOKS);
  assert.ok(toggle!.x - TOGGLE / 2 > lines[0]!.x + lines[0]!.width / 2);
  assert.ok(toggle!.x + TOGGLE / 2 < width / 2);
});

test("shapes take what their outlines need", () => {
  const size = (role: Role) => {
    const { width, height } = boxText(box({ label: "a label that is long", role }), LOOKS);
    return [width, height];
  };
  const [width, height] = size("op") as [number, number];
  assert.deepEqual(size("in_place"), [width + 16, height]);
  assert.deepEqual(size("checkpoint"), [width, height + 11]);
  assert.deepEqual(size("module"), [width, height + 6]);
});

test("a frame's title bar holds how many rounds, the title, a button and the [-]", () => {
  const group: Group = { key: "m", item: 1, kind: "repeat", parent: -1, title: "h", times: 12, unrolled: false };
  const text = frameText(group);
  assert.equal(text.times, "×12");
  assert.equal(text.button, "all rounds");
  assert.ok(text.width >= text.end + text.buttonWidth + TOGGLE);
  assert.equal(frameText({ ...group, unrolled: true }).button, "one round");
  assert.equal(frameText({ ...group, kind: "module", times: 1 }).button, "");
});

test("wider letters make everything wider", () => {
  const scene = {
    boxes: [box({ label: "a label that is long" }), box({ key: "n1" })],
    arrows: [{ source: 0, target: 1, label: "weight", edges: 1, again: true, sample: [] }],
    groups: [],
    arrowOf: new Int32Array(1),
  };
  const [narrow, wide] = [measure(scene, 1, LOOKS), measure(scene, 1.5, LOOKS)];
  assert.ok(wide.sizes[0]! > narrow.sizes[0]!);
  assert.equal(narrow.labels[0], Math.ceil(textWidth("weight", LABEL.size) + 2 * LABEL.side));
  assert.ok(wide.labels[0]! > narrow.labels[0]!);
  assert.deepEqual([...narrow.arrows, ...narrow.again, ...narrow.boxGroup], [0, 1, 1, -1, -1]);
});
