import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/state.ts";
import { paceWords, Stepping, strideOf } from "../../src/ui/stepping.ts";

test("a whole backward never takes more than a minute of eight ticks a second", () => {
  assert.equal(strideOf(1), 1);
  assert.equal(strideOf(480), 1);
  assert.equal(strideOf(481), 2);
  assert.ok(100_000 / strideOf(100_000) <= 480);
});

test("the pace is said, with how long all of it takes", () => {
  assert.equal(paceWords(80), "8 nodes a second, 10 seconds in all");
  assert.equal(paceWords(481), "16 nodes a second, 31 seconds in all");
  assert.equal(paceWords(100_000), "1,672 nodes a second, 60 seconds in all");
});

test("steps stay within the backward", () => {
  const store = new Store();
  const stepping = new Stepping(store, 10, () => {});
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
  const stepping = new Stepping(store, 10, () => {});
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
  const stepping = new Stepping(store, 10, () => {});
  stepping.togglePlay();
  store.set({ step: null });
  context.mock.timers.tick(1000);
  assert.deepEqual([store.state.step, stepping.playing], [null, false]);
});
