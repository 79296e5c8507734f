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

test("what is to be read comes to the middle if it is away or too small, and else moves as little as needed", () => {
  const { made } = camera(true);
  const area = { left: 150, top: 2000, right: 250, bottom: 2040 };
  made.resize({ width: 800, height: 600 });
  made.meet(TALL, LOSS);
  made.reveal(area, false);
  assert.deepEqual(made.view, { x: 200, y: 2040 + 24 - 300, scale: 1 });
  made.look({ x: 200, y: 300, scale: 1 });
  made.reveal(area, true);
  assert.deepEqual(made.view, { x: 200, y: 2020, scale: 1 });
  made.reveal({ left: 150, top: 2310, right: 250, bottom: 2350 }, true); // in sight, if only in part
  assert.deepEqual(made.view, { x: 200, y: 2350 + 24 - 300, scale: 1 });
  made.fit();
  const far = made.view;
  made.reveal(area, false);
  assert.deepEqual(made.view, far);
  made.reveal(area, true);
  assert.deepEqual(made.view, { x: 200, y: 2020, scale: 0.7 });
});

test("at first sight all is seen where that can be read, beside what lies over the canvas if there is room", () => {
  const { made } = camera(true);
  made.overlays = (whole) => (whole ? [{ x: 0, y: 400, w: 250, h: 200 }] : [{ x: 0, y: 0, w: 800, h: 600 }]);
  made.resize({ width: 800, height: 600 });
  made.meet({ width: 600, height: 700 }, LOSS);
  assert.deepEqual(made.view, { x: 300 - 125 / (552 / 700), y: 350, scale: 552 / 700 });
  made.overlays = () => [{ x: 0, y: 100, w: 400, h: 500 }]; // 400 pixels are left: all would be smaller than READABLE
  made.meet({ width: 600, height: 700 }, LOSS);
  assert.deepEqual(made.view, { x: 300, y: 350, scale: 552 / 700 });
});

test("what lies over the canvas is asked for whenever it looks for a place", () => {
  const { made } = camera(true);
  const asked: boolean[] = [];
  made.overlays = (whole) => {
    asked.push(whole);
    return [{ x: 0, y: 200, w: 300, h: 400 }];
  };
  made.resize({ width: 800, height: 600 });
  made.meet(TALL, LOSS); // 400 wide: in the middle it would begin at 200, under what ends at 300
  assert.deepEqual(made.view, { x: 50, y: 276, scale: 1 });
  made.reveal({ left: 0, top: 500, right: 100, bottom: 540 }, false);
  made.fit();
  assert.deepEqual(asked, [true, false, false, true]);
});
