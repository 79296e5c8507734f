// A canvas of 800 by 600 with a legend at its lower left and a minimap at its lower right.

import assert from "node:assert/strict";
import test from "node:test";
import { type CoveredCanvas, firstSightBeside, fittedBeside, revealingBeside } from "../../src/draw/room.ts";
import { overlap } from "../../src/draw/shapes.ts";
import { firstSight, fitted, revealing, toScreen, type Viewpoint } from "../../src/draw/viewpoint.ts";

const CANVAS = { width: 800, height: 600 };
const LEGEND = { x: 10, y: 390, w: 200, h: 200 };
const MINIMAP = { x: 640, y: 440, w: 150, h: 150 };
const FREE: CoveredCanvas = { canvas: CANVAS, overlays: [] };
const COVERED: CoveredCanvas = { canvas: CANVAS, overlays: [LEGEND, MINIMAP] };

/** Where an area of the drawing is on the canvas. */
function onCanvas(view: Viewpoint, x: number, y: number, w: number, h: number) {
  return { ...toScreen(view, CANVAS, { x, y }), w: w * view.scale, h: h * view.scale };
}

test("nothing lies over it: as without rooms", () => {
  const [size, view] = [
    { width: 1000, height: 800 },
    { x: 300, y: 200, scale: 2 },
  ];
  assert.deepEqual(fittedBeside(size, FREE), fitted(size, CANVAS));
  assert.deepEqual(firstSightBeside(size, FREE, { x: 0, y: 0 }), firstSight(size, CANVAS, { x: 0, y: 0 }));
  const area = { left: 480, top: 20, right: 520, bottom: 60 };
  assert.deepEqual(revealingBeside(view, FREE, area), revealing(view, CANVAS, area));
});

test("a narrow drawing stays in the middle, between the two", () => {
  const size = { width: 300, height: 5000 };
  assert.deepEqual(fittedBeside(size, COVERED), fitted(size, CANVAS));
  assert.deepEqual(firstSightBeside(size, COVERED, { x: 150, y: 0 }), firstSight(size, CANVAS, { x: 150, y: 0 }));
});

test("a drawing is fitted in beside or above them, whichever leaves it larger", () => {
  for (const size of [
    { width: 1000, height: 800 },
    { width: 3000, height: 300 },
    { width: 700, height: 900 },
  ]) {
    const view = fittedBeside(size, COVERED);
    const { x, y, w, h } = onCanvas(view, 0, 0, size.width, size.height);
    assert.ok(x >= 23.9 && y >= 23.9 && x + w <= 776.1 && y + h <= 576.1, "all of it is in view");
    assert.ok(!COVERED.overlays.some((overlay) => overlap(overlay, { x, y, w, h })));
  }
  // Above both there are 390 pixels, beside both 430: a wide one goes above, at the scale of its width.
  assert.equal(fittedBeside({ width: 3000, height: 300 }, COVERED).scale, 752 / 3000);
  // Beside the legend alone there are 590 by 600 pixels.
  const beside = fittedBeside({ width: 700, height: 900 }, { canvas: CANVAS, overlays: [LEGEND] });
  assert.equal(beside.scale, 552 / 900);
});

test("at first sight a high drawing stands beside them where it can be read there", () => {
  const covered = { canvas: CANVAS, overlays: [LEGEND] };
  const size = { width: 700, height: 5000 };
  const view = firstSightBeside(size, covered, { x: 350, y: 0 });
  assert.equal(view.scale, 542 / 700);
  assert.deepEqual(toScreen(view, CANVAS, { x: 0, y: 0 }), { x: 234, y: 24 });
  // Where it cannot, or not its whole width, it has all of the canvas.
  const narrow = { canvas: { width: 360, height: 600 }, overlays: [LEGEND] };
  const loss = { x: 200, y: 0 };
  const cut = { width: 400, height: 5000 };
  assert.deepEqual(firstSightBeside(cut, narrow, loss), firstSight(cut, narrow.canvas, loss));
  const wide = { width: 1200, height: 5000 };
  assert.deepEqual(firstSightBeside(wide, covered, { x: 600, y: 0 }), firstSight(wide, CANVAS, { x: 600, y: 0 }));
});

test("what is brought into view lies under nothing, and moves no more than needed", () => {
  const view = { x: 400, y: 300, scale: 1 };
  for (let x = -300; x < 1100; x += 47) {
    for (let y = -300; y < 900; y += 53) {
      const after = revealingBeside(view, COVERED, { left: x, top: y, right: x + 90, bottom: y + 40 });
      const rect = onCanvas(after, x, y, 90, 40);
      assert.ok(!COVERED.overlays.some((overlay) => overlap(overlay, rect)), `${x}, ${y} is covered`);
      assert.ok(rect.x >= 24 && rect.y >= 24 && rect.x + 90 <= 776 && rect.y + 40 <= 576, `${x}, ${y} is not in view`);
    }
  }
  // Under the minimap: above it, with a margin of 24, and not to its left, which is farther.
  const area = { left: 670, top: 500, right: 760, bottom: 540 };
  assert.deepEqual(revealingBeside(view, COVERED, area), { x: 400, y: 424, scale: 1 });
});

test("where everything is covered, it is brought into view all the same", () => {
  const all = { canvas: CANVAS, overlays: [{ x: 0, y: 0, w: 800, h: 600 }] };
  const view = { x: 400, y: 300, scale: 1 };
  const area = { left: 900, top: 100, right: 990, bottom: 140 };
  assert.deepEqual(revealingBeside(view, all, area), revealing(view, CANVAS, area));
});
