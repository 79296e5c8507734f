// What holds of every layout, on random nested pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PaneCache } from "../../src/layout/cache.ts";
import { layOut } from "../../src/layout/layout.ts";
import { TITLE_BAR } from "../../src/layout/pane.ts";
import { type Layout, type LayoutInput, STUB } from "../../src/layout/types.ts";
import { around, boxRect, contains, curve, groupRect, inside, overlap, type Rect, randomPicture } from "./pictures.ts";

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed);

function forEach(check: (input: LayoutInput, layout: Layout, seed: number) => void): void {
  for (const seed of SEEDS) {
    const input = randomPicture(seed);
    check(input, layOut(input), seed);
  }
}

/** All boxes and pills, each with the group that it lies in. */
function solids(input: LayoutInput, layout: Layout): { rect: Rect; group: number; box: number }[] {
  const boxes = Array.from(input.boxGroup, (group, box) => ({ rect: boxRect(input, layout, box), group, box }));
  const pills = new Map(
    layout.stubs.map(({ arrow, end, x, y }) => {
      const group = input.boxGroup[input.arrows[2 * arrow + (end === "source" ? 0 : 1)]!]!;
      return [`${x} ${y}`, { rect: around(x, y, STUB.width, STUB.height), group, box: -1 }];
    }),
  );
  return [...boxes, ...pills.values()];
}

function lies(input: LayoutInput, group: number, frame: number): boolean {
  let at = group;
  while (at >= 0 && at !== frame) at = input.groupParent[at]!;
  return at === frame;
}

/** The frames around neither end of an arrow. */
function strangers(input: LayoutInput, arrow: number): number[] {
  const homes = [0, 1].map((end) => input.boxGroup[input.arrows[2 * arrow + end]!]!);
  return [...input.groupParent.keys()].filter((frame) => !homes.some((home) => lies(input, home, frame)));
}

function labelRects(input: LayoutInput, layout: Layout): { arrow: number; rect: Rect }[] {
  return Array.from(input.labels.keys())
    .filter((arrow) => !Number.isNaN(layout.labels[2 * arrow]!))
    .map((arrow) => {
      const rect = around(layout.labels[2 * arrow]!, layout.labels[2 * arrow + 1]!, input.labels[arrow]!, 12);
      return { arrow, rect };
    });
}

test("every number is one, and lies on the paper", () => {
  forEach((input, layout, seed) => {
    const paper = { left: 0, top: 0, right: layout.width, bottom: layout.height };
    for (const numbers of [layout.boxes, layout.groups, layout.points]) assert.ok(numbers.every(Number.isFinite));
    for (const { rect } of solids(input, layout)) assert.ok(inside(rect, paper), `seed ${seed}`);
    for (const { rect } of labelRects(input, layout)) assert.ok(inside(rect, paper), `seed ${seed}`);
  });
});

test("no two boxes or pills overlap", () => {
  forEach((input, layout, seed) => {
    const all = solids(input, layout);
    for (let a = 0; a < all.length; a++) {
      for (let b = 0; b < a; b++) assert.ok(!overlap(all[a]!.rect, all[b]!.rect), `seed ${seed}: ${b} and ${a}`);
    }
  });
});

test("boxes and frames lie in the frames of their groups, below the title, and no others do", () => {
  forEach((input, layout, seed) => {
    const frames = Array.from(input.groupParent, (group, frame) => ({
      rect: groupRect(layout, frame),
      group,
      box: -1,
    }));
    for (const [frame, { rect: outer }] of frames.entries()) {
      const content = { ...outer, top: outer.top + TITLE_BAR };
      for (const { rect, group } of [...solids(input, layout), ...frames]) {
        if (lies(input, group, frame)) assert.ok(inside(rect, content), `seed ${seed}`);
        else assert.ok(!overlap(rect, outer) || inside(outer, rect), `seed ${seed}`);
      }
    }
  });
});

test("routes run from the bottom edge of their source to the top edge of their target", () => {
  forEach((input, layout, seed) => {
    for (let route = 0; route < layout.routeArrow.length; route++) {
      const arrow = layout.routeArrow[route]!;
      const stubs = layout.stubs.filter((stub) => stub.arrow === arrow);
      const pill = (end: "source" | "target") => {
        const { x, y } = stubs.find((stub) => stub.end === end)!;
        return around(x, y, STUB.width, STUB.height);
      };
      const box = (end: 0 | 1) => boxRect(input, layout, input.arrows[2 * arrow + end]!);
      const cut = stubs.length > 0;
      const source = cut && layout.routeHead[route] === 1 ? pill("target") : box(0);
      const target = cut && layout.routeHead[route] === 0 ? pill("source") : box(1);
      const points = layout.points.subarray(2 * layout.routeStart[route]!, 2 * layout.routeStart[route + 1]!);
      const [first, last] = [points.subarray(0, 2), points.subarray(-2)];
      assert.ok(Math.abs(first[1]! - source.bottom) < 1e-6, `seed ${seed}`);
      assert.ok(Math.abs(last[1]! - target.top) < 1e-6, `seed ${seed}`);
      assert.ok(first[0]! >= source.left && first[0]! <= source.right, `seed ${seed}`);
      assert.ok(last[0]! >= target.left && last[0]! <= target.right, `seed ${seed}`);
      for (let i = 3; i < points.length; i += 2) assert.ok(points[i]! > points[i - 2]!, `seed ${seed}: goes up`);
    }
  });
});

test("no route passes over a box, a pill, or a frame in which neither of its ends lies", () => {
  forEach((input, layout, seed) => {
    const all = solids(input, layout);
    for (let route = 0; route < layout.routeArrow.length; route++) {
      const curved = curve(layout, route);
      for (const { rect } of all) assert.ok(!curved.some((point) => contains(rect, point)), `seed ${seed}`);
      for (const group of strangers(input, layout.routeArrow[route]!)) {
        const frame = groupRect(layout, group);
        assert.ok(!curved.some((point) => contains(frame, point)), `seed ${seed}: route ${route}`);
      }
    }
  });
});

test("labels overlap neither boxes nor each other, and every arrow with a label has one", () => {
  forEach((input, layout, seed) => {
    const labels = labelRects(input, layout);
    const all = solids(input, layout);
    for (const [i, { rect, arrow }] of labels.entries()) {
      assert.ok(!all.some((solid) => overlap(solid.rect, rect)), `seed ${seed}: label of ${arrow}`);
      for (let k = 0; k < i; k++) assert.ok(!overlap(labels[k]!.rect, rect), `seed ${seed}: labels ${k} and ${i}`);
    }
    const shared = new Set(layout.stubs.map((stub) => stub.arrow));
    const expected = [...input.labels.keys()].filter((arrow) => input.labels[arrow]! > 0 && !shared.has(arrow));
    const found = new Set(labels.map(({ arrow }) => arrow));
    for (const arrow of expected) assert.ok(found.has(arrow), `seed ${seed}: ${arrow}`);
  });
});

test("a cut arrow has a pill at both ends, any other arrow one route with a head", () => {
  forEach((input, layout) => {
    for (const arrow of input.again.keys()) {
      const heads = [...layout.routeArrow.keys()].filter((route) => layout.routeArrow[route] === arrow);
      const ends = layout.stubs.filter((stub) => stub.arrow === arrow).map((stub) => stub.end);
      if (ends.length === 0)
        assert.deepEqual(
          heads.map((route) => layout.routeHead[route]),
          [1],
        );
      else
        assert.deepEqual(
          [ends, heads.map((route) => layout.routeHead[route])],
          [
            ["source", "target"],
            [0, 1],
          ],
        );
      if (input.again[arrow] === 1) assert.equal(ends.length, 2);
    }
  });
});

test("the same input gives the same layout, from a cache too", () => {
  const cache = new PaneCache();
  for (const seed of SEEDS.slice(0, 30)) {
    const layout = layOut(randomPicture(seed));
    assert.deepEqual(layOut(randomPicture(seed)), layout);
    assert.deepEqual(layOut(randomPicture(seed), cache), layout);
    assert.deepEqual(layOut(randomPicture(seed), cache), layout);
  }
});
