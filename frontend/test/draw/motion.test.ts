import assert from "node:assert/strict";
import test from "node:test";
import { DURATION, eased, Motion } from "../../src/draw/motion.ts";
import { Plan } from "../../src/draw/plan.ts";
import type { Drawing } from "../../src/draw/types.ts";
import type { Model } from "../../src/model.ts";
import { box, LOOKS, smallDrawing } from "./drawing.ts";

/** The part "b" was opened: a frame of that key stands there, with a new box in it; item 1 is "b", item 2 the new box. */
function opened(): Drawing {
  const before = smallDrawing();
  const { scene, layout } = before;
  const model = { ...before.model, tree: { parent: [-1, 0, 1], key: ["", "b", "new"] } } as unknown as Model;
  const boxes = scene.boxes.with(2, box({ key: "new", item: 2, group: 2 }));
  const groups = [...scene.groups, { ...scene.groups[0]!, key: "b", item: 1, parent: 1 }];
  const places = layout.boxes.map((value, at) => value + (at % 2 === 0 ? 10 : 40));
  const frames = Float64Array.of(...layout.groups, 220, 300, 200, 80);
  return { ...before, model, scene: { ...scene, boxes, groups }, layout: { ...layout, boxes: places, groups: frames } };
}

function motion(): { motion: Motion; start: number } {
  const before = new Plan(smallDrawing(), LOOKS, 1);
  const made = Motion.between(before, before.resting, new Plan(opened(), LOOKS, 1), { x: 5, y: 7 });
  return { motion: made!, start: performance.now() };
}

test("begins where everything was, seen from where the camera is now", () => {
  const places = motion().motion.at(0);
  assert.deepEqual([...places.boxes.slice(0, 2)], [305, 47]);
  assert.deepEqual([...places.frames.slice(0, 4)], [205, 127, 380, 230]);
});

test("what is new comes out of the part that was opened, and fades in", () => {
  const places = motion().motion.at(0);
  assert.deepEqual([...places.boxes.slice(4, 6)], [305, 307]); // the closed box "b" was at 300, 300
  assert.deepEqual([...places.frames.slice(8, 12)], [245, 284, 120, 46]); // as large as that box
  assert.deepEqual([...places.boxAlpha!], [1, 1, 0, 1]);
  assert.equal(places.arrowAlpha, 0);
});

test("ends where the layout says, with everything there", () => {
  const { motion: made, start } = motion();
  const places = made.at(start + DURATION);
  assert.ok(made.isOver(start + DURATION));
  assert.deepEqual([...places.boxes], [...opened().layout.boxes]);
  assert.deepEqual([places.boxAlpha, places.arrowAlpha], [null, 1]);
});

test("a second fold begins where the first one has brought everything", () => {
  const [before, after] = [new Plan(smallDrawing(), LOOKS, 1), new Plan(opened(), LOOKS, 1)];
  const drawn = motion().motion.at(0);
  const places = Motion.between(after, drawn, after, { x: 1, y: 2 })!.at(0);
  assert.deepEqual([...places.boxes.slice(0, 2)], [drawn.boxes[0]! + 1, drawn.boxes[1]! + 2]);
  assert.deepEqual([...places.frames.slice(8, 12)], [246, 286, 120, 46]);
  assert.deepEqual([...places.boxAlpha!], [1, 1, 0, 1], "what was not yet seen is not seen at once");
  assert.deepEqual(before.anchor("b", before.resting), { x: 300, y: 277 });
  assert.deepEqual(after.anchor("b", drawn), { x: 305, y: 284 }, "what stays in place does so where it is drawn");
});

test("is fast at first, then slower", () => {
  assert.deepEqual([eased(0), eased(0.5), eased(1)], [0, 0.875, 1]);
});

test("very many boxes do not move", () => {
  const { scene, layout, ...rest } = smallDrawing();
  const boxes = Array.from({ length: 3001 }, (_, item) => box({ key: `k${item}` }));
  const sizes = new Float64Array(6002).fill(10);
  const places = { ...layout, boxes: new Float64Array(6002) };
  const many = new Plan({ ...rest, sizes, scene: { ...scene, boxes }, layout: places }, LOOKS, 1);
  assert.equal(Motion.between(many, many.resting, many, { x: 0, y: 0 }), null);
});
