// What clicks and keys do to the state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { selectionSentence } from "../../src/ui/sentences.ts";
import { graphOf, modelOf, module } from "../models.ts";
import { Desk } from "./desk.ts";
import { small } from "./small.ts";

const OPEN = { folds: { g1: "open" } } as const;

test("a closed box and its frame select the nodes inside, and only the box has a ring", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("g1"));
  assert.deepEqual([desk.state.selected, desk.state.focus], [["n1", "n2", "n3"], "g1"]);
  assert.deepEqual(desk.ringed(), ["g1"]);
  desk.actions.toggleCursor();
  await desk.screen.finish();
  assert.deepEqual(desk.controller.subject, { kind: "part", item: 2, open: true });
  assert.deepEqual([desk.state.selected, desk.ringed()], [["n1", "n2", "n3"], []]);
  assert.equal(desk.controller.isSelected(desk.box("n1")), false); // a right click on it means it, not the frame
  desk.actions.toggleCursor();
  await desk.screen.finish();
  assert.deepEqual(desk.controller.subject, { kind: "part", item: 2, open: false });
  assert.deepEqual(desk.said, ["Unfolded 0: Linear: 4 boxes shown.", "Folded 0: Linear: 2 boxes shown."]);
});

test("with Shift more is selected, and the keys are at what was picked last", async () => {
  const desk = await Desk.drawn(small, OPEN);
  desk.actions.selectBox(desk.box("n0"));
  desk.actions.selectBox(desk.box("n1"), true);
  assert.deepEqual([desk.state.selected, desk.controller.cursor], [["n0", "n1"], desk.box("n1")]);
  assert.deepEqual(desk.controller.subject, { kind: "nodes", nodes: [0, 1] });
  assert.deepEqual(desk.ringed(), ["n0", "n1"]);
  desk.actions.selectBox(desk.box("n1"), true);
  assert.deepEqual(desk.state.selected, ["n0"]);
  desk.actions.selectBox(desk.box("n0"), true);
  assert.deepEqual(desk.controller.subject, { kind: "graph" });
});

test("one pick or link selects ten thousand nodes at most, and says so", async () => {
  const numbers = [...Array(10_002).keys()];
  const model = modelOf(graphOf(Array(10_002).fill("Tanh"), []), [module("m", numbers)]);
  const desk = await Desk.drawn(model);
  desk.actions.selectBox(desk.box("m"));
  assert.equal(desk.state.selected.length, 10_000);
  const { subject } = desk.controller;
  assert.deepEqual(subject, { kind: "part", item: 1, open: false });
  const most = "Only the first 10,000 of 10,002 nodes are selected.";
  assert.equal(selectionSentence(model, subject), `m, closed module. ${most}`);
  desk.actions.highlight("upstream");
  assert.equal(desk.state.highlight!.ids.length, 10_002);
  desk.actions.selectNodes(numbers);
  assert.deepEqual([desk.state.selected.length, desk.said], [10_000, [most]]);
});

test("the keys walk along the arrows from the loss, and say where they lead nowhere", async () => {
  const desk = await Desk.drawn(small, OPEN);
  desk.actions.move("down", false);
  assert.equal(desk.state.focus, "n0");
  desk.actions.move("down", false);
  assert.deepEqual(desk.state.selected, ["n1"]);
  desk.actions.move("up", false);
  desk.actions.move("up", false);
  assert.deepEqual(desk.said, ["Nothing upstream."]);
  assert.deepEqual(desk.stage.centered, ["n0", "n1", "n0"]);
});

test("what the space bar keeps stays selected, in one step of the history for each key", async () => {
  const desk = await Desk.drawn(small, OPEN);
  desk.actions.selectBox(desk.box("n0"));
  desk.actions.keep();
  desk.actions.move("down", false);
  assert.deepEqual(desk.state.selected, ["n0", "n1"]);
  desk.controller.travel(-1);
  assert.deepEqual(desk.state.selected, ["n0"]);
  desk.actions.keep();
  desk.actions.move("down", false);
  assert.deepEqual(desk.state.selected, ["n1"]);
});

test("a path leads from what is selected to what is picked next", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("n0"));
  desk.actions.startPath();
  desk.actions.selectBox(desk.box("g1"));
  assert.deepEqual(desk.state.highlight, { kind: "between", ids: ["n0", "n1"] });
  assert.deepEqual(desk.state.selected, ["n0", "n1"]);
});

test("Escape takes away the end of a path, then the highlight, then the selection", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("g1"));
  desk.actions.highlight("both");
  desk.actions.startPath();
  assert.equal(desk.actions.escape(), true);
  assert.notEqual(desk.state.highlight, null);
  assert.equal(desk.actions.escape(), true);
  assert.deepEqual([desk.state.highlight, desk.state.focus], [null, "g1"]);
  assert.equal(desk.actions.escape(), true);
  assert.deepEqual([desk.state.selected, desk.state.focus], [[], null]);
  assert.equal(desk.actions.escape(), false);
});

test("a link to a part unfolds what hides it, selects it and brings it into view, in one step", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.go({ kind: "item", item: desk.item("n1") });
  await desk.screen.finish();
  assert.deepEqual([desk.state.selected, desk.state.focus, desk.stage.centered], [["n1"], "n1", ["n1"]]);
  desk.controller.travel(-1);
  assert.deepEqual([desk.state.folds, desk.state.selected], [{}, []]);
});
