import assert from "node:assert/strict";
import { test } from "node:test";
import type { Drawing } from "../../src/draw/types.ts";
import { compose } from "../../src/scene/compose.ts";
import { isInSight, openedBoxes } from "../../src/ui/sight.ts";
import { graphOf, modelOf, module } from "../models.ts";

test("a box is seen where more than its edge is on the canvas", () => {
  const drawing = {
    layout: { boxes: Float64Array.of(0, 0, 500, 0) },
    sizes: Float64Array.of(100, 40, 100, 40),
  } as unknown as Drawing;
  const seen = (x: number, boxes: number[], scale = 1): boolean =>
    isInSight(drawing, { x, y: 0, scale }, { width: 400, height: 300 }, boxes);
  assert.equal(seen(0, [0]), true);
  assert.equal(seen(0, [1]), false); // from 450 on; 200 can be seen
  assert.equal(seen(0, [1, 0]), true);
  assert.equal(seen(220, [0]), true); // 20 to 420, less 24 on both sides: from 44 on, the box ends at 50
  assert.equal(seen(230, [0]), false);
  assert.equal(seen(250, [0, 1].slice(1), 0.5), true);
});

test("what was opened is seen at its first box: the outermost, past what was opened only to get there", () => {
  const graph = graphOf(
    Array(7).fill("Tanh"),
    [0, 1, 2, 3, 4, 5].map((node): [number, number] => [node, node + 1]),
  );
  const inner = module("b", [2, module("b1", [3]), module("b2", [4])]);
  const model = modelOf(graph, [0, module("a", [1, inner]), module("c", [5, 6])]);
  const closed = compose(model, {});
  const opened = (...parts: string[]): string[] => {
    const open = compose(model, Object.fromEntries(parts.map((key) => [key, "open"])));
    assert.deepEqual(openedBoxes(open, closed), []);
    return openedBoxes(closed, open).map((box) => open.boxes[box]!.key);
  };
  assert.deepEqual(opened("a", "c"), ["n1", "n5"]);
  assert.deepEqual(opened("a", "b"), ["n2"]);
  assert.deepEqual(opened("a", "b", "b1", "b2"), ["n2"]);
});
