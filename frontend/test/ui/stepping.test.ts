import assert from "node:assert/strict";
import { test } from "node:test";
import { replayOf } from "../../src/replay.ts";
import { Store } from "../../src/state.ts";
import { paceWords, Stepping, strideOf } from "../../src/ui/stepping.ts";
import { effect, recorded } from "../backward.ts";
import { graphOf, modelOf } from "../models.ts";

const TEN = modelOf(graphOf(Array(10).fill("Add"), []), [...Array(10).keys()]);
const ten = () => replayOf(TEN);

test("a whole backward never takes more than a minute of eight ticks a second", () => {
  assert.equal(strideOf(1), 1);
  assert.equal(strideOf(480), 1);
  assert.equal(strideOf(481), 2);
  assert.ok(100_000 / strideOf(100_000) <= 480);
});

test("the pace is said, with how long all of it takes", () => {
  assert.equal(paceWords(80), "8 steps a second, 10 seconds in all");
  assert.equal(paceWords(481), "16 steps a second, 31 seconds in all");
  assert.equal(paceWords(80, 0.5), "4 steps a second, 20 seconds in all");
  assert.equal(paceWords(100_000), "1,672 steps a second, 60 seconds in all");
});

test("steps stay within the backward", () => {
  const store = new Store();
  const stepping = new Stepping(store, ten, () => {});
  stepping.toggle();
  assert.equal(store.state.step, 0);
  stepping.by(-1);
  assert.equal(store.state.step, 0);
  stepping.by(99);
  assert.equal(store.state.step, 10);
  stepping.toggle();
  assert.equal(store.state.step, null);
});

test("it plays on its own while it can be seen, and stops at the end", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const store = new Store({ step: 7 });
  const stepping = new Stepping(store, ten, () => {});
  stepping.togglePlay();
  context.mock.timers.tick(125);
  assert.equal(store.state.step, 8);
  stepping.setVisible(false);
  context.mock.timers.tick(10_000);
  assert.equal(store.state.step, 8);
  stepping.setVisible(true);
  context.mock.timers.tick(10_000);
  assert.equal(store.state.step, 10);
  assert.equal(stepping.playing, false);
  stepping.togglePlay();
  assert.equal(store.state.step, 0);
  stepping.destroy();
});

test("playing ends where Python ends the stepping", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const store = new Store({ step: 2 });
  const stepping = new Stepping(store, ten, () => {});
  stepping.togglePlay();
  store.set({ step: null });
  context.mock.timers.tick(1000);
  assert.deepEqual([store.state.step, stepping.playing], [null, false]);
});

test("twice the speed takes half the time, from now on", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const store = new Store({ step: 0 });
  const stepping = new Stepping(store, ten, () => {});
  stepping.togglePlay();
  context.mock.timers.tick(250);
  assert.equal(store.state.step, 2);
  stepping.speed = 2;
  context.mock.timers.tick(250);
  assert.equal(store.state.step, 6);
  stepping.destroy();
});

test("to play what is not stepped through begins it", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const store = new Store();
  const stepping = new Stepping(store, ten, () => {});
  stepping.togglePlay();
  assert.equal(store.state.step, 0);
  stepping.destroy();
});

test("hooks are steps of their own, and Python's steps are past them", () => {
  const { nodes, effects } = { nodes: [0, 2, 1], effects: [effect(2, 1, "a"), effect(2, 1, "b"), effect(1, 3, "c")] };
  const model = { ...modelOf(graphOf(["A", "B", "C"], []), [0, 1, 2]), backward: recorded({ nodes, effects }) };
  const store = new Store();
  const stepping = new Stepping(
    store,
    () => replayOf(model),
    () => {},
  );
  stepping.toggle();
  const seen = [];
  for (let moment = 0; moment < 7; moment++) {
    seen.push([stepping.moment, store.state.step, store.state.fired]);
    stepping.by(1);
  }
  assert.deepEqual(seen, [
    [0, 0, null],
    [1, 1, 0],
    [2, 1, 1],
    [3, 1, null],
    [4, 2, null],
    [5, 3, 0],
    [6, 3, null],
  ]);
  assert.equal(stepping.moment, 6);
  stepping.by(-1);
  assert.deepEqual([store.state.step, store.state.fired], [3, 0]);
  store.set({ step: 1 });
  assert.deepEqual([stepping.moment, store.state.fired], [3, null]);
});
