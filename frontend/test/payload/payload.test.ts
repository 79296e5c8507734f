import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";
import { decode, decodeText, parse } from "../../src/payload.ts";
import { golden } from "../golden.ts";

// Two operations and a leaf, and a parameter that the graph does not reach, written by hand: columns are differences.
const PAYLOAD = {
  schema: "gradviz.view",
  version: 1,
  title: "3 nodes",
  notes: ["a note"],
  full: true,
  looks: { roles: {} },
  //        0    1       2     3      4       5      6         7      8       9    10    11       12        13     14     15
  strings: [
    "",
    "(3,)",
    "f32",
    "cpu",
    "Mul",
    "leaf",
    "op",
    "weight",
    "unused",
    "g0",
    "hook",
    "a.py:1",
    "module",
    "ghost",
    "operation",
    "dead_end",
  ],
  lists: [[], [0], [0, 0], [1], [2], [7]],
  metas: { shape: [1], dtype: [2], device: [3], layout: [-1] },
  hooks: { kind: [10], owner: [7], name: [10], where: [11] },
  arguments: { name: [7], formula: [6] },
  saved: { name: [7, 0], meta: [0, -1], bytes: [3_000_000_000, -3_000_000_001], state: [6, 0], hook: [-1, 11] },
  nodes: {
    op: [4, 0, 1],
    kind: [6, 0, -1],
    module: [-1, 8, -8],
    inferred: [0, 1, -1],
    where: [11, -12, 0],
    function: [7, -8, 0],
    arguments: [1, -1, 0],
    slots: [1, 1, -1],
    saved: [1, 0, -1],
    hooks: [0, 0, 1],
    order: [0, 1, 1],
  },
  storages: [5, -6],
  edges: { source: [0, 1], source_slot: [0, 0], target: [1, 1], target_slot: [0, 0], name: [-1, 8] },
  dead_ends: { source: [1], source_slot: [1], name: [-1], tensor: [7], why: [6] },
  leaves: {
    name: [7, 1],
    aliases: [5, -5],
    parameter: [1, 0],
    meta: [0, 0],
    is_leaf: [1, 0],
    requires_grad: [1, -1],
    retains_grad: [0, 0],
    grad: [0, -1],
    version: [4, -5],
    node: [2, -3],
    hooks: [1, -1],
  },
  roots: { before: [0], after: [1], kind: [6], node: [0], slot: [0], meta: [-1] },
  modules: { path: [0, 7], class: [12, 0] },
  module_hooks: [0],
  tape: [0, 1],
  items: {
    parent: [-1, 1, 0, 2, 0, -2],
    kind: [12, 2, 0, -9, 10, -2],
    key: [9, -10, 0, 0, 0, 0],
    start: [0, 0, 1, -1, 0, 0],
    stop: [2, -1, 1, -2, 0, 0],
    times: [1, 0, 0, 0, 0, 0],
    round: [0, 0, 0, 0, 0, 0],
    open: [1, -1, 0, 0, 0, 0],
    role: [6, 0, 0, 0, 0, 0],
    label: [9, 0, 0, 0, 0, 0],
    lines: [0, 5, -5, 0, 0, 0],
    badges: [0, 0, 0, 0, 0, 0],
    frame: [9, -9, 0, 0, 0, 0],
    members: [0, 0, 0, 1, 0, 0],
  },
  members: [2, -2, 1],
};

test("nodes, edges and all that they point to", () => {
  const { graph, tape, inFull } = parse(JSON.stringify(PAYLOAD));
  const meta = { shape: "(3,)", dtype: "f32", device: "cpu", layout: null };
  const hook = { kind: "hook", owner: "weight", name: "hook", where: "a.py:1" };
  assert.equal(graph.size, 3);
  assert.deepEqual(graph.op, ["Mul", "Mul", "leaf"]);
  assert.deepEqual(graph.module, [null, "weight", null]);
  assert.deepEqual(graph.inferred, [false, true, false]);
  assert.deepEqual(graph.where, ["a.py:1", null, null]);
  assert.deepEqual(graph.args, [[{ name: "weight", formula: "op" }], [], []]);
  assert.deepEqual(graph.slots, [[meta], [meta, meta], [meta]]);
  assert.deepEqual(graph.hooks, [[], [], [hook]]);
  assert.deepEqual([...graph.order], [0, 1, 2]);
  assert.deepEqual(
    [[...graph.source], [...graph.target]],
    [
      [0, 1],
      [1, 2],
    ],
  );
  assert.deepEqual(graph.edgeName, [null, "weight"]);
  assert.deepEqual(graph.deadEnds, [{ source: 1, slot: 1, name: null, tensor: "weight", why: "op" }]);
  assert.deepEqual(graph.roots, [{ before: "", after: "(3,)", kind: "op", node: 0, slot: 0, meta: null }]);
  assert.deepEqual(
    [...graph.modules],
    [
      ["", "module"],
      ["weight", "module"],
    ],
  );
  assert.deepEqual(graph.moduleHooks, [hook]);
  assert.deepEqual([...tape], [0, 1]);
  assert.equal(inFull, true);
});

test("saved tensors: records are shared, storages are not; bytes may be more than 32 bits hold", () => {
  const { saved } = parse(JSON.stringify(PAYLOAD)).graph;
  assert.deepEqual(
    saved[0]!.map(({ bytes, storage }) => [bytes, storage]),
    [[3_000_000_000, 5]],
  );
  assert.deepEqual(
    saved[1]!.map(({ bytes, storage }) => [bytes, storage]),
    [[3_000_000_000, null]],
  );
  assert.deepEqual(saved[2], []);
});

test("leaves, reached and not", () => {
  const { leaves } = parse(JSON.stringify(PAYLOAD)).graph;
  assert.deepEqual(
    leaves.map(({ name, aliases, node, requiresGrad, version }) => [name, aliases, node, requiresGrad, version]),
    [
      ["weight", ["weight"], 2, true, 4],
      ["unused", [], null, false, null],
    ],
  );
  assert.deepEqual([leaves[0]!.grad?.shape, leaves[1]!.grad], ["(3,)", null]);
});

test("keys that were not sent follow from nodes, and from what a box stands beside", () => {
  const { tree } = parse(JSON.stringify(PAYLOAD));
  assert.deepEqual(tree.kind, ["module", "operation", "operation", "leaf", "dead_end", "ghost"]);
  assert.deepEqual(tree.key, ["g0", "n0", "n1", "n1:n2", "n1:1", "g0:0"]);
  assert.deepEqual([...tree.parent], [-1, 0, 0, 2, 2, 0]);
  assert.deepEqual(tree.members, [[], [], [], [2], [0], [1]]);
  assert.deepEqual(tree.open, [true, false, false, false, false, false]);
});

test("a payload unpacks; what cannot be read says so", async () => {
  const packed = (value: unknown): Uint8Array => deflateSync(JSON.stringify(value));
  assert.equal((await decode(packed(PAYLOAD))).graph.title, "3 nodes");
  await assert.rejects(decode(packed({ ...PAYLOAD, version: 2 })), /version 2.*reads version 1/);
  await assert.rejects(decode(packed({ schema: "other" })), /not a graph for this viewer/);
  await assert.rejects(decode(packed(null)), /not a graph for this viewer/);
  await assert.rejects(decode(deflateSync("{")), /damaged/);
  await assert.rejects(decode(Uint8Array.of(1, 2, 3)), /damaged/);
});

test("a payload without one of its parts is said to be damaged", async () => {
  for (const part of Object.keys(PAYLOAD)) {
    if (["schema", "version", "title", "notes", "full", "looks"].includes(part)) continue;
    const text = JSON.stringify({ ...PAYLOAD, [part]: undefined });
    const sentence = "The data of this graph is damaged: parts of it are missing. Make the view again.";
    assert.throws(() => parse(text), { message: sentence }, part);
  }
});

test("a page's payload is base64; what is not is damaged too", async () => {
  const packed = deflateSync(JSON.stringify(PAYLOAD)).toString("base64");
  assert.equal((await decodeText(`\n${packed}\n`)).graph.title, "3 nodes");
  const message = "The data of this graph is damaged: it cannot be unpacked. Make the view again.";
  for (const text of ["*", `${packed}!`, ""]) await assert.rejects(decodeText(text), { message });
});

for (const { file, model } of golden()) {
  test(`${file} keeps to the rules of a model`, () => {
    const { graph, tree, tape } = model;
    for (const [node, rank] of graph.order.entries()) assert.ok(rank < graph.size, `n${node} runs within the backward`);
    for (let edge = 1; edge < graph.source.length; edge++) assert.ok(graph.source[edge - 1]! <= graph.source[edge]!);
    for (let item = 1; item < tree.size; item++) assert.ok(tree.parent[item]! >= 0 && tree.parent[item]! < item);
    for (const column of Object.values(tree)) if (typeof column !== "number") assert.equal(column.length, tree.size);
    assert.equal(tree.stop[0], tape.length);
  });
}
