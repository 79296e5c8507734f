import assert from "node:assert/strict";
import { test } from "node:test";
import type { Drawing } from "../../src/draw/types.ts";
import { moved } from "../../src/ui/moves.ts";

// a (0) above b (1), c (2) and d (3) in one row; e (4) far below on the right; an arrow back from c to a.
const PLACES = [50, 0, 0, 100, 60, 104, 200, 96, 300, 400];
const ARROWS = [
  { source: 0, target: 1, again: false },
  { source: 0, target: 2, again: false },
  { source: 2, target: 0, again: true },
  { source: 3, target: 4, again: false },
];
const drawing = {
  scene: {
    boxes: PLACES.filter((_, place) => place % 2 === 0).map((_, box) => ({ key: String(box) })),
    arrows: ARROWS,
  },
  layout: { boxes: Float64Array.from(PLACES) },
  sizes: new Float64Array(PLACES.length).fill(30),
} as unknown as Drawing;

test("up and down go along the arrows, to the nearest end", () => {
  assert.equal(moved(drawing, 0, "down"), 2);
  assert.equal(moved(drawing, 1, "up"), 0);
  assert.equal(moved(drawing, 3, "down"), 4);
});

test("arrows into the next round are no way on", () => {
  assert.equal(moved(drawing, 2, "down"), null);
  assert.equal(moved(drawing, 0, "up"), null);
});

test("left and right stay in the row where it has a box", () => {
  assert.equal(moved(drawing, 1, "right"), 2);
  assert.equal(moved(drawing, 2, "right"), 3);
  assert.equal(moved(drawing, 3, "left"), 2);
  assert.equal(moved(drawing, 1, "left"), null);
});

test("where the row ends, they go to the nearest box on that side", () => {
  assert.equal(moved(drawing, 3, "right"), 4);
  assert.equal(moved(drawing, 4, "left"), 3);
});

test("down goes on where it can: past leaves, and not over a row that an arrow skips", () => {
  // 0 above the leaf 1 beside it and 2 on the left, and straight above 3 far below
  const places = [0, 0, 40, 40, -120, 100, 0, 400];
  const kinds = ["operation", "leaf", "operation", "operation"];
  const arrows = [1, 2, 3].map((target) => ({ source: 0, target, again: false }));
  const beside = {
    scene: { boxes: kinds.map((kind) => ({ kind })), arrows },
    layout: { boxes: Float64Array.from(places) },
  } as unknown as Drawing;
  assert.equal(moved(beside, 0, "down"), 2);
  const only = { ...beside, scene: { ...beside.scene, arrows: arrows.slice(0, 1) } } as unknown as Drawing;
  assert.equal(moved(only, 0, "down"), 1);
});
