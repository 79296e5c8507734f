// Curves of arrows: through the points of a route, upright at each of them, and the arrow head at the end. Between two
// points there is one cubic whose control points lie above one another; it never leaves the rectangle of its two points.

import type { Path } from "./pen.ts";

const PIECES = 12; // straight pieces that a curve is taken for when its distance is asked for
const STRAIGHT = 0.5; // how far apart two points may lie sideways (or in height) to be joined by a straight line

/** Points, flat, of which a route takes those from `start` until before `stop`. */
export interface Route {
  readonly points: Float64Array;
  readonly start: number;
  readonly stop: number;
}

function isStraight(x0: number, y0: number, x1: number, y1: number): boolean {
  return Math.abs(x1 - x0) < STRAIGHT || Math.abs(y1 - y0) < STRAIGHT;
}

/** The direction in which a route arrives at its last point, of length 1. */
export function arrival({ points, stop }: Route): readonly [number, number] {
  const [x0, y0, x1, y1] = points.subarray(2 * stop - 4, 2 * stop) as unknown as [number, number, number, number];
  if (!isStraight(x0, y0, x1, y1)) return [0, Math.sign(y1 - y0)];
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  return [(x1 - x0) / length, (y1 - y0) / length];
}

/** Traces a route, without its last `short` units (which an arrow head takes). */
export function traceRoute(path: Path, route: Route, short: number): void {
  const { points, start, stop } = route;
  const last = stop - 1;
  const [dx, dy] = short > 0 ? arrival(route) : [0, 0];
  let x = points[2 * start]!;
  let y = points[2 * start + 1]!;
  path.moveTo(x, y);
  for (let point = start + 1; point < stop; point++) {
    const endX = points[2 * point]! - (point === last ? dx * short : 0);
    const endY = points[2 * point + 1]! - (point === last ? dy * short : 0);
    const middle = (y + endY) / 2;
    if (isStraight(x, y, endX, endY)) path.lineTo(endX, endY);
    else path.bezierCurveTo(x, middle, endX, middle, endX, endY);
    x = endX;
    y = endY;
  }
}

/** Traces the straight lines between a route's points: what is left to see of it from far away. */
export function traceLines(path: Path, { points, start, stop }: Route): void {
  path.moveTo(points[2 * start]!, points[2 * start + 1]!);
  for (let point = start + 1; point < stop; point++) path.lineTo(points[2 * point]!, points[2 * point + 1]!);
}

/** Traces the arrow head at a route's end, a triangle whose tip is the last point. */
export function traceHead(path: Path, route: Route, length: number, width: number): void {
  const [dx, dy] = arrival(route);
  const x = route.points[2 * route.stop - 2]!;
  const y = route.points[2 * route.stop - 1]!;
  path.moveTo(x, y);
  path.lineTo(x - dx * length - (dy * width) / 2, y - dy * length + (dx * width) / 2);
  path.lineTo(x - dx * length + (dy * width) / 2, y - dy * length - (dx * width) / 2);
  path.closePath();
}

/** How far a place is from a route's curve. */
export function distanceTo({ points, start, stop }: Route, x: number, y: number): number {
  let least = Infinity;
  for (let point = start; point < stop - 1; point++) {
    const [x0, y0, x1, y1] = points.subarray(2 * point, 2 * point + 4) as unknown as [number, number, number, number];
    const pieces = isStraight(x0, y0, x1, y1) ? 1 : PIECES;
    let [fromX, fromY] = [x0, y0];
    for (let piece = 1; piece <= pieces; piece++) {
      const t = piece / pieces;
      // The cubic x0, x0, x1, x1 sideways and y0, middle, middle, y1 in height; straight ones are even in both.
      const sideways = pieces === 1 ? t : t * t * (3 - 2 * t);
      const down = pieces === 1 ? t : 1.5 * t * (1 - t) + t * t * t;
      const [toX, toY] = [x0 + (x1 - x0) * sideways, y0 + (y1 - y0) * down];
      least = Math.min(least, toPiece(x, y, fromX, fromY, toX, toY));
      [fromX, fromY] = [toX, toY];
    }
  }
  return least;
}

function toPiece(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy || 1;
  const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}
