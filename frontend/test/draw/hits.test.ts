import assert from "node:assert/strict";
import test from "node:test";
import { targetAt } from "../../src/draw/hits.ts";
import { Plan } from "../../src/draw/plan.ts";
import { LOOKS, smallDrawing } from "./drawing.ts";

const DRAWING = smallDrawing();
const PLAN = new Plan(DRAWING, LOOKS, 1);

function at(x: number, y: number, scale = 1) {
  return targetAt(PLAN, { x, y }, scale);
}

test("boxes are found where they are, everywhere", () => {
  const { layout, sizes } = DRAWING;
  for (let x = 0; x <= layout.width; x += 7) {
    for (let y = 0; y <= layout.height; y += 7) {
      const inside = (box: number) =>
        Math.abs(x - layout.boxes[2 * box]!) <= sizes[2 * box]! / 2 &&
        Math.abs(y - layout.boxes[2 * box + 1]!) <= sizes[2 * box + 1]! / 2;
      const wanted = [0, 1, 2, 3].find(inside) ?? -1;
      const target = at(x, y);
      assert.equal(target?.kind === "box" ? target.index : -1, wanted, `at ${x}, ${y}`);
    }
  }
});

test("the [+] of a box that opens can be hit in a square of 24 units", () => {
  const { toggle } = PLAN.text(2);
  const [x, y] = [300 + toggle!.x, 300 + toggle!.y];
  for (const [dx, dy, on] of [
    [0, 0, "toggle"],
    [-11.9, 11.9, "toggle"],
    [-13, 0, "body"],
  ] as const) {
    assert.deepEqual(at(x + dx, y + dy), { kind: "box", index: 2, on });
  }
  assert.deepEqual(at(x, y, 0.3), { kind: "box", index: 2, on: "body" }, "it is not drawn at that scale");
  assert.deepEqual(at(300 + PLAN.text(1).width / 2 - 8, 200), { kind: "box", index: 1, on: "body" });
});

test("title bars: [−], the button of a repeat, the rest, the innermost frame first", () => {
  const { toggle, button } = PLAN.header(1);
  assert.deepEqual(at(210 + toggle.x, 150 + toggle.y), { kind: "group", index: 1, on: "toggle" });
  assert.deepEqual(at(210 + button!.x + 3, 150 + 12), { kind: "group", index: 1, on: "unroll" });
  assert.deepEqual(at(390, 160), { kind: "group", index: 1, on: "title" });
  assert.deepEqual(at(420, 130), { kind: "group", index: 0, on: "title" });
  assert.deepEqual(at(210 + toggle.x, 150 + toggle.y, 0.3), { kind: "group", index: 1, on: "title" });
});

test("arrows, within five pixels at any scale; also where they cross a title bar", () => {
  assert.deepEqual(at(304, 90), { kind: "arrow", index: 0 });
  assert.equal(at(306, 90), null);
  assert.deepEqual(at(306, 90, 0.5), { kind: "arrow", index: 0 });
  assert.deepEqual(at(301, 130), { kind: "arrow", index: 0 });
});

test("stubs, and nothing on empty paper or inside a frame", () => {
  assert.deepEqual(at(340 + 40, 339), { kind: "stub", index: 0 });
  assert.equal(at(20, 20), null);
  assert.equal(at(230, 240), null);
});

test("an arrow into a box with a tab ends on the box beside its tab", () => {
  const { points, stop } = PLAN.route(1);
  assert.equal(points[2 * stop - 1], 277 + 6);
  assert.equal(PLAN.route(0).points[3], 180);
});

test("routes are culled by their bounds", () => {
  assert.deepEqual(PLAN.routesWithin({ left: 0, top: 0, right: 640, bottom: 100 }), [0]);
  assert.deepEqual(PLAN.routesWithin({ left: 480, top: 240, right: 500, bottom: 250 }), [2]);
});

test("a title is shortened to its frame", () => {
  const long = new Plan(smallDrawing("a", "a.very.long.path.of.modules.in.modules"), LOOKS, 1);
  const narrow = long.header(1);
  assert.equal(long.header(0).title, "a.very.long.path.of.modules.in.modules");
  assert.match(narrow.title, /^a\.very.*….*modules$/);
  assert.ok(narrow.titleX + narrow.titleWidth <= narrow.button!.x);
});
