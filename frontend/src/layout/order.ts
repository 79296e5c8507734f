// In which order the nodes of each row stand, so that few lines cross.
//
// A walk from the top gives a good first order. Then rows are sorted by the mean place of what they are connected to, up
// and down in turns; neighbours swap where that helps; the order with the fewest crossings stays.

import { CrossingCounter, lowerPlace, upperPlace } from "./crossings.ts";
import type { Lattice } from "./lattice.ts";
import { swapNeighbours } from "./swap.ts";

export interface Rows {
  /** Where each row starts in `node`, and the end. */
  readonly start: Int32Array;
  readonly node: Int32Array;
  /** The place of each node in its row. */
  readonly place: Int32Array;
}

const SWEEPS = 12;
const PATIENCE = 4; // sweeps without any gain

export function order(grid: Lattice, wish: Float64Array): { rows: Rows; crossings: number } {
  const rows = firstOrder(grid);
  const counter = new CrossingCounter(grid);
  let best = counter.all(rows);
  let kept = rows.node.slice();
  const look = (): boolean => {
    const crossings = counter.all(rows);
    if (crossings >= best) return false;
    best = crossings;
    kept = rows.node.slice();
    return true;
  };
  for (let sweep = 0, idle = 0; sweep < SWEEPS && best > 0 && idle < PATIENCE; sweep++) {
    sortRows(grid, rows, sweep % 2 === 0);
    idle = look() ? 0 : idle + 1;
  }
  restore(rows, kept);
  if (best > 0) {
    swapNeighbours(grid, rows);
    look();
    restore(rows, kept);
  }
  for (const row of [0, grid.rows - 1]) {
    if (!sortPorts(rows, row, wish)) continue;
    const crossings = counter.all(rows);
    if (crossings <= best) {
      best = crossings;
      kept = rows.node.slice();
    } else restore(rows, kept);
  }
  return { rows, crossings: best };
}

/** Put a row of ports in the order that suits what lies outside. Whether that changed anything. */
function sortPorts(rows: Rows, row: number, wish: Float64Array): boolean {
  const ports = rows.node.subarray(rows.start[row], rows.start[row + 1]);
  if (ports.length < 2 || Number.isNaN(wish[ports[0]!] ?? Number.NaN)) return false;
  ports.sort((a, b) => wish[a]! - wish[b]!);
  number(rows, row);
  return true;
}

function restore(rows: Rows, kept: Int32Array): void {
  rows.node.set(kept);
  for (let row = 0; row + 1 < rows.start.length; row++) number(rows, row);
}

function number(rows: Rows, row: number): void {
  const first = rows.start[row]!;
  for (let i = first; i < rows.start[row + 1]!; i++) rows.place[rows.node[i]!] = i - first;
}

/** Depth first from the nodes that nothing leads to; each is put behind what its row has already. */
function firstOrder(grid: Lattice): Rows {
  const { count, rank, down, up, lower } = grid;
  const start = new Int32Array(grid.rows + 1);
  for (let node = 0; node < count; node++) if (rank[node]! >= 0) start[rank[node]! + 1]!++;
  for (let row = 0; row < grid.rows; row++) start[row + 1]! += start[row]!;
  const next = start.slice(0, grid.rows);
  const rows = { start, node: new Int32Array(start[grid.rows]!), place: new Int32Array(count) };
  const seen = new Uint8Array(count);
  const stack: number[] = [];
  for (let node = 0; node < count; node++) {
    if (up.start[node] !== up.start[node + 1] || rank[node]! < 0) continue;
    stack.push(node);
    while (stack.length > 0) {
      const one = stack.pop()!;
      if (seen[one] === 1) continue;
      seen[one] = 1;
      rows.node[next[rank[one]!]!++] = one;
      for (let i = down.start[one + 1]! - 1; i >= down.start[one]!; i--) stack.push(lower[down.item[i]!]!);
    }
  }
  for (let row = 0; row < grid.rows; row++) number(rows, row);
  return rows;
}

/** Sort each row by what stands in the row before it on the way, down or up. */
function sortRows(grid: Lattice, rows: Rows, downwards: boolean): void {
  const links = downwards ? grid.up : grid.down;
  const placeOf = downwards ? upperPlace : lowerPlace;
  const keys = new Float64Array(grid.count);
  for (let k = 1; k < grid.rows; k++) {
    const row = downwards ? k : grid.rows - 1 - k;
    const first = rows.start[row]!;
    const end = rows.start[row + 1]!;
    if (end - first < 2) continue;
    for (let i = first; i < end; i++) {
      const node = rows.node[i]!;
      let sum = 0;
      for (let s = links.start[node]!; s < links.start[node + 1]!; s++) sum += placeOf(grid, rows, links.item[s]!);
      const ways = links.start[node + 1]! - links.start[node]!;
      keys[node] = ways > 0 ? sum / ways : i - first;
    }
    rows.node.subarray(first, end).set(Array.from(rows.node.subarray(first, end)).sort((a, b) => keys[a]! - keys[b]!));
    number(rows, row);
  }
}
