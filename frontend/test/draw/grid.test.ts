import assert from "node:assert/strict";
import test from "node:test";
import { Grid } from "../../src/draw/grid.ts";

/** Numbers from 0 to 1 that are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

function cloud(count: number, width: number, height: number) {
  const random = numbers(count);
  const next = () => random.next().value;
  const places = Float64Array.from({ length: 2 * count }, (_, at) => next() * (at % 2 === 0 ? width : height));
  const sizes = Float64Array.from({ length: 2 * count }, (_, at) => 10 + next() * (at % 2 === 0 ? 300 : 60));
  return { places, sizes, next };
}

test("finds exactly the boxes that touch an area", () => {
  for (const [count, width, height] of [
    [0, 1, 1],
    [1, 40, 40],
    [500, 3000, 900],
    [400, 200, 90_000],
  ] as const) {
    const { places, sizes, next } = cloud(count, width, height);
    const grid = new Grid(places, sizes, width, height);
    for (let round = 0; round < 50; round++) {
      const [left, top] = [(next() * 1.4 - 0.2) * width, (next() * 1.4 - 0.2) * height];
      const area = { left, top, right: left + next() * 900, bottom: top + next() * 900 };
      const wanted = [...Array(count).keys()].filter((box) => {
        const [x, y, w, h] = [places[2 * box]!, places[2 * box + 1]!, sizes[2 * box]! / 2, sizes[2 * box + 1]! / 2];
        return x - w <= area.right && x + w >= area.left && y - h <= area.bottom && y + h >= area.top;
      });
      assert.deepEqual(
        grid.within(area).sort((a, b) => a - b),
        wanted,
      );
    }
  }
});

test("finds all boxes in an endless area", () => {
  const { places, sizes } = cloud(300, 4000, 4000);
  const grid = new Grid(places, sizes, 4000, 4000);
  const everywhere = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  assert.equal(new Set(grid.within(everywhere)).size, 300);
});

test("finds the box at a place", () => {
  const grid = new Grid(Float64Array.of(50, 50, 900, 500), Float64Array.of(40, 20, 600, 30), 1300, 600);
  assert.deepEqual([grid.at(70, 60), grid.at(71, 60), grid.at(601, 514), grid.at(599, 514)], [0, -1, 1, -1]);
});
