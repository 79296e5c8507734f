// In which order the nodes of each row stand, so that few lines cross.
//
// A walk from the top gives a good first order. Then rows are sorted by the mean place of what they are connected to, up
// and down in turns; neighbours swap where that helps; the order with the fewest crossings stays.

import { CrossingCounter, lowerPlace, upperPlace } from "./crossings.ts";
import type { Lattice } from "./lattice.ts";
import { emptyRows, type Rows, renumber } from "./rows.ts";
import { swapNeighbours } from "./swap.ts";

const FEW = 40; // so many nodes are sorted faster by plain insertion
const SWEEPS = 12;
const SMALL = 3000; // steps of a pane for which a second first order is tried
const PATIENCE = 4; // sweeps without any gain

export function order(grid: Lattice, wish: Float64Array): { rows: Rows; crossings: number } {
  const counter = new CrossingCounter(grid);
  let rows = firstOrder(grid, false);
  let crossings = improve(grid, rows, counter);
  if (crossings > 0 && grid.upper.length <= SMALL) {
    const mirrored = firstOrder(grid, true);
    const fewer = improve(grid, mirrored, counter);
    if (fewer < crossings) [rows, crossings] = [mirrored, fewer];
  }
  for (const row of [0, grid.rows - 1]) {
    const before = rows.node.slice();
    if (!sortPorts(rows, row, wish)) continue;
    const now = counter.all(rows);
    if (now <= crossings) crossings = now;
    else restore(rows, before);
  }
  return { rows, crossings };
}

/** Sort and swap. How many crossings are left. */
function improve(grid: Lattice, rows: Rows, counter: CrossingCounter): number {
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
  return best;
}

/** Put a row of ports in the order that suits what lies outside. Whether that changed anything. */
function sortPorts(rows: Rows, row: number, wish: Float64Array): boolean {
  const ports = rows.node.subarray(rows.start[row], rows.start[row + 1]);
  if (ports.length < 2 || Number.isNaN(wish[ports[0]!] ?? Number.NaN)) return false;
  ports.sort((a, b) => wish[a]! - wish[b]!);
  renumber(rows, row);
  return true;
}

function restore(rows: Rows, kept: Int32Array): void {
  rows.node.set(kept);
  for (let row = 0; row + 1 < rows.start.length; row++) renumber(rows, row);
}

/** Depth first from the nodes that nothing leads to, from the first way on or the last; each goes to its row's end. */
function firstOrder(grid: Lattice, lastFirst: boolean): Rows {
  const { count, rank, down, up, lower } = grid;
  const rows = emptyRows(grid);
  const next = rows.start.slice(0, grid.rows);
  const seen = new Uint8Array(count);
  const stack: number[] = [];
  for (let node = 0; node < count; node++) {
    if (up.start[node] === up.start[node + 1] && rank[node]! >= 0) stack.push(node);
    while (stack.length > 0) {
      const one = stack.pop()!;
      if (seen[one] === 1) continue;
      seen[one] = 1;
      rows.node[next[rank[one]!]!++] = one;
      const ways = down.item.subarray(down.start[one], down.start[one + 1]);
      for (let i = 0; i < ways.length; i++) stack.push(lower[ways[lastFirst ? i : ways.length - 1 - i]!]!);
    }
  }
  for (let row = 0; row < grid.rows; row++) renumber(rows, row);
  return rows;
}

/** A stable sort; most rows are short and nearly in order. */
function sortByKey(nodes: Int32Array, keys: Float64Array): void {
  if (nodes.length > FEW) {
    nodes.set(Array.from(nodes).sort((a, b) => keys[a]! - keys[b]!));
    return;
  }
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i]!;
    let k = i;
    for (; k > 0 && keys[nodes[k - 1]!]! > keys[node]!; k--) nodes[k] = nodes[k - 1]!;
    nodes[k] = node;
  }
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
    sortByKey(rows.node.subarray(first, end), keys);
    renumber(rows, row);
  }
}
