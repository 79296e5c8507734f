import assert from "node:assert/strict";
import test from "node:test";
import type { Model } from "../../src/model.ts";
import { compose } from "../../src/scene/compose.ts";
import type { Scene } from "../../src/scene/types.ts";
import type { FoldState } from "../../src/state.ts";
import { ghost, graphOf, leaf, modelOf, module, repeat } from "../models.ts";

/** Boxes by key with their nodes, arrows as "source > target", groups with their parent. */
function told(model: Model, folds: FoldState = {}): { boxes: unknown[]; arrows: string[]; groups: string[] } {
  const { boxes, arrows, groups }: Scene = compose(model, folds);
  return {
    boxes: boxes.map(({ key, nodes, group }) => [key, [...nodes], group < 0 ? "" : groups[group]!.key]),
    arrows: arrows.map(({ source, target, label, edges, again }) => {
      const edge = `${boxes[source]!.key} > ${boxes[target]!.key}`;
      return `${edge}${label && ` "${label}"`} ${edges}${again ? " again" : ""}`;
    }),
    groups: groups.map(({ key, parent, times }) => `${key} in ${parent < 0 ? "top" : groups[parent]!.key} ×${times}`),
  };
}

// The loss (0), two layers (1 and 3) with a weight each (2 and 4), the second of them (3) in a module.
const LAYERS = modelOf(
  graphOf(
    ["MeanBackward0", "MmBackward0", "AccumulateGrad", "MmBackward0", "AccumulateGrad"],
    [
      [0, 1, "self"],
      [1, 3, "self"],
      [1, 2, "mat2"],
      [3, 4, "mat2"],
    ],
    { leaves: [leaf("a", 2), leaf("b", 4)] },
  ),
  [0, 1, module("g1", [2])],
);

test("a closed module holds its operations and their leaves; an open one is a frame around them", () => {
  const outside = [
    ["n0", [0], ""],
    ["n1", [1], ""],
    ["n1:n2", [2], ""],
  ];
  assert.deepEqual(told(LAYERS), {
    boxes: [...outside, ["g1", [3, 4], ""]],
    arrows: ["n0 > n1 1", 'n1 > g1 "self" 1', 'n1 > n1:n2 "mat2" 1'],
    groups: [],
  });
  assert.deepEqual(told(LAYERS, { g1: "open" }), {
    boxes: [...outside, ["n3", [3], "g1"], ["n3:n4", [4], "g1"]],
    arrows: ["n0 > n1 1", 'n1 > n3 "self" 1', 'n1 > n1:n2 "mat2" 1', "n3 > n3:n4 1"],
    groups: ["g1 in top ×1"],
  });
});

// A loss, and a step of two operations with a weight, three times.
const LOOP = modelOf(
  graphOf(
    ["Sum", ...Array(3).fill(["Tanh", "Mm", "AccumulateGrad"]).flat()],
    [
      [0, 1],
      [1, 2, "self"],
      [2, 4, "self"],
      [2, 3, "mat2"],
      [4, 5, "self"],
      [5, 7, "self"],
      [5, 6, "mat2"],
      [7, 8, "self"],
      [8, 9, "mat2"],
    ],
  ),
  [0, repeat("g1", 3, [1, 2], [module("g1~1", [1, 2]), module("g1~2", [3, 4]), module("g1~3", [5, 6])])],
);

test("the boxes of a repeat's drawn round stand for all rounds, and arrows into the next round are marked", () => {
  assert.deepEqual(told(LOOP).boxes.at(-1), ["g1", [1, 2, 4, 5, 7, 8, 3, 6, 9], ""]);
  assert.deepEqual(told(LOOP, { g1: "open" }), {
    boxes: [
      ["n0", [0], ""],
      ["n1", [1, 4, 7], "g1"],
      ["n2", [2, 5, 8], "g1"],
      ["n2:n3", [3, 6, 9], "g1"],
    ],
    arrows: ["n0 > n1 1", "n1 > n2 3", 'n2 > n1 "self" 2 again', 'n2 > n2:n3 "mat2" 3'],
    groups: ["g1 in top ×3"],
  });
});

test("an unrolled repeat shows its rounds, each by itself", () => {
  assert.deepEqual(told(LOOP, { g1: "unrolled", "g1~2": "open" }), {
    boxes: [
      ["n0", [0], ""],
      ["g1~1", [1, 2, 3], "g1"],
      ["n4", [4], "g1~2"],
      ["n5", [5], "g1~2"],
      ["n5:n6", [6], "g1~2"],
      ["g1~3", [7, 8, 9], "g1"],
    ],
    arrows: ["n0 > g1~1 1", "g1~1 > n4 1", "n4 > n5 1", 'n5 > g1~3 "self" 1', 'n5 > n5:n6 "mat2" 1'],
    groups: ["g1 in top ×1", "g1~2 in g1 ×1"],
  });
});

test("an inner repeat is told apart from the one around it", () => {
  // two outer rounds of two inner ones: a chain of four operations
  const chain = graphOf(
    ["A", "A", "A", "A"],
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  );
  const model = modelOf(chain, [repeat("outer", 2, [repeat("inner", 2, [0], [])], [])]);
  assert.deepEqual(told(model, { outer: "open", inner: "open" }), {
    boxes: [["n0", [0, 1, 2, 3], "inner"]],
    arrows: ["n0 > n0 3 again"], // one for each round: 3 / 4, so without a number
    groups: ["outer in top ×2", "inner in outer ×2"],
  });
});

test("parallel edges are one arrow that counts them", () => {
  const graph = graphOf(
    ["Stack", "Mul"],
    [
      [0, 1, "tensors[0]"],
      [0, 1, "tensors[1]"],
      [0, 1, "tensors[2]"],
      [0, 1, "tensors[3]"],
      [0, 1, "tensors[4]"],
      [0, 1, "tensors[5]"],
    ],
  );
  assert.deepEqual(told(modelOf(graph, [0, 1])).arrows, ['n0 > n1 "tensors ×6" 6']);
  const { arrows } = compose(modelOf(graph, [0, 1]), {});
  assert.deepEqual(arrows[0]!.sample, [0, 1, 2, 3]);
});

test("traced outputs come first, as they were given, where nothing leads to them", () => {
  const roots = [2, 1, 3].map((node) => {
    return { before: "", after: "", kind: "tensor", node, slot: 0, meta: null } as const;
  });
  const graph = graphOf(["A", "B", "C", "D"], [[0, 3]], { roots });
  assert.deepEqual(
    compose(modelOf(graph, [0, 1, 2, 3]), {}).boxes.map((box) => box.key),
    ["n2", "n1", "n0", "n3"],
  );
});

test("dead ends have boxes where nothing is folded; ghosts come last, in their frame", () => {
  const deadEnds = [{ source: 0, slot: 1, name: "other", tensor: null, why: null }];
  const graph = graphOf(["Mul", "Mul"], [[0, 1, "self"]], { deadEnds, leaves: [leaf("unused", null)] });
  const top = [0, module("g1", [1, ghost(0)], true)];
  assert.deepEqual(told(modelOf(graph, top, true)), {
    boxes: [
      ["n0", [0], ""],
      ["n0:1", [], ""],
      ["n1", [1], "g1"],
      ["ghost0", [], "g1"],
    ],
    arrows: ['n0 > n1 "self" 1', "n0 > n0:1 0"],
    groups: ["g1 in top ×1"],
  });
  assert.deepEqual(told(modelOf(graph, top)).boxes.length, 3);
  assert.deepEqual(told(modelOf(graph, top), { g1: "closed" }).boxes.length, 2);
});
