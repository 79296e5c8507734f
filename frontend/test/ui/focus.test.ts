import assert from "node:assert/strict";
import { test } from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { boxWithKey, groupWithKey } from "../../src/scene/index.ts";
import { focusedIn, keyOfArrow } from "../../src/ui/focus.ts";
import { boxInFocus, subjectOf } from "../../src/ui/selection.ts";
import { graphOf, modelOf, module, repeat } from "../models.ts";

// Three rounds of 0 and 1 in a row: an arrow from 0 to 1, and one from 1 into the next round.
const GRAPH = graphOf(
  Array(6).fill("Tanh"),
  [0, 1, 2, 3, 4].map((node): [number, number] => [node, node + 1]),
);
const MODEL = modelOf(GRAPH, [repeat("r", 3, [0, module("m", [1])], [])]);
const scene = compose(MODEL, { r: "open" });

test("every box, frame and arrow is found by its key", () => {
  scene.boxes.forEach(({ key }, index) => {
    assert.deepEqual(focusedIn(scene, key), { kind: "box", index });
  });
  scene.groups.forEach(({ key }, index) => {
    assert.deepEqual(focusedIn(scene, key), { kind: "group", index });
  });
  assert.deepEqual(scene.arrows.map((arrow) => keyOfArrow(scene, arrow)).sort(), ["m>>n0", "n0>m"]);
  scene.arrows.forEach((arrow, index) => {
    assert.deepEqual(focusedIn(scene, keyOfArrow(scene, arrow)), { kind: "arrow", index });
  });
});

test("what is not drawn now is not found", () => {
  for (const key of [null, "n9", "m>n9", "n9>m", "m>n0", "n0>>m", ">"]) assert.equal(focusedIn(scene, key), null);
});

test("the keys are at the first box of a frame, at the start of an arrow, else at what is selected first", () => {
  const at = (focus: string | null, selected: string[] = []) => boxInFocus(MODEL, scene, { focus, selected });
  assert.equal(at("r"), boxWithKey(scene, "n0"));
  assert.equal(at("m>>n0"), boxWithKey(scene, "m"));
  assert.equal(at("gone", ["n3", "n0"]), boxWithKey(scene, "m"));
  assert.equal(at(null), null);
});

test("the panel is about what is picked, unless other nodes are selected", () => {
  const seen = (focus: string | null, selected: string[]) => subjectOf(MODEL, scene, { focus, selected });
  const item = scene.groups[groupWithKey(scene, "r")]!.item;
  assert.deepEqual(seen("r", ["n0", "n1", "n2", "n3", "n4", "n5"]), { kind: "part", item, open: true });
  assert.deepEqual(seen("r", ["n0", "n1"]), { kind: "nodes", nodes: [0, 1] });
  const arrow = seen("n0>m", []);
  assert.deepEqual(arrow.kind === "arrow" && [arrow.source, arrow.target, arrow.arrow.edges], ["n0", "m", 3]);
});
