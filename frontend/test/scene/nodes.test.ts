// An item stands for exactly the nodes of its box, whatever is open around it.

import assert from "node:assert/strict";
import test from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { closedAll, openedAll, unrolled } from "../../src/scene/folds.ts";
import { nodesOf } from "../../src/scene/nodes.ts";
import type { Scene } from "../../src/scene/types.ts";
import { golden } from "../golden.ts";
import { graphOf, modelOf, module, repeat } from "../models.ts";

for (const { file, model } of golden()) {
  test(`the items of ${file} have the nodes of their boxes`, () => {
    const opened = openedAll(model);
    const { tree } = model;
    const rounds = [...tree.kind.keys()].reduce((folds, item) => unrolled(model, folds, item), opened);
    const scenes: Scene[] = [{}, closedAll(model), opened, rounds].map((folds) => compose(model, folds));
    for (const { boxes } of scenes) {
      for (const { key, item, nodes } of boxes) assert.deepEqual(new Set(nodesOf(model, item)), new Set(nodes), key);
    }
  });
}

test("repeats inside repeats multiply, and a single round stands for itself", () => {
  // Two outer rounds of 0 and three inner rounds of 1: 0, 1 2 3; 4, 5 6 7.
  const graph = graphOf(Array(8).fill("Tanh"), []);
  const inner = (key: string, first: number) => {
    return repeat(
      key,
      3,
      [first],
      [0, 1, 2].map((one) => module(`${key}${one}`, [first + one])),
    );
  };
  const outer = [0, 4].map((first) => module(`round${first}`, [first, inner(`in${first}`, first + 1)]));
  const model = modelOf(graph, [repeat("out", 2, [0, inner("in", 1)], outer)]);
  const nodes = (key: string) => [...nodesOf(model, model.tree.key.indexOf(key))];
  assert.deepEqual(nodes("out"), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(nodes("n0"), [0, 4]);
  assert.deepEqual(nodes("n1"), [1, 2, 3, 5, 6, 7]);
  assert.deepEqual(nodes("in"), [1, 2, 3, 5, 6, 7]);
  assert.deepEqual(nodes("in1"), [2, 6]);
  assert.deepEqual(nodes("in41"), [6]);
});
