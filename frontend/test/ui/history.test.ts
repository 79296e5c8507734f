import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../src/ui/history.ts";

test("it goes back and forward as a browser does", () => {
  const history = new History("a");
  assert.equal(history.canGoBack, false);
  assert.equal(history.travel("a", -1), null);
  history.visit("a", "b");
  history.visit("b", "c");
  assert.equal(history.travel("c", -1), "b");
  assert.equal(history.travel("b", -1), "a");
  assert.equal(history.canGoBack, false);
  assert.equal(history.travel("a", 1), "b");
  assert.equal(history.canGoForward, true);
});

test("a new place drops all that lay ahead", () => {
  const history = new History("a");
  history.visit("a", "b");
  history.travel("b", -1);
  history.visit("a", "c");
  assert.equal(history.canGoForward, false);
  assert.equal(history.travel("c", -1), "a");
});

test("a place is kept as it looked when it was left", () => {
  const history = new History("a");
  history.visit("a, moved", "b");
  assert.equal(history.travel("b, moved", -1), "a, moved");
  assert.equal(history.travel("a, moved", 1), "b, moved");
});

test("it forgets the oldest places", () => {
  const history = new History(0);
  for (let place = 1; place <= 300; place++) history.visit(place - 1, place);
  let steps = 0;
  for (let at = 300; history.canGoBack; steps++) at = history.travel(at, -1)!;
  assert.equal(steps, 99);
});
