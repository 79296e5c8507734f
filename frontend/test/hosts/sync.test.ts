// A store and traits stay in step: nothing is lost, nothing is sent twice, nothing goes round in circles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inStep } from "../../src/hosts/sync.ts";
import { FakeTraits } from "./traits.ts";

function start() {
  const traits = new FakeTraits();
  const frames: (() => void)[] = [];
  const { store, stop } = inStep(traits, (act) => frames.push(act));
  const frame = (): void => {
    for (const act of frames.splice(0)) act();
  };
  return { traits, frames, frame, store, stop };
}

test("the store begins as the traits are", () => {
  const { traits, store } = start();
  assert.deepEqual(store.state, {
    selected: ["n1"],
    focus: null,
    folds: {},
    colorBy: "module",
    highlight: null,
    step: null,
    fired: null,
    query: "",
    theme: "dark",
  });
  assert.deepEqual(traits.set_, []);
});

test("changes in one frame are set at once and saved once", () => {
  const { traits, frame, store } = start();
  const told: unknown[] = [];
  store.subscribe((state) => told.push([state.selected, state.step]));
  store.set({ selected: ["n2"] });
  store.set({ selected: ["n3"], step: 4 });
  assert.deepEqual(told, [
    [["n2"], null],
    [["n3"], 4],
  ]);
  assert.deepEqual([traits.values.selected, traits.values.step, traits.saved], [["n3"], 4, 0]);
  frame();
  assert.equal(traits.saved, 1);
  store.set({ query: "norm" });
  frame();
  assert.equal(traits.saved, 2);
});

test("what comes from Python is shown and not sent back", () => {
  const { traits, frames, store } = start();
  traits.fromPython("color_by", "dtype");
  traits.fromPython("folds", { g1: "open" });
  assert.deepEqual([store.state.colorBy, store.state.folds], ["dtype", { g1: "open" }]);
  assert.deepEqual([traits.set_, frames.length], [[], 0]);
});

test("an equal value changes nothing", () => {
  const { traits, frames, store } = start();
  let told = 0;
  store.subscribe(() => told++);
  store.set({ selected: ["n1"] });
  traits.fromPython("selected", ["n1"]);
  assert.deepEqual([told, traits.set_, frames.length], [0, [], 0]);
});

test("two stores of one widget follow each other", () => {
  const { traits, store } = start();
  const other = inStep(traits, (act) => act()).store;
  store.set({ selected: ["n7"] });
  assert.deepEqual(other.state.selected, ["n7"]);
  other.set({ step: 2 });
  assert.equal(store.state.step, 2);
});

test("after the end nothing is followed, and what waited is saved", () => {
  const { traits, frame, store, stop } = start();
  store.set({ step: 1 });
  stop();
  assert.equal(traits.saved, 1);
  frame();
  assert.equal(traits.saved, 1);
  traits.fromPython("step", 5);
  store.set({ query: "x" });
  assert.deepEqual([store.state.step, traits.values.query], [1, ""]);
  assert.ok([...traits.listeners.values()].every((listeners) => listeners.size === 0));
});

test("what is picked on the screen stays there, and ends where Python selects other nodes", () => {
  const { traits, store } = start();
  store.set({ selected: ["n2", "n3"], focus: "g1" });
  assert.deepEqual(traits.set_, ["selected"]);
  traits.fromPython("query", "norm");
  assert.equal(store.state.focus, "g1");
  traits.fromPython("selected", ["n4"]);
  assert.equal(store.state.focus, null);
});
