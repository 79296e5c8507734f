// Modules and the parts that they are, and where a link to a module leads.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoldState } from "../../src/state.ts";
import { moduleItem, pathOf } from "../../src/ui/parts.ts";
import { graphOf, modelOf, module, repeat } from "../models.ts";
import { Desk } from "./desk.ts";
import { small } from "./small.ts";

// Two rounds of the module h.1 (drawn) and h.0, each with an operation of its own and one of its part a.
const PATHS = [null, "h.1", "h.1.a", "h.0", "h.0.a"];
const EDGES = [0, 1, 2, 3].map((node): [number, number] => [node, node + 1]);
const GRAPH = graphOf(Array(5).fill("Tanh"), EDGES, { module: PATHS });
const KEYS = { drawn: "1", drawnA: "a", first: "h.1", second: "h.0" };
const MODEL = modelOf(GRAPH, [
  0,
  repeat(
    "r",
    2,
    [module(KEYS.drawn, [1, module(KEYS.drawnA, [2])])],
    [module(KEYS.first, [1, module("h.1.a", [2])]), module(KEYS.second, [3, module("h.0.a", [4])])],
  ),
]);
const keyOf = (folds: FoldState, node: number): string | undefined => {
  const item = moduleItem(MODEL, folds, node);
  return item === null ? undefined : MODEL.tree.key[item];
};

test("a part is a module where all in it was made there and its label says so", () => {
  const paths = MODEL.tree.key.map((_, item) => pathOf(MODEL, item));
  assert.deepEqual(
    paths.filter((path) => path !== ""),
    ["h.1", "h.1.a", "h.1", "h.1.a", "h.0", "h.0.a"],
  );
  assert.equal(pathOf(small, 2), "net.0");
});

test("the module of a node is its part in the round that is drawn, if it runs there or nothing else is shown", () => {
  assert.deepEqual([keyOf({}, 1), keyOf({}, 2), keyOf({}, 0)], ["1", "a", undefined]);
  assert.deepEqual([keyOf({ r: "unrolled" }, 1), keyOf({ r: "unrolled" }, 2)], ["h.1", "h.1.a"]);
  assert.deepEqual([keyOf({}, 3), keyOf({}, 4)], ["h.0", "h.0.a"]);
});

test("the module of a leaf is that of the operation that uses it", () => {
  assert.equal(moduleItem(small, {}, 3), 2);
});

test("following a module shows its part and says what it is", async () => {
  const desk = await Desk.drawn(MODEL);
  desk.actions.go({ kind: "module", node: 2 });
  await desk.screen.finish();
  assert.deepEqual(desk.state.folds, { r: "open", 1: "open" });
  assert.equal(desk.state.focus, "a");
  assert.deepEqual(desk.stage.centered, ["a"]);
  assert.equal(desk.controller.subject.kind, "part");
});
