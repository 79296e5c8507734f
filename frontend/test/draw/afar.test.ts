import assert from "node:assert/strict";
import test from "node:test";
import { isAlikeFromAfar } from "../../src/draw/afar.ts";
import { PLAIN } from "../../src/draw/paints.ts";

test("what changes only things that are not seen from far away looks the same", () => {
  const one = { ...PLAIN, selected: Uint8Array.of(0, 1) };
  const step = { ...PLAIN, selected: Uint8Array.of(0, 1), progress: Float32Array.of(0, 0.5), running: 1 };
  assert.ok(isAlikeFromAfar(one, step));
  assert.ok(isAlikeFromAfar(one, { ...one, arrow: 3, dimArrows: Uint8Array.of(1) }));
});

test("colours, what stands back, what is found and what is selected are seen from far away", () => {
  const paint = { fill: "#fff", line: "#000", text: "#000" };
  const one = { ...PLAIN, selected: Uint8Array.of(0, 1) };
  assert.ok(!isAlikeFromAfar(one, { ...one, selected: Uint8Array.of(1, 0) }));
  assert.ok(!isAlikeFromAfar(one, { ...one, selected: null }));
  assert.ok(!isAlikeFromAfar(one, { ...one, paints: [paint, null] }));
  assert.ok(!isAlikeFromAfar(one, { ...one, dimBoxes: Uint8Array.of(0, 0) }));
  assert.ok(!isAlikeFromAfar(one, { ...one, found: Uint8Array.of(0, 1) }));
});
