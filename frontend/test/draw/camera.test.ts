import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../../src/draw/camera.ts";
import { DURATION } from "../../src/draw/motion.ts";

const TALL = { width: 400, height: 5000 };
const LOSS = { x: 200, y: 20 };

function camera(calm: boolean) {
  const told = { moves: 0 };
  const made = new Camera(
    () => {
      told.moves++;
    },
    () => calm,
  );
  return { made, told };
}

test("shows the top at first sight, as soon as there is a canvas and at each size of it, until it is moved", () => {
  const { made } = camera(true);
  made.meet(TALL, LOSS);
  made.resize({ width: 0, height: 0 });
  made.resize({ width: 800, height: 600 });
  assert.deepEqual(made.view, { x: 200, y: 276, scale: 1 });
  made.resize({ width: 800, height: 300 });
  assert.deepEqual(made.view, { x: 200, y: 126, scale: 1 });
  made.pan(0, -100);
  made.resize({ width: 800, height: 600 });
  assert.deepEqual(made.view, { x: 200, y: 226, scale: 1 });
});

test("follows a drawing whose parts have moved, at the same scale", () => {
  const { made } = camera(true);
  made.resize({ width: 800, height: 600 });
  made.meet(TALL, LOSS);
  made.follow({ width: 900, height: 6000 }, { x: 50, y: 700 });
  assert.deepEqual(made.view, { x: 250, y: 976, scale: 1 });
});

test("travels in a while, and at once where motion is not wanted", () => {
  for (const calm of [false, true]) {
    const { made, told } = camera(calm);
    made.resize({ width: 800, height: 600 });
    made.meet(TALL, LOSS);
    const before = { ...made.view };
    told.moves = 0;
    made.travel({ x: 200, y: 1000, scale: 2 });
    assert.equal(told.moves, 1);
    assert.deepEqual(made.goal, { x: 200, y: 1000, scale: 2 });
    assert.deepEqual(made.view, calm ? made.goal : before);
    const now = performance.now();
    assert.equal(made.step(now + 2 * DURATION), false);
    assert.deepEqual(made.view, { x: 200, y: 1000, scale: 2 });
    assert.equal(made.step(now + 3 * DURATION), false);
    assert.equal(told.moves, calm ? 1 : 2, "nothing moves once it is there");
  }
});

test("moving by hand ends a journey where it is", () => {
  const { made } = camera(false);
  made.resize({ width: 800, height: 600 });
  made.meet(TALL, LOSS);
  made.travel({ x: 200, y: 3000, scale: 1 });
  made.pan(0, -10);
  assert.deepEqual(made.goal, { x: 200, y: 286, scale: 1 });
});
