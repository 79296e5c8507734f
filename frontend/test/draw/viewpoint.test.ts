import assert from "node:assert/strict";
import test from "node:test";
import {
  between,
  firstSight,
  fitted,
  held,
  panned,
  revealing,
  sightOf,
  toDrawing,
  toScreen,
  zoomed,
} from "../../src/draw/viewpoint.ts";

const CANVAS = { width: 800, height: 600 };
const TALL = { width: 700, height: 9000 };
const VIEW = { x: 300, y: 200, scale: 2 };

function near(actual: object, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    assert.ok(
      Math.abs((actual as Record<string, number>)[name]! - value) < 1e-9,
      `${name} of ${JSON.stringify(actual)}`,
    );
  }
}

test("the middle of the canvas shows the view's place, and back", () => {
  near(toScreen(VIEW, CANVAS, { x: 300, y: 200 }), { x: 400, y: 300 });
  near(toScreen(VIEW, CANVAS, { x: 310, y: 195 }), { x: 420, y: 290 });
  near(toDrawing(VIEW, CANVAS, toScreen(VIEW, CANVAS, { x: 12, y: 34 })), { x: 12, y: 34 });
  near(sightOf(VIEW, CANVAS), { left: 100, top: 50, right: 500, bottom: 350 });
});

test("zooming keeps what is under the pointer there", () => {
  const pointer = { x: 130, y: 470 };
  for (const factor of [0.3, 1, 1.7, 100, 1e-6]) {
    const after = zoomed(VIEW, CANVAS, TALL, pointer, factor);
    near(toDrawing(after, CANVAS, pointer), toDrawing(VIEW, CANVAS, pointer));
  }
});

test("zooming ends at four times, and where all is as small as one could want", () => {
  assert.equal(zoomed(VIEW, CANVAS, TALL, { x: 0, y: 0 }, 100).scale, 4);
  assert.equal(zoomed(VIEW, CANVAS, TALL, { x: 0, y: 0 }, 1e-6).scale, 0.02);
  assert.ok(zoomed(VIEW, CANVAS, { width: 1e5, height: 1e5 }, { x: 0, y: 0 }, 1e-6).scale < 0.01);
});

test("panning moves by pixels", () => {
  near(toScreen(panned(VIEW, 30, -8), CANVAS, { x: 300, y: 200 }), { x: 430, y: 292 });
});

test("fitting shows all of it, never enlarged", () => {
  near(fitted({ width: 100, height: 50 }, CANVAS), { x: 50, y: 25, scale: 1 });
  near(fitted({ width: 7520, height: 100 }, CANVAS), { x: 3760, y: 50, scale: 0.1 });
  near(fitted({ width: 100, height: 5520 }, CANVAS), { x: 50, y: 2760, scale: 0.1 });
});

test("at first sight all of a small drawing is seen", () => {
  near(firstSight({ width: 1000, height: 800 }, CANVAS, { x: 500, y: 0 }), { x: 500, y: 400, scale: 0.69 });
});

test("at first sight a tall drawing begins at the top, as wide as the canvas", () => {
  const view = firstSight(TALL, CANVAS, { x: 350, y: 0 });
  near(view, { x: 350, scale: 1 });
  near(toScreen(view, CANVAS, { x: 350, y: 0 }), { x: 400, y: 24 });
  const wider = firstSight({ width: 940, height: 9000 }, CANVAS, { x: 30, y: 0 });
  near(wider, { x: 470, scale: 0.8 });
});

test("at first sight a drawing that is too wide is readable, around the loss, with no empty paper beside it", () => {
  const wide = { width: 20_000, height: 9000 };
  const view = firstSight(wide, CANVAS, { x: 7000, y: 0 });
  near(view, { x: 7000, scale: 0.6 });
  assert.ok(Math.abs(toScreen(firstSight(wide, CANVAS, { x: 30, y: 0 }), CANVAS, { x: 0, y: 0 }).x - 24) < 1e-9);
  assert.ok(
    Math.abs(toScreen(firstSight(wide, CANVAS, { x: 19_990, y: 0 }), CANVAS, { x: 20_000, y: 0 }).x - 776) < 1e-9,
  );
});

test("bringing something into view moves no more than needed", () => {
  assert.deepEqual(revealing(VIEW, CANVAS, { left: 200, top: 100, right: 260, bottom: 140 }), VIEW);
  near(revealing(VIEW, CANVAS, { left: 480, top: 20, right: 520, bottom: 60 }), { x: 300 + 32, y: 200 - 42, scale: 2 });
  // Larger than the canvas: its middle.
  near(revealing(VIEW, CANVAS, { left: 0, top: 100, right: 1000, bottom: 140 }), { x: 500, y: 200 });
});

test("a bit of the drawing stays in view", () => {
  const lost = held({ x: 1e6, y: -1e6, scale: 1 }, CANVAS, TALL);
  near(toScreen(lost, CANVAS, { x: TALL.width, y: 0 }), { x: 48, y: 600 - 48 });
  assert.deepEqual(held(VIEW, CANVAS, TALL), VIEW);
});

test("on the way between two views a place that both see at one pixel stays there", () => {
  const to = zoomed(VIEW, CANVAS, TALL, { x: 100, y: 100 }, 0.25);
  const place = toDrawing(VIEW, CANVAS, { x: 100, y: 100 });
  for (const t of [0, 0.3, 0.8, 1]) near(toScreen(between(VIEW, to, t), CANVAS, place), { x: 100, y: 100 });
  near(between(VIEW, { ...VIEW, x: 400 }, 0.5), { x: 350, y: 200, scale: 2 });
});
