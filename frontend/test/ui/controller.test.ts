// What is shown follows the state, whatever comes between.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/state.ts";
import { Desk } from "./desk.ts";
import { small } from "./small.ts";

const OPEN = { g1: "open" } as const;

test("of two visits during one layout the latest is brought into view", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectNodes([1]);
  desk.actions.selectNodes([3]);
  assert.equal(desk.screen.asked.length, 2); // at first, and once for both
  await desk.screen.finish();
  assert.deepEqual(desk.state.selected, ["n3"]);
  assert.deepEqual(desk.stage.centered, ["n1:n3"]);
});

test("a click during a layout takes the place of what was to be brought into view; typing does not", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectNodes([1]);
  desk.controller.change({ query: "x" });
  await desk.screen.finish();
  assert.deepEqual(desk.stage.centered, ["n1"]);

  desk.actions.toggle(desk.item("g1"));
  desk.actions.selectBox(desk.box("n0"));
  await desk.screen.finish();
  assert.deepEqual([desk.stage.centered, desk.said], [["n1"], []]);
});

test("what follows a change runs at once where nothing has to be laid out", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectNodes([0]);
  assert.deepEqual(desk.stage.centered, ["n0"]);
});

test("all can be folded and unfolded before anything is drawn, and the latest is shown", async () => {
  const desk = new Desk(small);
  desk.controller.start();
  desk.actions.unfoldAll();
  desk.actions.foldAll();
  desk.actions.unfoldAll();
  assert.deepEqual(desk.said, []);
  await desk.screen.finish();
  assert.equal(desk.controller.settled, true);
  assert.deepEqual(desk.state.folds, OPEN);
  assert.deepEqual(desk.said, ["Unfolded all: 4 boxes shown."]);
});

test("after the first layout was cancelled, folding all lays out, though the folds are what they were", async () => {
  const desk = new Desk(small);
  desk.controller.start();
  desk.controller.cancelLayout();
  assert.equal(desk.controller.settled, false);
  desk.actions.foldAll();
  await desk.screen.finish();
  assert.deepEqual(desk.said, ["Folded all: 2 boxes shown."]);
});

test("a cancelled layout leaves the folds that are shown, and nothing that was to follow it", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.unfoldAll();
  desk.controller.cancelLayout();
  assert.deepEqual(desk.state.folds, {});
  desk.controller.change({ query: "x" });
  assert.deepEqual(desk.said, []);
  assert.equal(desk.controller.settled, true);
});

test("folds that are shown again end the layout of others", async () => {
  const desk = await Desk.drawn(small);
  desk.controller.change({ folds: OPEN });
  desk.controller.change({ folds: {} });
  await desk.screen.finish();
  assert.ok(desk.box("g1") >= 0);
});

test("the subject is the same object as long as it says the same", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("n0"));
  const { subject } = desk.controller;
  desk.actions.unfoldAll();
  await desk.screen.finish();
  assert.equal(desk.controller.subject, subject);
});

test("back and forward know frames and arrows too, and where the camera was", async () => {
  const desk = await Desk.drawn(small, { folds: OPEN });
  desk.actions.selectFrame(desk.item("g1"));
  desk.stage.camera = { x: 5, y: 6, scale: 2 };
  desk.actions.pick({ kind: "arrow", index: 0 }, false);
  const arrow = desk.controller.subject;
  assert.equal(arrow.kind, "arrow");
  assert.equal(desk.stage.emphasis!.arrow, 0);
  desk.stage.camera = { x: 1, y: 1, scale: 1 };

  desk.controller.travel(-1);
  assert.deepEqual(desk.controller.subject, { kind: "part", item: 2, open: true });
  assert.deepEqual(desk.stage.camera, { x: 5, y: 6, scale: 2 });
  desk.controller.travel(1);
  assert.deepEqual(desk.controller.subject, arrow);
  desk.controller.travel(-1);
  desk.controller.travel(-1);
  assert.deepEqual(desk.controller.subject, { kind: "graph" });
  assert.equal(desk.controller.canGoBack, false);
});

test("two views of one store are about the same, and the other one brings it into view", async () => {
  const store = new Store();
  const [one, other] = [await Desk.drawn(small, {}, store), await Desk.drawn(small, {}, store)];
  one.actions.selectBox(one.box("g1"));
  assert.deepEqual(other.controller.subject, { kind: "part", item: 2, open: false });
  assert.deepEqual([one.stage.centered, other.stage.centered], [[], ["g1"]]);
});

test("what Python selects is seen as such, whatever was picked before", async () => {
  const desk = await Desk.drawn(small, { folds: OPEN });
  desk.actions.selectFrame(desk.item("g1"));
  desk.store.set({ selected: ["n0"] });
  assert.deepEqual(desk.controller.subject, { kind: "node", node: 0, alike: [], repeat: -1 });
  desk.store.set({ selected: [] });
  assert.deepEqual(desk.controller.subject, { kind: "graph" });
});

test("a layout that Python asked for keeps what is picked in place", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("g1"));
  desk.store.set({ folds: OPEN });
  assert.deepEqual(desk.screen.asked, ["anew", { key: "g1", node: 1 }]);
  await desk.screen.finish();
  assert.deepEqual(desk.controller.subject, { kind: "part", item: 2, open: true });
});

test("what Python opens is brought into view where nothing of it can be seen; else what is picked", async () => {
  const desk = await Desk.drawn(small);
  desk.screen.inSight = [];
  desk.store.set({ folds: OPEN });
  await desk.screen.finish();
  assert.deepEqual(desk.stage.centered, ["n1"]);

  desk.store.set({ folds: {}, selected: ["n1"] });
  await desk.screen.finish();
  assert.deepEqual(desk.stage.centered, ["n1", "g1"]);
  desk.screen.inSight = ["n1"];
  desk.store.set({ folds: OPEN });
  await desk.screen.finish();
  assert.deepEqual(desk.screen.asked.at(-1), { key: null, node: 1 });
  assert.deepEqual(desk.stage.centered.slice(2), ["n1"]);
});
