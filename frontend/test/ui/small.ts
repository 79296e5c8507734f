// A graph small enough to know by heart: n0 mean (the root) -> n1 addmm -> its leaves n2 (bias) and n3 (weight).
// n0 and n1 keep the same memory; addmm's input has no gradient; a parameter is frozen, one is not reached.

import type { Graph, Leaf, Looks, Meta, Model, Tree } from "../../src/model.ts";

export const meta = (shape: string): Meta => ({ shape, dtype: "float32", device: "cpu", layout: null });

const leaf = (name: string, shape: string, node: number | null, requiresGrad = true): Leaf => ({
  ...{ name, aliases: [], parameter: true, meta: meta(shape), isLeaf: true, requiresGrad, retainsGrad: false },
  ...{ grad: null, version: 0, node, hooks: [] },
});

const saved = (name: string, storage: number | null, bytes: number | null) => ({
  ...{ name, meta: storage === null ? null : meta("(2, 3)"), bytes, storage },
  ...{ state: storage === null ? "absent" : "held", hook: null },
});

const graph: Graph = {
  title: "",
  notes: ["A note."],
  size: 4,
  op: ["MeanBackward0", "AddmmBackward0", "AccumulateGrad", "AccumulateGrad"],
  kind: ["op", "op", "leaf", "leaf"],
  module: [null, "net.0", "net.0", "net.0"],
  inferred: [false, true, true, true],
  where: [null, "train.py:7", null, null],
  function: [null, "step", null, null],
  args: [[], [{ name: "mat1", formula: "grad.mm(mat2.t())" }], [], []],
  slots: [[meta("()")], [meta("(2, 3)")], [meta("(3,)")], [meta("(4, 3)")]],
  saved: [[saved("self", 0, 24)], [saved("mat1", 0, 24), saved("mat2", null, null)], [], []],
  hooks: [[], [], [], [{ kind: "post_accumulate", owner: "net.0.weight", name: "clip", where: "train.py:3" }]],
  order: Int32Array.of(0, 1, 3, 2),
  source: Int32Array.of(0, 1, 1),
  sourceSlot: Int32Array.of(0, 0, 2),
  target: Int32Array.of(1, 2, 3),
  targetSlot: Int32Array.of(0, 0, 0),
  edgeName: ["self", "self", "mat2"],
  deadEnds: [{ source: 1, slot: 1, name: "mat1", tensor: "x", why: "it does not require grad" }],
  leaves: [
    leaf("net.0.bias", "(3,)", 2),
    leaf("net.0.weight", "(4, 3)", 3),
    leaf("net.1.weight", "(5, 5)", null, false),
    leaf("net.2.weight", "(6, 6)", null),
  ],
  roots: [{ before: "", after: "", kind: "tensor", node: 0, slot: 0, meta: meta("()") }],
  modules: new Map([["net.0", "Linear"]]),
  moduleHooks: [],
};

/** The whole graph; in it the mean, and the closed module with addmm, which has boxes for its bias and its weight. */
const tree: Tree = {
  size: 6,
  parent: Int32Array.of(-1, 0, 0, 2, 3, 3),
  kind: ["module", "operation", "module", "operation", "leaf", "leaf"],
  key: ["g0", "n0", "g1", "n1", "n1:n2", "n1:n3"],
  start: Int32Array.of(0, 0, 1, 1, 0, 0),
  stop: Int32Array.of(2, 1, 2, 2, 0, 0),
  times: Int32Array.of(1, 1, 1, 1, 1, 1),
  round: Int32Array.of(0, 0, 0, 0, 0, 0),
  open: [true, false, false, false, false, false],
  role: ["module", "root", "module", "op", "parameter", "parameter"],
  label: ["whole graph", "MeanBackward0", "0: Linear", "AddmmBackward0", "bias", "weight"],
  lines: [[], ["()"], [], ["(2, 3)"], ["(3,)"], ["(4, 3)"]],
  badges: [[], [], [], [], [], []],
  frame: ["whole graph", "", "0: Linear", "", "", ""],
  members: [[], [], [], [], [2], [3]],
};

const paint = { fill: "#ffffff", line: "#000000", text: "#000000" };
const theme = { paper: "#fff", text: "#000", faint: "#555", arrow: "#555", accent: "#00f", frameLine: "#ccc" };
const full = { ...theme, hook: paint, badge: paint, frames: ["#eee", "#ddd"] as const };
const look = { name: "role", shape: "round", line: "solid", light: paint, dark: paint } as const;

export const small: Model = {
  graph,
  tree,
  tape: Int32Array.of(0, 1),
  looks: {
    roles: Object.fromEntries(tree.role.map((role) => [role, look])) as Looks["roles"],
    light: full,
    dark: full,
    badges: [],
    signals: null,
  },
  inFull: false,
  backward: null,
};
