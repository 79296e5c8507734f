import assert from "node:assert/strict";
import test from "node:test";
import { Searching } from "../../src/ui/searching.ts";
import { ghost, graphOf, leaf, modelOf } from "../models.ts";

const LEAVES = [leaf("net.a", 1), leaf("net.b", null), leaf("other", null), leaf("net.c", null)];
const together = { ...ghost(1), key: "ghosts", members: [1, 3] };
const MODEL = modelOf(graphOf(["Mul", "AccumulateGrad"], [[0, 1]], { leaves: LEAVES }), [0, together, ghost(2)]);

test("matches are gone through in a circle: nodes, then boxes of what is not reached, each once", () => {
  const searching = new Searching(MODEL);
  assert.equal(searching.next(1), null);
  assert.equal(searching.update("net."), true);
  assert.equal(searching.update("net."), false);
  assert.equal(searching.found, 2);
  const node = { kind: "nodes", nodes: [1] };
  const item = { kind: "item", item: MODEL.tree.key.indexOf("ghosts") };
  assert.deepEqual([searching.next(1), searching.next(1), searching.next(1)], [node, item, node]);
  searching.update("net");
  assert.deepEqual([searching.at, searching.next(-1), searching.at], [-1, item, 1]);
  searching.update("saved>x");
  assert.deepEqual([searching.found, searching.error !== null], [0, true]);
});
