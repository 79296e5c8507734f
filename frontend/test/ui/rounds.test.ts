// A box in the drawn round of a repeat is many: the panel says how many, and leads to all of them.

import assert from "node:assert/strict";
import test from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { boxWithKey } from "../../src/scene/index.ts";
import { describe } from "../../src/ui/describe.ts";
import { nodesOfBox, repeatAround, subjectOf } from "../../src/ui/selection.ts";
import type { Entry } from "../../src/ui/sheet.ts";
import { graphOf, modelOf, module, repeat } from "../models.ts";

// 0, then three rounds of 1 and a module with 2: nodes 1 2, 3 4, 5 6.
const PAIRS = [1, 2, 3, 4, 5, 6].map((node): [number, number] => [node - 1, node]);
const GRAPH = graphOf(Array(7).fill("Tanh"), PAIRS);
const round = (number: number) => {
  return module(`round${number}`, [2 * number - 1, module(`m${number}`, [2 * number])], true);
};
const MODEL = modelOf(GRAPH, [0, repeat("r", 3, [1, module("m", [2])], [1, 2, 3].map(round))]);
const { tree } = MODEL;
const item = (key: string): number => tree.key.indexOf(key);
const picked = (...selected: string[]) => ({ selected, focus: null });
const text = (entries: readonly Entry[]): string[] => entries.flatMap((one) => (one.is === "text" ? [one.text] : []));

test("the repeat around an item is the one that draws one round for all", () => {
  const drawn = [...tree.key.keys()].filter((one) => repeatAround(tree, one) >= 0).map((one) => tree.key[one]);
  assert.deepEqual(drawn, ["n1", "m", "n2"]);
  assert.equal(repeatAround(tree, item("m")), item("r"));
});

test("a node in the drawn round stands for all rounds, which can be shown", () => {
  const scene = compose(MODEL, { r: "open" });
  const subject = subjectOf(MODEL, scene, picked("n1"));
  assert.deepEqual(subject, { kind: "node", node: 1, alike: [3, 5], repeat: item("r") });
  const sheet = describe(MODEL, subject);
  assert.equal(text(sheet.sections[0]!.entries)[0], "Stands for 3 rounds: one box is drawn for all of them.");
  assert.ok(sheet.actions.includes("rounds"));
});

test("a closed part of the drawn round says so too, an open one and those of single rounds do not", () => {
  const scene = compose(MODEL, { r: "open" });
  const ids = nodesOfBox(MODEL, scene.boxes[boxWithKey(scene, "m")]!).map((node) => `n${node}`);
  const sheet = describe(MODEL, subjectOf(MODEL, scene, picked(...ids)));
  assert.equal(sheet.title, "m");
  assert.deepEqual(text(sheet.sections[0]!.entries), ["Stands for 3 rounds: one box is drawn for all of them."]);
  assert.ok(sheet.actions.includes("rounds"));
  assert.ok(!describe(MODEL, { kind: "part", item: item("m"), open: true }).actions.includes("rounds"));

  const all = compose(MODEL, { r: "unrolled" });
  const subject = subjectOf(MODEL, all, picked("n3"));
  assert.deepEqual(subject, { kind: "node", node: 3, alike: [], repeat: -1 });
  assert.ok(!describe(MODEL, subject).actions.includes("rounds"));
});

test("an operation of several rounds is one of many nodes, and no part", () => {
  const scene = compose(MODEL, { r: "open" });
  const ids = ["n1", "n3", "n5"];
  assert.deepEqual(subjectOf(MODEL, scene, { focus: null, selected: ids }), { kind: "nodes", nodes: [1, 3, 5] });
});
