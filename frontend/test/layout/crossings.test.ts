// Crossings are counted exactly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inversions } from "../../src/layout/crossings.ts";
import { layOut } from "../../src/layout/layout.ts";
import { picture, random } from "./pictures.ts";

test("as many as all pairs give", () => {
  const next = random(7);
  for (let round = 0; round < 200; round++) {
    const keys = Float64Array.from({ length: Math.floor(next() * 40) }, () => Math.floor(next() * 12));
    let pairs = 0;
    for (let b = 0; b < keys.length; b++) for (let a = 0; a < b; a++) pairs += Number(keys[a]! > keys[b]!);
    const sorted = keys.slice().sort();
    assert.equal(inversions(keys, new Float64Array(keys.length), keys.length), pairs);
    assert.deepEqual(keys, sorted);
  }
});

/** How many pairs of lines between the two rows of a picture cross, from its finished layout. */
function drawnCrossings(boxes: number, arrows: readonly (readonly [number, number])[]): [number, number] {
  const layout = layOut(picture({ boxes, arrows }));
  const x = (box: number) => layout.boxes[2 * box]!;
  let pairs = 0;
  for (const [i, [a, b]] of arrows.entries()) {
    for (const [c, d] of arrows.slice(0, i)) pairs += Number((x(a) - x(c)) * (x(b) - x(d)) < 0);
  }
  return [layout.crossings, pairs];
}

test("a layout tells how many it has", () => {
  const next = random(3);
  for (let round = 0; round < 60; round++) {
    const arrows = Array.from({ length: 14 }, () => [Math.floor(next() * 6), 6 + Math.floor(next() * 6)] as const);
    const every = [...Array(6).keys()].map((box) => [box, box + 6] as const); // no box stands alone
    const [told, drawn] = drawnCrossings(12, [...arrows, ...every]);
    assert.equal(told, drawn);
  }
});

test("three boxes that all lead to three others cross nine times, and no order does better", () => {
  const all = [0, 1, 2].flatMap((a) => [3, 4, 5].map((b) => [a, b] as const));
  assert.deepEqual(drawnCrossings(6, all), [9, 9]);
});

test("what can be drawn without crossings is", () => {
  const twisted = [
    [0, 5],
    [1, 4],
    [2, 3],
    [3, 8],
    [4, 7],
    [5, 6],
  ] as const;
  assert.equal(layOut(picture({ boxes: 9, arrows: twisted })).crossings, 0);
});
