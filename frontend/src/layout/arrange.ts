// Lays out one pane: rows, order, places, lines. Pure, and the same for the same pane.

import { attach } from "./attach.ts";
import { type Lattice, lattice } from "./lattice.ts";
import { ASIDE, columns } from "./loose.ts";
import { order } from "./order.ts";
import { type Arranged, ENTRY, EXIT, MARGIN, type Pane, TITLE_BAR } from "./pane.ts";
import { place } from "./place.ts";
import type { Ranks } from "./rank.ts";
import { bands, type Routes, routes } from "./route.ts";
import { straighten } from "./straighten.ts";

const BESIDE_TITLE = 8;
const MOST_ASIDE = 120; // pixels by which a frame may grow for that

export function arrange(pane: Pane, ranks: Ranks): Arranged {
  const grid = lattice(pane, ranks);
  const { rows, crossings } = order(grid, pane.wish);
  attach(pane, grid, rows);
  const { x, reach } = place(grid, rows);
  straighten(grid, rows, x, reach);
  const high = bands(pane, grid, x);
  const lines = routes(pane, grid, high, x);
  const loose = addLoose(pane, ranks, extent(grid, ranks, x), high.height, { x, y: high.y });
  lowerExits(pane, lines, high.y, loose.height - high.height);
  const { width, shift } = frame(pane, loose, x);
  for (let node = 0; node < grid.real; node++) x[node]! += shift;
  for (let i = 0; i < lines.points.length; i += 2) lines.points[i]! += shift;
  for (let i = 0; i < lines.labels.length; i += 2) lines.labels[i]! += shift;
  return { width, height: loose.height, x: x.slice(0, grid.real), y: high.y, ...lines, crossings };
}

/** The width of the frame, and how far all in it moves right: lines that enter should not pass over the title. */
function frame(pane: Pane, { left, right }: { left: number; right: number }, x: Float64Array) {
  const width = Math.max(right - left + 2 * MARGIN, pane.title);
  const shift = (width - right - left) / 2;
  const entries = pane.kind.reduce((least, kind, node) => (kind === ENTRY ? Math.min(least, x[node]!) : least), right);
  const hidden = pane.text + BESIDE_TITLE - entries - shift;
  if (hidden <= 0 || hidden > MOST_ASIDE) return { width, shift };
  return { width: Math.max(width, right + shift + hidden + MARGIN), shift: shift + hidden };
}

function extent(grid: Lattice, { rank }: Ranks, x: Float64Array): { left: number; right: number } {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (let node = 0; node < grid.count; node++) {
    if (node < grid.real && rank[node]! < 0) continue;
    left = Math.min(left, x[node]! - grid.left[node]!);
    right = Math.max(right, x[node]! + grid.right[node]!);
  }
  return left > right ? { left: 0, right: 0 } : { left, right };
}

function addLoose(
  pane: Pane,
  { rank, rows }: Ranks,
  rest: { left: number; right: number },
  height: number,
  middles: { x: Float64Array; y: Float64Array },
): { left: number; right: number; height: number } {
  const boxes: number[] = [];
  for (let node = 0; node < rank.length; node++) if (rank[node]! < 0) boxes.push(node);
  if (boxes.length === 0) return { ...rest, height };
  const top = MARGIN + (pane.title < 0 ? 0 : TITLE_BAR);
  const left = rows === 0 ? 0 : rest.right + ASIDE;
  const block = columns(
    boxes.map((box) => pane.width[box]!),
    boxes.map((box) => pane.height[box]!),
    rows === 0 ? 0 : height - top - MARGIN,
  );
  boxes.forEach((box, i) => {
    middles.x[box] = left + block.x[i]!;
    middles.y[box] = top + block.y[i]!;
  });
  return { left: rest.left, right: left + block.width, height: Math.max(height, top + block.height + MARGIN) };
}

/** Exits are on the bottom edge of the frame, wherever that comes to lie. */
function lowerExits(pane: Pane, lines: Routes, y: Float64Array, by: number): void {
  if (by <= 0) return;
  for (let node = 0; node < y.length; node++) if (pane.kind[node] === EXIT) y[node]! += by;
  for (let edge = 0; edge < pane.target.length; edge++) {
    if (pane.kind[pane.target[edge]!] === EXIT) lines.points[2 * lines.start[edge + 1]! - 1]! += by;
  }
}
