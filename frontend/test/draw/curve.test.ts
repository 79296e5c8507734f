import assert from "node:assert/strict";
import test from "node:test";
import { arrowWidth, headSize } from "../../src/draw/arrows.ts";
import { arrival, distanceTo, type Route, traceHead, traceLines, traceRoute } from "../../src/draw/curve.ts";
import type { Path } from "../../src/draw/pen.ts";

/** Writes down what is traced. */
class Notes implements Path {
  readonly calls: (string | number)[][] = [];
  moveTo(...at: number[]): void {
    this.calls.push(["M", ...at]);
  }
  lineTo(...at: number[]): void {
    this.calls.push(["L", ...at]);
  }
  bezierCurveTo(...at: number[]): void {
    this.calls.push(["C", ...at]);
  }
  roundRect(): void {
    assert.fail("curves have no rectangles");
  }
  closePath(): void {
    this.calls.push(["Z"]);
  }
}

function traced(trace: (path: Path) => void): (string | number)[][] {
  const notes = new Notes();
  trace(notes);
  return notes.calls;
}

function route(...points: number[]): Route {
  return { points: Float64Array.from(points), start: 0, stop: points.length / 2 };
}

test("points above one another are joined by a line, others by a cubic that is upright at both", () => {
  const calls = traced((path) => traceRoute(path, route(10, 0, 10, 20, 50, 60), 0));
  assert.deepEqual(calls, [
    ["M", 10, 0],
    ["L", 10, 20],
    ["C", 10, 40, 50, 40, 50, 60],
  ]);
});

test("a route within other points takes its own", () => {
  const part = { points: Float64Array.from([9, 9, 1, 2, 1, 8, 7, 7]), start: 1, stop: 3 };
  assert.deepEqual(
    traced((path) => traceLines(path, part)),
    [
      ["M", 1, 2],
      ["L", 1, 8],
    ],
  );
});

test("a curve stops before its arrow head", () => {
  assert.deepEqual(
    traced((path) => traceRoute(path, route(0, 0, 40, 30), 6)),
    [
      ["M", 0, 0],
      ["C", 0, 12, 40, 12, 40, 24],
    ],
  );
  assert.deepEqual(
    traced((path) => traceRoute(path, route(0, 0, 30, 0), 6)),
    [
      ["M", 0, 0],
      ["L", 24, 0],
    ],
  );
});

test("arrows arrive upright, upwards too, and along level lines", () => {
  assert.deepEqual(arrival(route(0, 0, 40, 30)), [0, 1]);
  assert.deepEqual(arrival(route(0, 30, 40, 0)), [0, -1]);
  assert.deepEqual(arrival(route(40, 0, 10, 0)), [-1, 0]);
});

test("the tip of an arrow head is the last point", () => {
  const down = traced((path) => traceHead(path, route(0, 0, 10, 30), 6, 4));
  assert.deepEqual(down, [["M", 10, 30], ["L", 8, 24], ["L", 12, 24], ["Z"]]);
  const left = traced((path) => traceHead(path, route(40, 5, 10, 5), 6, 4));
  assert.deepEqual(left, [["M", 10, 5], ["L", 16, 3], ["L", 16, 7], ["Z"]]);
});

test("distances are those to the curve, not to its points", () => {
  assert.equal(distanceTo(route(10, 0, 10, 100), 14, 50), 4);
  assert.equal(distanceTo(route(10, 0, 10, 100), 10, 130), 30);
  const bent = route(0, 0, 100, 100); // passes its middle, where it runs sideways, and not (75, 40)
  assert.ok(distanceTo(bent, 50, 50) < 1e-9);
  assert.ok(distanceTo(bent, 0, 0) < 1e-9);
  assert.ok(distanceTo(bent, 75, 40) > 20);
  // At a quarter of the way the cubic is at 0.15625 sideways and 0.296875 down.
  assert.ok(distanceTo(bent, 15.625, 29.6875) < 0.5);
});

test("arrows of more edges are wider, up to a limit, and so are their heads", () => {
  const widths = [1, 2, 4, 8, 1000].map(arrowWidth);
  assert.deepEqual(widths, [1.2, 1.45, 1.7, 1.95, 2.7]);
  assert.equal(arrowWidth(0), 1.2); // to a dead end
  assert.ok(headSize(2.7).width > headSize(1.2).width);
});
