// Small pictures whose layout is known, and very large ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../src/layout/layout.ts";
import { MARGIN, ROW_GAP, TITLE_BAR } from "../../src/layout/pane.ts";
import type { Layout } from "../../src/layout/types.ts";
import { boxRect, groupRect, picture, xs, ys } from "./pictures.ts";

const route = ({ points, routeStart }: Layout, number: number) =>
  Array.from(points.subarray(2 * routeStart[number]!, 2 * routeStart[number + 1]!));

test("nothing at all", () => {
  const layout = layOut(picture({ boxes: 0, arrows: [] }));
  assert.deepEqual([layout.boxes.length, layout.points.length, layout.crossings], [0, 0, 0]);
});

test("a chain is one straight line", () => {
  const layout = layOut(
    picture({
      boxes: 3,
      arrows: [
        [0, 1],
        [1, 2],
      ],
    }),
  );
  assert.equal(layout.width, 100 + 2 * MARGIN);
  assert.equal(layout.height, 3 * 40 + 2 * ROW_GAP + 2 * MARGIN);
  assert.deepEqual(xs(layout), [64, 64, 64]);
  assert.deepEqual(ys(layout), [34, 100, 166]);
  assert.deepEqual(route(layout, 0), [64, 54, 64, 80]);
});

test("two leaves hang evenly below their user", () => {
  const layout = layOut(
    picture({
      boxes: 3,
      arrows: [
        [0, 1],
        [0, 2],
      ],
    }),
  );
  const [user, left, right] = xs(layout) as [number, number, number];
  assert.equal(right - left, 114);
  assert.equal(user, (left + right) / 2);
});

test("a leaf leaves the trunk straight", () => {
  const layout = layOut(
    picture({
      boxes: 5,
      arrows: [
        [0, 1],
        [1, 2],
        [1, 3],
        [3, 4],
      ],
    }),
  );
  const [a, b, leaf, c, d] = xs(layout) as [number, number, number, number, number];
  assert.deepEqual([b, c, d], [a, a, a]);
  assert.equal(leaf, a - 114);
});

test("the trunk stays straight, however many long lines pass it", () => {
  // A dense block: each of the even boxes feeds all odd ones below it; these have a leaf beside the next box.
  const arrows: [number, number][] = [];
  for (let even = 0; even < 12; even += 2) {
    for (let odd = even + 1; odd < 12; odd += 2) arrows.push([even, odd]);
    arrows.push([even + 1, even + 2], [even + 1, 13 + even / 2]);
  }
  const trunk = xs(layOut(picture({ boxes: 19, arrows }))).slice(0, 12);
  assert.deepEqual(
    trunk,
    trunk.map(() => trunk[0]),
  );
});

test("an arrow that skips a block runs straight beside it", () => {
  const layout = layOut(
    picture({
      boxes: 4,
      arrows: [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 3],
      ],
    }),
  );
  const [a, b, c, d] = xs(layout) as [number, number, number, number];
  assert.deepEqual([b, c, d], [a, a, a]);
  const points = route(layout, 3);
  const beside = points.filter((_, i) => i % 2 === 0 && i > 0 && i < points.length - 2);
  assert.equal(new Set(beside).size, 1);
  assert.ok(Math.abs(beside[0]! - a) > 50);
  assert.equal(layout.crossings, 0);
});

test("a source stands right above what it feeds", () => {
  const layout = layOut(
    picture({
      boxes: 5,
      arrows: [
        [0, 1],
        [1, 2],
        [2, 3],
        [4, 3],
      ],
    }),
  );
  assert.equal(ys(layout)[4], ys(layout)[2]);
});

test("an arrow enters and leaves frames through ports, without a bend", () => {
  const boxes = [
    [100, 40, -1],
    [100, 40, 0],
    [100, 40, -1],
  ] as const;
  const layout = layOut(
    picture({
      boxes,
      arrows: [
        [0, 1],
        [1, 2],
      ],
      parents: [-1],
    }),
  );
  const frame = groupRect(layout, 0);
  assert.equal(boxRect(picture({ boxes, arrows: [] }), layout, 1).top - frame.top, TITLE_BAR + MARGIN);
  assert.equal(frame.bottom - boxRect(picture({ boxes, arrows: [] }), layout, 1).bottom, MARGIN);
  assert.equal(new Set(xs(layout)).size, 1);
  assert.equal(route(layout, 0).length, 4);
});

test("arrows of one box leave its frame as one line", () => {
  const boxes = [
    [100, 40, 0],
    [100, 40, -1],
    [100, 40, -1],
  ] as const;
  const layout = layOut(
    picture({
      boxes,
      arrows: [
        [0, 1],
        [0, 2],
      ],
      parents: [-1],
    }),
  );
  const { bottom } = groupRect(layout, 0);
  const ports = [0, 1].map((number) => {
    const points = route(layout, number);
    return points[points.indexOf(bottom) - 1];
  });
  assert.equal(ports[0], ports[1]);
});

test("boxes without arrows stand in columns beside the rest", () => {
  const layout = layOut(picture({ boxes: 5, arrows: [[0, 1]] }));
  assert.deepEqual(new Set(xs(layout).slice(0, 2)).size, 1);
  const rest = xs(layout)[0]! + 50;
  assert.ok(
    xs(layout)
      .slice(2)
      .every((x) => x - 50 >= rest + 2 * MARGIN),
  );
});

test("labels of neighbouring arrows into one box have room side by side", () => {
  const input = picture({
    boxes: 3,
    arrows: [
      [0, 2],
      [1, 2],
    ],
    labels: [90, 90],
  });
  const { labels } = layOut(input);
  assert.ok(Math.abs(labels[0]! - labels[2]!) >= 90);
  assert.equal(labels[1], labels[3]);
});

test("a chain of 100,000 boxes, in 1,000 nested frames", () => {
  const boxes = Array.from({ length: 100_000 }, (_, box) => [100, 40, Math.min(box, 999)] as const);
  const arrows = Array.from({ length: 99_999 }, (_, box) => [box, box + 1] as const);
  const parents = Array.from({ length: 1000 }, (_, group) => group - 1);
  const layout = layOut(picture({ boxes, arrows, parents }));
  assert.equal(new Set(xs(layout)).size, 1);
  assert.equal(layout.stubs.length, 0);
});
