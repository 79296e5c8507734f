import assert from "node:assert/strict";
import test from "node:test";
import {
  between,
  bytesHeld,
  downstream,
  expression,
  idOf,
  leafOf,
  neighbours,
  numberOf,
  upstream,
} from "../../src/graph.ts";
import type { Root } from "../../src/model.ts";
import { graphOf, leaf, saved } from "../models.ts";

//     0
//    / \
//   1   2
//    \ / \
//     3   4
const DIAMOND = graphOf(Array(5).fill("Add"), [
  [0, 1, "self"],
  [0, 2, "other"],
  [1, 3, "self"],
  [2, 3, "self"],
  [2, 4, "other"],
]);

const members = (set: Uint8Array): number[] => [...set.keys()].filter((node) => set[node] === 1);

test("upstream is nearer the loss, downstream further from it; both hold the nodes themselves", () => {
  assert.deepEqual(members(upstream(DIAMOND, [3])), [0, 1, 2, 3]);
  assert.deepEqual(members(upstream(DIAMOND, [1, 4])), [0, 1, 2, 4]);
  assert.deepEqual(members(downstream(DIAMOND, [2])), [2, 3, 4]);
  assert.deepEqual(members(downstream(DIAMOND, [9])), []);
});

test("between are all paths from one to the other, whichever is given first", () => {
  assert.deepEqual(members(between(DIAMOND, 0, 3)), [0, 1, 2, 3]);
  assert.deepEqual(members(between(DIAMOND, 4, 0)), [0, 2, 4]);
  assert.deepEqual(members(between(DIAMOND, 1, 4)), []);
  assert.deepEqual(members(between(DIAMOND, 2, 2)), [2]);
});

test("neighbours come with the argument of each edge", () => {
  assert.deepEqual(neighbours(DIAMOND, 3), {
    upstream: [
      { edge: 2, node: 1, name: "self" },
      { edge: 3, node: 2, name: "self" },
    ],
    downstream: [],
  });
  assert.deepEqual(neighbours(DIAMOND, 2).downstream, [
    { edge: 3, node: 3, name: "self" },
    { edge: 4, node: 4, name: "other" },
  ]);
});

test("a graph may be as deep as it likes", () => {
  const edges = Array.from({ length: 100_000 }, (_, node): [number, number] => [node, node + 1]);
  const chain = graphOf(Array(100_001).fill("Add"), edges);
  assert.equal(members(upstream(chain, [100_000])).length, 100_001);
  assert.equal(members(between(chain, 100_000, 0)).length, 100_001);
});

test("an expression takes the shortest way from the nearest root", () => {
  assert.equal(expression(DIAMOND, 0), "loss.grad_fn");
  assert.equal(expression(DIAMOND, 4), "loss.grad_fn.next_functions[1][0].next_functions[1][0]");
  const root = (kind: Root["kind"], node: number, after: string): Root => {
    return { before: "", after, kind, node, slot: 0, meta: null };
  };
  const roots = [root("edge", 0, "[0]"), root("node", 2, "[1]"), root("leaf", 4, "[2]"), root("tensor", 4, "[3]")];
  const several = { ...DIAMOND, roots };
  assert.equal(expression(several, 1, "outputs"), "outputs[0].node.next_functions[0][0]");
  assert.equal(expression(several, 2, "outputs"), "outputs[1]");
  assert.equal(expression(several, 4, "outputs"), "torch.autograd.graph.get_gradient_edge(outputs[2]).node");
});

test("what no root reaches has no expression, in a circle neither", () => {
  // 0 is traced; 1 stands alone, 2 and 3 lead to each other and to 4.
  const graph = graphOf(Array(5).fill("Add"), [
    [2, 3],
    [3, 2],
    [3, 4],
  ]);
  for (const node of [1, 2, 3, 4]) assert.equal(expression(graph, node), "");
});

test("beyond 500 hops an expression is a loop", () => {
  const edges = Array.from({ length: 501 }, (_, node): [number, number] => [node, node + 1]);
  const chain = graphOf(Array(502).fill("Add"), edges);
  assert.equal(expression(chain, 500), `loss.grad_fn${".next_functions[0][0]".repeat(500)}`);
  assert.equal(
    expression(chain, 501),
    "node = loss.grad_fn\nfor slot in [*[0] * 501]:\n    node = node.next_functions[slot][0]",
  );
  const bent = { ...chain, sourceSlot: chain.sourceSlot.map((_, edge) => (edge === 3 ? 2 : 0)) };
  assert.match(expression(bent, 501), /in \[\*\[0\] \* 3, 2, \*\[0\] \* 497\]:/);
});

test("the leaf of a node, and ids", () => {
  const graph = graphOf(["Mm", "AccumulateGrad"], [[0, 1]], { leaves: [leaf("w", 1), leaf("frozen", null)] });
  assert.equal(leafOf(graph, 1)!.name, "w");
  assert.equal(leafOf(graph, 0), null);
  assert.equal(idOf(12), "n12");
  assert.equal(numberOf("n12"), 12);
  for (const other of ["12", "n", "n-1", "n1x", "encoder.0"]) assert.equal(numberOf(other), null, other);
});

test("bytes are those of storages that are known, each once", () => {
  assert.equal(bytesHeld([saved(10, 1), saved(10, 1), saved(5, 2), saved(7, null)]), 15);
});
