// What has been laid out once is not laid out again, until something about it changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PaneCache } from "../../src/layout/cache.ts";
import { layOut } from "../../src/layout/layout.ts";
import type { Arranged, Pane } from "../../src/layout/pane.ts";
import { picture } from "./pictures.ts";

/** A cache that tells how many boxes each pane has that had to be laid out. */
class Watched extends PaneCache {
  readonly done: number[] = [];

  override get(pane: Pane, arrange: () => Arranged): Arranged {
    return super.get(pane, () => {
      this.done.push(pane.width.length);
      return arrange();
    });
  }
}

test("opening one module lays out that one and what it lies in, no other", () => {
  const cache = new Watched();
  const arrows = [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ] as const;
  const closed = [
    [100, 40, 0],
    [100, 40, 0],
    [100, 40, 0],
    [100, 40, -1],
    [100, 40, -1],
  ] as const;
  layOut(picture({ boxes: closed, arrows, parents: [-1] }), cache);
  assert.deepEqual(cache.done, [4, 3]); // three boxes and an exit; their frame and two boxes
  cache.done.length = 0;
  layOut(picture({ boxes: closed, arrows, parents: [-1] }), cache);
  assert.deepEqual(cache.done, []);
  const opened = [...closed.slice(0, 4), [100, 40, 1] as const];
  layOut(picture({ boxes: opened, arrows, parents: [-1, -1] }), cache);
  assert.deepEqual(cache.done, [2, 3]); // the new frame's box and entry; two frames and a box
});

test("another size, label or title is laid out anew", () => {
  const cache = new Watched();
  const input = picture({
    boxes: [
      [100, 40, 0],
      [100, 40, 0],
    ],
    arrows: [[0, 1]],
    parents: [-1],
  });
  const changed = [
    { ...input, sizes: Float64Array.of(100, 40, 100, 41) },
    { ...input, labels: Float64Array.of(30) },
    { ...input, groupTitle: Float64Array.of(121) },
  ];
  layOut(input, cache);
  for (const other of changed) {
    cache.done.length = 0;
    assert.deepEqual(layOut(other, cache), layOut(other));
    assert.equal(cache.done[0], 2);
  }
});
