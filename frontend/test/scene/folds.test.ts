import assert from "node:assert/strict";
import test from "node:test";
import type { Model } from "../../src/model.ts";
import { compose } from "../../src/scene/compose.ts";
import {
  closedAll,
  isOpen,
  isUnrolled,
  openedAll,
  revealed,
  revealedItem,
  toggled,
  unrolled,
} from "../../src/scene/folds.ts";
import { boxesOf } from "../../src/scene/index.ts";
import type { FoldState } from "../../src/state.ts";
import { golden } from "../golden.ts";
import { ghost, graphOf, leaf, modelOf, module, repeat } from "../models.ts";

const CHAIN = graphOf(
  Array(7).fill("Add"),
  [0, 1, 2, 3, 4, 5].map((node) => [node, node + 1]),
  { leaves: [leaf("frozen", null)] },
);
// 0, then a module of 1 and 2 that is open and holds a closed one of 1, then 3 to 6 as a repeat of two rounds
const MODEL = modelOf(CHAIN, [
  0,
  module("outer", [module("inner", [1, ghost(0)]), 2], true),
  repeat("loop", 2, [3, 4], [module("loop~1", [3, 4]), module("loop~2", [5, 6])]),
]);
/** The first item with a key: operations of a repeat are those of its drawn round. */
const at = (key: string): number => MODEL.tree.key.indexOf(key);

test("toggling keeps only what differs from how the tree opens at first", () => {
  assert.equal(isOpen(MODEL, {}, at("outer")), true);
  assert.deepEqual(toggled(MODEL, {}, at("outer")), { outer: "closed" });
  assert.deepEqual(toggled(MODEL, { outer: "closed", loop: "open" }, at("outer")), { loop: "open" });
  assert.deepEqual(toggled(MODEL, {}, at("inner")), { inner: "open" });
  assert.deepEqual(toggled(MODEL, { loop: "unrolled" }, at("loop")), {});
});

test("what cannot be opened stays as it is", () => {
  const folds: FoldState = { inner: "open" };
  assert.equal(toggled(MODEL, folds, 0), folds);
  assert.equal(toggled(MODEL, folds, at("n0")), folds);
  assert.equal(unrolled(MODEL, folds, at("outer")), folds);
  assert.equal(isOpen(MODEL, { n0: "open" }, at("n0")), false);
});

test("a repeat unrolls, and rolls up into one round again", () => {
  const rolledOut = unrolled(MODEL, {}, at("loop"));
  assert.deepEqual(rolledOut, { loop: "unrolled" });
  assert.equal(isUnrolled(MODEL, rolledOut, at("loop")), true);
  assert.deepEqual(unrolled(MODEL, rolledOut, at("loop")), { loop: "open" });
});

test("folding and unfolding all", () => {
  assert.deepEqual(closedAll(MODEL), { outer: "closed" });
  assert.deepEqual(openedAll(MODEL), { inner: "open", loop: "open" });
  // closed, the top takes three boxes; one more is that of "outer" open; both others would take one more each
  assert.deepEqual(openedAll(MODEL, 4), {});
  assert.deepEqual(openedAll(MODEL, 3), { outer: "closed" });
});

test("revealing a node opens what hides it, and unrolls a repeat only for another round than the drawn one", () => {
  assert.deepEqual(revealed(MODEL, { outer: "closed" }, 1), { inner: "open" });
  assert.deepEqual(revealed(MODEL, {}, 4), { loop: "open" });
  assert.deepEqual(revealed(MODEL, {}, 5), { loop: "unrolled", "loop~2": "open" });
  assert.deepEqual(revealed(MODEL, { loop: "unrolled" }, 3), { loop: "unrolled", "loop~1": "open" });
  const shown: FoldState = { inner: "open" };
  assert.equal(revealed(MODEL, shown, 1), shown);
  assert.equal(revealed(MODEL, shown, 99), shown);
});

test("revealing a part, or parameters that the graph does not reach, opens what is around", () => {
  assert.deepEqual(revealedItem(MODEL, { outer: "closed" }, at("ghost0")), { inner: "open" });
  assert.deepEqual(revealedItem(MODEL, { outer: "closed" }, at("inner")), {});
  assert.deepEqual(revealedItem(MODEL, { loop: "open" }, at("loop~2")), { loop: "unrolled" });
  assert.deepEqual(revealedItem(MODEL, { loop: "unrolled" }, at("n3")), { loop: "open" });
  assert.deepEqual(revealedItem(MODEL, {}, at("loop")), {});
});

/** Open and unroll this and that, in every place at least once over the rounds. */
function shuffled(model: Model, round: number): FoldState {
  let folds: FoldState = {};
  for (let item = 1; item < model.tree.size; item++) {
    const chance = (item * 7919 + round * 104729) % 5;
    if (chance < 2) folds = toggled(model, folds, item);
    else if (chance === 2) folds = unrolled(model, folds, item);
  }
  return folds;
}

for (const { file, model } of golden()) {
  test(`whatever is open in ${file}, all nodes and edges are in it and the flow goes down`, () => {
    const some = [0, 1, 2, 3].map((round) => shuffled(model, round));
    for (const folds of [{}, closedAll(model), openedAll(model), ...some]) holds(model, folds);
  });

  test(`every node of ${file} can be revealed`, () => {
    for (let node = 0; node < model.graph.size; node++) {
      const scene = compose(model, revealed(model, closedAll(model), node));
      const own = boxesOf(scene, node).map((box) => scene.boxes[box]!.kind);
      assert.ok(own.includes("operation") || own.includes("leaf"), `n${node} in ${own}`);
    }
  });
}

function holds(model: Model, folds: FoldState): void {
  const scene = compose(model, folds);
  const keys = [...scene.boxes, ...scene.groups].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, "keys are unique");
  for (let node = 0; node < model.graph.size; node++)
    assert.ok(boxesOf(scene, node).length > 0, `n${node} is in a box`);
  scene.groups.forEach(({ parent }, group) => {
    assert.ok(parent < group, "parents come before children");
  });
  const counted = scene.arrows.map(() => 0);
  scene.arrowOf.forEach((arrow, edge) => {
    const [source, target] = [boxesOf(scene, model.graph.source[edge]!), boxesOf(scene, model.graph.target[edge]!)];
    if (arrow >= 0) {
      counted[arrow]!++;
      assert.ok(source.includes(scene.arrows[arrow]!.source) && target.includes(scene.arrows[arrow]!.target));
    } else
      assert.ok(
        source.some((box) => target.includes(box)),
        "an edge without arrow lies inside a box",
      );
  });
  assert.deepEqual(
    scene.arrows.map((arrow) => arrow.edges),
    counted,
  );
  const order = scene.boxes.map(() => 0);
  for (let round = 0; round <= scene.boxes.length; round++) {
    let moved = false;
    for (const { source, target, again } of scene.arrows) {
      if (again || order[target]! > order[source]!) continue;
      order[target] = order[source]! + 1;
      moved = true;
    }
    if (!moved) return;
  }
  assert.fail("a cycle");
}
