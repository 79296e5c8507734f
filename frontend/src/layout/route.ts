// How high everything lies, and the points of the lines.
//
// A row is a band: room for the labels above its boxes, then the boxes. Within a band every line goes straight down, past
// or into a box; it moves sideways only in the gap between two bands, where nothing stands. So no line touches a box
// that is not its own, whatever curve joins two points.

import type { Lattice } from "./lattice.ts";
import { Line } from "./line.ts";
import { CORNER, ENTRY, EXIT, FAN, LABEL_BAND, MARGIN, type Pane, ROW_GAP, TITLE_BAR } from "./pane.ts";

const HEAD = 7; // length of an arrow head, below the label
const LABEL_HEIGHT = 12;
const SLOPE = 0.06; // further height of a gap for each pixel that a line moves sideways in it
const HIGHEST_GAP = 64;
const LOOSE = 24; // a box that is so much lower than its row keeps to its neighbours' side

interface Bands {
  readonly top: Float64Array;
  readonly bottom: Float64Array;
  /** Centres of the nodes. */
  readonly y: Float64Array;
  readonly height: number;
  readonly fans: Float64Array;
}

/** By what share the lines into each node run together below their labels: 1 where they need not. */
function fansOf(pane: Pane, grid: Lattice): Float64Array {
  const fans = new Float64Array(grid.real).fill(1);
  for (let edge = 0; edge < pane.target.length; edge++) {
    const target = pane.target[edge]!;
    const half = Math.max(0, pane.width[target]! / 2 - CORNER);
    const offset = Math.abs(grid.lowerOffset[grid.steps[edge + 1]! - 1]!);
    if (grid.framed[target] === 0 && offset > half) fans[target] = Math.min(fans[target]!, half / offset);
  }
  return fans;
}

export function bands(pane: Pane, grid: Lattice, x: Float64Array): Bands {
  const { rows, rank } = grid;
  const labels = new Float64Array(rows);
  const tallest = new Float64Array(rows);
  const fans = fansOf(pane, grid);
  for (let edge = 0; edge < pane.label.length; edge++) {
    const target = pane.target[edge]!;
    const band = LABEL_BAND + (fans[target]! < 1 ? FAN : 0);
    if (pane.label[edge]! > 0) labels[rank[target]!] = Math.max(labels[rank[target]!]!, band);
  }
  for (let node = 0; node < grid.real; node++) {
    const row = rank[node]!;
    const height = pane.kind[node] === ENTRY ? TITLE_BAR : pane.height[node]!;
    if (row >= 0) tallest[row] = Math.max(tallest[row]!, height);
  }
  const gaps = gapsBelow(pane, grid, x);
  const top = new Float64Array(rows);
  const bottom = new Float64Array(rows);
  const entered = pane.kind.includes(ENTRY);
  let y = entered ? 0 : MARGIN + (pane.title < 0 ? 0 : TITLE_BAR);
  for (let row = 0; row < rows; row++) {
    top[row] = y;
    bottom[row] = y + labels[row]! + tallest[row]!;
    y = bottom[row]! + gaps[row]!;
  }
  const height = rows === 0 ? y : bottom[rows - 1]! + (pane.kind.includes(EXIT) ? 0 : MARGIN);
  return { top, bottom, height, fans, y: middles(pane, grid, top, bottom, labels) };
}

function gapsBelow(pane: Pane, grid: Lattice, x: Float64Array): Float64Array {
  const gaps = new Float64Array(grid.rows).fill(ROW_GAP);
  // Lines that go straight through a frame's edge need no room there.
  if (pane.kind.includes(ENTRY)) gaps[0] = MARGIN;
  if (pane.kind.includes(EXIT)) gaps[grid.rows - 2] = MARGIN;
  for (let step = 0; step < grid.upper.length; step++) {
    const upper = grid.upper[step]!;
    const lower = grid.lower[step]!;
    const row = grid.rank[upper]!;
    const aside = Math.abs(x[upper]! + grid.upperOffset[step]! - x[lower]! - grid.lowerOffset[step]!);
    if (aside > 0.5) gaps[row] = Math.max(gaps[row]!, Math.min(ROW_GAP + SLOPE * aside, HIGHEST_GAP));
  }
  return gaps;
}

function middles(
  pane: Pane,
  grid: Lattice,
  top: Float64Array,
  bottom: Float64Array,
  labels: Float64Array,
): Float64Array {
  const y = new Float64Array(grid.real);
  for (let node = 0; node < grid.real; node++) {
    const row = grid.rank[node]!;
    if (row < 0) continue;
    const half = pane.height[node]! / 2;
    const highest = top[row]! + labels[row]! + half;
    const lowest = bottom[row]! - half;
    const from = grid.up.start[node]! < grid.up.start[node + 1]!;
    const on = grid.down.start[node]! < grid.down.start[node + 1]!;
    if (pane.kind[node] === ENTRY) y[node] = 0;
    else if (lowest - highest <= LOOSE || from === on) y[node] = (highest + lowest) / 2;
    else y[node] = from ? highest : lowest;
  }
  return y;
}

export interface Routes {
  readonly points: Float64Array;
  readonly start: Int32Array;
  readonly labels: Float64Array;
}

export function routes(pane: Pane, grid: Lattice, { top, bottom, y, fans }: Bands, x: Float64Array): Routes {
  const line = new Line();
  const edges = pane.source.length;
  const start = new Int32Array(edges + 1);
  const labels = new Float64Array(2 * edges).fill(Number.NaN);
  for (let edge = 0; edge < edges; edge++) {
    const [source, target] = [pane.source[edge]!, pane.target[edge]!];
    const first = grid.steps[edge]!;
    const last = grid.steps[edge + 1]! - 1;
    const leaves = x[source]! + grid.upperOffset[first]!;
    line.begin(leaves, y[source]! + pane.height[source]! / 2);
    line.to(leaves, bottom[grid.rank[source]!]!);
    for (let step = first; step < last; step++) {
      const bend = grid.lower[step]!;
      line.to(x[bend]!, top[grid.rank[bend]!]!);
      line.to(x[bend]!, bottom[grid.rank[bend]!]!);
    }
    const arrives = x[target]! + grid.lowerOffset[last]!;
    const roof = y[target]! - pane.height[target]! / 2;
    const fan = fans[target]! < 1 ? FAN : 0;
    line.to(arrives, top[grid.rank[target]!]!);
    if (fan > 0) line.to(arrives, roof - HEAD - fan);
    line.to(fan === 0 ? arrives : x[target]! + grid.lowerOffset[last]! * fans[target]!, roof);
    if (pane.label[edge]! > 0) labels.set([arrives, roof - HEAD - fan - LABEL_HEIGHT / 2], 2 * edge);
    start[edge + 1] = line.points.length / 2;
  }
  return { points: new Float64Array(line.points), start, labels };
}
