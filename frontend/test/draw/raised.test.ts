// The small drawing has four arrows: 0 > 1, 1 > 2, 1 > 3 and 2 > 1 into the next round, drawn as two stubs.

import assert from "node:assert/strict";
import test from "node:test";
import { PLAIN } from "../../src/draw/paints.ts";
import { raisedArrows } from "../../src/draw/raised.ts";
import type { Emphasis, Target } from "../../src/draw/types.ts";
import { smallDrawing } from "./drawing.ts";

function raised(emphasis: Partial<Emphasis>, hovered: Target | null = null): number[] | null {
  const marks = raisedArrows(smallDrawing(), { ...PLAIN, ...emphasis }, hovered);
  return marks && [...marks];
}

test("arrows at selected boxes are raised", () => {
  assert.equal(raised({}), null);
  assert.deepEqual(raised({ selected: Uint8Array.of(0, 0, 0, 1) }), [0, 0, 1, 0]);
  assert.deepEqual(raised({ selected: Uint8Array.of(1, 0, 1, 0) }), [1, 1, 0, 1]);
});

test("of a highlight its paths are raised, whatever is selected, and nothing that stands back", () => {
  const dimArrows = Uint8Array.of(1, 0, 0, 1);
  assert.deepEqual(raised({ dimArrows }), [0, 1, 1, 0]);
  assert.deepEqual(raised({ dimArrows, selected: Uint8Array.of(1, 0, 0, 0) }), [0, 1, 1, 0]);
  assert.equal(raised({ dimArrows: Uint8Array.of(1, 1, 1, 1), selected: Uint8Array.of(1, 1, 1, 1) }), null);
});

test("what is pointed at is raised, even what stands back", () => {
  assert.deepEqual(raised({}, { kind: "box", index: 2, on: "body" }), [0, 1, 0, 1]);
  assert.deepEqual(raised({ dimArrows: Uint8Array.of(1, 1, 1, 1) }, { kind: "arrow", index: 2 }), [0, 0, 1, 0]);
  assert.deepEqual(raised({}, { kind: "stub", index: 1 }), [0, 0, 0, 1]);
  assert.equal(raised({}, { kind: "group", index: 0, on: "title" }), null);
});

test("an arrow that was picked is raised", () => {
  assert.deepEqual(raised({ arrow: 1 }), [0, 1, 0, 0]);
});
