import assert from "node:assert/strict";
import test from "node:test";
import { ofAlike } from "../../src/search/alike.ts";
import { PROPERTIES, search } from "../../src/search.ts";
import { graphOf, leaf, meta, modelOf, saved } from "../models.ts";

const hook = { kind: "tensor", owner: "w", name: "clip", where: null };
const watch = { kind: "node", owner: "encoder.10", name: "Watch", where: "monitor.py:3" };
// 0 loss, 1 and 2 in modules, 3 a leaf that both use, 4 a frozen leaf, 5 a custom function; two leaves are not reached
const MODEL = modelOf(
  graphOf(
    ["MeanBackward0", "MulBackward0", "MmBackward0", "AccumulateGrad", "AccumulateGrad", "Quantize"],
    [
      [0, 1, "self"],
      [1, 2, "self"],
      [1, 3, "other"],
      [2, 3, "mat1"],
      [2, 4, "mat2"],
      [0, 5],
    ],
    {
      kind: ["op", "op", "op", "leaf", "leaf", "custom"],
      module: [null, "encoder.0", "encoder.10", null, null, "head"],
      where: ["train.py:7", null, null, null, null, null],
      slots: [
        [meta("()")],
        [meta("(3, 4)", "float16", "cuda:0")],
        [meta("(3, 5)"), meta("(7,)")],
        [meta("(4,)")],
        [meta("(5,)")],
        [meta("()")],
      ],
      saved: [[], [saved(2_000_000, 1), saved(2_000_000, 1)], [saved(900, 2)], [], [], []],
      order: Int32Array.of(0, 2, 3, 4, 5, 1),
      deadEnds: [
        { source: 1, slot: 2, name: null, tensor: null, why: "not given" },
        { source: 2, slot: 2, name: null, tensor: "mask", why: "it does not require grad" },
      ],
      leaves: [
        leaf("encoder.0.Weight", 3, { aliases: ["tied"], meta: meta("(4,)"), hooks: [hook] }),
        leaf("bias", 4, { requiresGrad: false, parameter: false }),
        leaf("head.lost", null, { meta: meta("(9,)", "float64", "cuda:1") }),
        leaf("head.frozen", null, { requiresGrad: false, hooks: [{ ...watch, where: null }] }),
      ],
      hooks: [[], [], [watch], [], [], []],
      moduleHooks: [
        { kind: "module_backward", owner: "encoder", name: "log", where: null },
        { kind: "module_backward", owner: "", name: "log", where: null },
      ],
    },
  ),
  [0, 1, 2, 3],
);

function found(query: string): { nodes: readonly number[]; ghosts: readonly number[] } {
  const { nodes, ghosts, error } = search(MODEL, query);
  assert.equal(error, null, query);
  return { nodes, ghosts };
}

const CASES: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ["", [], []],
  ["   ", [], []],
  ["mul", [1], []],
  ["MUL", [1], []],
  ["accu", [3, 4], []], // but "mul" finds no AccumulateGrad
  ["n3", [3], []],
  ["n", [0, 1, 2, 3, 5], [3]], // by names: that every id begins with it finds nothing
  ["encoder", [1, 2, 3], []],
  ["tied", [3], []],
  ["train.py", [0], []],
  ["float16", [1], []],
  ["(9,)", [], [2]],
  ["head", [5], [2, 3]],
  ["encoder mm", [2], []],
  ["backward0 -mm", [0, 1], []],
  ["leaf", [3, 4], [2, 3]],
  ['"leaf"', [], []],
  ["parameter", [3], [2, 3]],
  ["frozen", [4], [3]],
  ['"frozen"', [], [3]],
  ["unreached", [], [2]],
  ["shared", [3], []],
  ["root", [0], []],
  ["hook", [2, 3], [3]], // not 1, which only lies in a module with a hook
  ["hook:clip", [3], []],
  ["hook:monitor.py", [2], []],
  ["hook:encoder.10", [2], [3]],
  ["hook:log", [], []], // a hook of a module: the module's badge tells of it
  ["clip", [3], []],
  ["watch", [2], [3]],
  ["monitor.py", [], []], // plain words do not look into the files of hooks
  ["untrained", [4], [2, 3]],
  ["untrained parameter", [], [2, 3]],
  ["dead-end", [2], []],
  ["custom", [5], []],
  ["view", [], []],
  ["-leaf", [0, 1, 2, 5], []],
  ["op:mul", [1], []],
  ["name:weight", [3], []],
  ["name:head", [], [2, 3]],
  ["module:encoder.1", [2], []],
  ["module:encoder.0", [1, 3], []],
  ["module:head", [5], [2, 3]],
  ["(3,", [1, 2, 4], [3]], // a comma is text where it joins no properties
  ["shape:(3,", [1, 2, 4], [3]],
  ['shape:"(3, 4)"', [1], []],
  ["dtype:float64", [], [2]],
  ["device:cuda", [1], [2]],
  ["where:train", [0], []],
  ["saved>1MB", [1], []],
  ["saved>2MB", [], []], // a storage counts once
  ["saved>0.9kB", [1], []],
  ["saved>899", [1, 2], []],
  ["saved<1kb -saved<1", [2], []],
  ["order>4", [3, 4], []],
  ["order<3", [0, 5], []],
  ["cuda:0", [], []], // plain words look at no device
];

for (const [query, nodes, ghosts] of CASES) {
  test(`"${query}" finds nodes ${nodes.join(" ")} and ghosts ${ghosts.join(" ")}`, () => {
    assert.deepEqual(found(query), { nodes, ghosts });
  });
}

test("what cannot be understood is said, and finds nothing", () => {
  const sentences = {
    "saved>abc": '"abc" in "saved>abc" is not a number of bytes, such as 1MB.',
    "mul saved>": '"" in "saved>" is not a number of bytes, such as 1MB.',
    "order>1kb": '"1kb" in "order>1kb" is not a number, such as 100.',
    "mm frozen,unreached":
      'Words are joined by "and": write spaces instead of commas in "frozen,unreached" to find what matches all of them.',
    "leaf,": 'Words are joined by "and": write spaces instead of commas in "leaf," to find what matches all of them.',
    "device:": 'Write what to look for behind "device:".',
  };
  for (const [query, error] of Object.entries(sentences)) {
    assert.deepEqual(search(MODEL, query), { nodes: [], ghosts: [], error });
  }
});

test("every example of the help is understood", () => {
  for (const [example, meaning] of PROPERTIES) {
    assert.equal(search(MODEL, example).error, null, example);
    assert.ok(meaning.length > 0);
  }
});

test("one query is answered once, whoever asks", () => {
  assert.equal(search(MODEL, "mul"), search(MODEL, "mul"));
});

test("a value that many nodes have is read once", () => {
  const column = ["a", "b", "a", "a", "b"];
  const asked: string[] = [];
  const holds = ofAlike(column, (value) => {
    asked.push(value);
    return value === "b";
  });
  assert.deepEqual([0, 1, 2, 3, 4].map(holds), [false, true, false, false, true]);
  assert.deepEqual(asked, ["a", "b"]);
});
