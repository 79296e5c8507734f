// Titles of frames from far away, on the small drawing: an outer frame 380 wide with one box in it, and a frame of 270 by
// 190 inside with two.

import assert from "node:assert/strict";
import test from "node:test";
import { overviewTitles } from "../../src/draw/overview.ts";
import { Plan } from "../../src/draw/plan.ts";
import { overlap } from "../../src/draw/shapes.ts";
import { TITLE_BAR } from "../../src/layout/pane.ts";
import { LOOKS, smallDrawing } from "./drawing.ts";

const EVERYTHING = { left: -1000, top: -1000, right: 2000, bottom: 2000 };
const drawing = smallDrawing("AddBackward0", "block");
const plan = new Plan(drawing, LOOKS, 1);
const { groups } = drawing.layout;
const titles = (scale: number, area = EVERYTHING) => overviewTitles(plan, groups, area, scale);
const boxes = drawing.scene.boxes.map((_, box) => {
  const { left, top, right, bottom } = plan.boxArea(box);
  return { x: left, y: top, w: right - left, h: bottom - top };
});

test("no title covers a box or another title, lies elsewhere than in or beside its frame, or is too small to be read", () => {
  for (let scale = 0.05; scale < 0.5; scale += 0.01) {
    const found = titles(scale);
    for (const { group, rect, size } of found) {
      assert.ok(!boxes.some((box) => overlap(box, rect)), `a box at ${scale}`);
      assert.ok(!found.some((other) => other.group !== group && overlap(other.rect, rect)), `a title at ${scale}`);
      assert.ok(size * scale > 6.999 && size * scale < 11.001, `${size * scale} pixels at ${scale}`);
      const [x, y, w, h] = groups.subarray(4 * group) as unknown as [number, number, number, number];
      const inside = rect.x >= x && rect.x + rect.w <= x + w && rect.y >= y && rect.y + rect.h <= y + h;
      assert.ok(inside || (rect.x >= x + w && rect.y === y), "in its frame or beside it");
    }
  }
});

test("where a box is in the way of a large title, it is as high as the title bar, and left out below 7 pixels", () => {
  // The inner frame begins at 150, the box in it at 180 and at 240 from the left: at 0.45 a title of 11 pixels is 32
  // units high and begins at 157 and at 217; it is too long to end before the box. The outer one leaves it its bar.
  const [outer, inner] = titles(0.45);
  assert.equal(outer!.rect.y, 120);
  assert.equal(inner!.words, "×12 block");
  assert.equal(inner!.rect.y, 150);
  assert.ok(Math.abs(inner!.rect.h - TITLE_BAR) < 1e-9);
  assert.deepEqual(
    titles(0.3).map(({ group }) => group),
    [0],
  );
});

test("where there is no room in a frame, its title stands beside it, unless that is in another frame", () => {
  // At 0.15 a title of 11 pixels is 95 units high and begins 20 from the corner: over a box in either frame. The outer
  // frame ends at 580; the inner one, at 480, has the box "c" and the outer frame's edge beside it.
  const found = titles(0.15);
  assert.deepEqual(
    found.map(({ group, rect, depth }) => [group, rect.x, rect.y, depth]),
    [[0, 600, 120, 0]],
  );
});

test("a large title stays in view while its frame does, but for a box in the way", () => {
  const [outer] = titles(0.4, { ...EVERYTHING, left: 500, top: 200 });
  assert.ok(outer!.rect.x > 200 && outer!.rect.y > 200, "it follows");
  const [resting] = titles(0.4, { ...EVERYTHING, left: 460, top: 290 });
  assert.ok(resting!.rect.y < 150, "there is a box where it would be");
});
