// Arrows that are cut into two stubs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../src/layout/layout.ts";
import { ROW_GAP } from "../../src/layout/pane.ts";
import { STUB } from "../../src/layout/types.ts";
import { picture, ys } from "./pictures.ts";

test("an arrow against the flow is cut into two stubs", () => {
  const layout = layOut(
    picture({
      boxes: 2,
      arrows: [
        [0, 1],
        [1, 0],
      ],
      again: [1],
    }),
  );
  assert.deepEqual(
    layout.stubs.map(({ arrow, end }) => [arrow, end]),
    [
      [1, "source"],
      [1, "target"],
    ],
  );
  const [source, target] = layout.stubs;
  assert.equal(source!.y - STUB.height / 2, ys(layout)[1]! + 20 + ROW_GAP);
  assert.equal(target!.y + STUB.height / 2, ys(layout)[0]! - 20 - ROW_GAP);
  assert.deepEqual([...layout.routeHead], [1, 0, 1]);
});

test("arrows in a circle do no harm", () => {
  const layout = layOut(
    picture({
      boxes: 3,
      arrows: [
        [0, 1],
        [1, 2],
        [2, 0],
        [1, 1],
      ],
    }),
  );
  assert.deepEqual(new Set(layout.stubs.map(({ arrow }) => arrow)), new Set([2, 3]));
});

test("frames in a circle do no harm", () => {
  const boxes = [
    [100, 40, 0],
    [100, 40, 1],
    [100, 40, 0],
  ] as const;
  const layout = layOut(
    picture({
      boxes,
      arrows: [
        [0, 1],
        [1, 2],
      ],
      parents: [-1, -1],
    }),
  );
  assert.equal(layout.stubs.length, 2);
});

test("an arrow may pass 24 rows, but not more", () => {
  const chain = (boxes: number) => Array.from({ length: boxes - 1 }, (_, box) => [box, box + 1] as const);
  const cut = (boxes: number) => layOut(picture({ boxes, arrows: [...chain(boxes), [0, boxes - 1]] })).stubs.length;
  assert.deepEqual([cut(25), cut(26)], [0, 2]);
});

test("a box has at most six pills at one end", () => {
  const arrows = Array.from({ length: 9 }, (_, box) => [0, box + 1] as const);
  const { stubs } = layOut(picture({ boxes: 10, arrows, again: [...arrows.keys()] }));
  const sources = stubs.filter((stub) => stub.end === "source");
  assert.equal(sources.length, 9);
  assert.equal(new Set(sources.map(({ x }) => x)).size, 6);
  assert.deepEqual(sources[8], { ...sources[5]!, arrow: 8 });
});
