// Folding is worked out in Python too, for `view.select` and `view.unfold`: both must do the same.

import assert from "node:assert/strict";
import test from "node:test";
import { numberOf } from "../../src/graph.ts";
import { openedAll, revealed } from "../../src/scene/folds.ts";
import { golden } from "../golden.ts";

for (const { file, model, folds } of golden()) {
  test(`${file}: everything unfolds as in Python, as far as there is room`, () => {
    for (const [most, expected] of Object.entries(folds.unfolded)) {
      assert.deepEqual(openedAll(model, Number(most)), expected, `room for ${most}`);
    }
  });

  test(`${file}: what hides a node is opened as in Python`, () => {
    for (const [state, node, expected] of folds.revealed) {
      assert.deepEqual(revealed(model, state, numberOf(node)!), expected, `${node} in ${JSON.stringify(state)}`);
    }
  });
}
