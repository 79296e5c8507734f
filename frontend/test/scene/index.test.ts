import assert from "node:assert/strict";
import test from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { arrowsFrom, arrowsInto, boxesOf, boxWithKey, groupWithKey } from "../../src/scene/index.ts";
import { graphOf, modelOf, module } from "../models.ts";

// A weight (2) that an operation uses and one in a closed module
const MODEL = modelOf(
  graphOf(
    ["Mm", "Mm", "AccumulateGrad"],
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
  ),
  [0, module("g1", [1])],
);

test("a node is in its own box or in the closed one around it; a leaf in one at each use", () => {
  const scene = compose(MODEL, {});
  assert.deepEqual(
    scene.boxes.map((box) => box.key),
    ["n0", "n0:n2", "g1"],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((node) => boxesOf(scene, node)),
    [[0], [2], [1, 2], []],
  );
});

test("boxes and frames by key", () => {
  const scene = compose(MODEL, { g1: "open" });
  assert.equal(scene.boxes[boxWithKey(scene, "n1:n2")]!.key, "n1:n2");
  assert.equal(groupWithKey(scene, "g1"), 0);
  assert.equal(boxWithKey(scene, "g1"), -1);
  assert.equal(groupWithKey(scene, "n0"), -1);
});

test("arrows from and into boxes", () => {
  const scene = compose(MODEL, {});
  assert.deepEqual(arrowsFrom(scene, 0), [0, 1]);
  assert.deepEqual(arrowsInto(scene, 2), [0]);
  assert.deepEqual(arrowsInto(scene, 0), []);
});
