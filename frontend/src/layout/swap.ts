// Swaps neighbours of a row wherever fewer of their lines cross afterwards, until nothing gets better.

import { lowerPlace, upperPlace } from "./crossings.ts";
import type { Lattice } from "./lattice.ts";
import type { Rows } from "./rows.ts";

const ROUNDS = 10;
const MOST_WAYS = 64; // of two nodes together: comparing them takes the square of that

export function swapNeighbours(grid: Lattice, rows: Rows): void {
  let stale = new Uint8Array(grid.rows).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Uint8Array(grid.rows);
    let better = false;
    for (let row = 0; row < grid.rows; row++) {
      if (stale[row] === 0 || !improveRow(grid, rows, row)) continue;
      better = true;
      for (let near = Math.max(0, row - 1); near <= Math.min(grid.rows - 1, row + 1); near++) next[near] = 1;
    }
    if (!better) return;
    stale = next;
  }
}

function improveRow(grid: Lattice, rows: Rows, row: number): boolean {
  let better = false;
  for (let i = rows.start[row]!; i + 1 < rows.start[row + 1]!; i++) {
    const a = rows.node[i]!;
    const b = rows.node[i + 1]!;
    if (gain(grid, rows, a, b) <= 0) continue;
    better = true;
    rows.node[i] = b;
    rows.node[i + 1] = a;
    rows.place[a]!++;
    rows.place[b]!--;
  }
  return better;
}

/** How many crossings go away if b stands before a instead of behind it. */
function gain(grid: Lattice, rows: Rows, a: number, b: number): number {
  let saved = 0;
  for (const [links, placeOf] of [
    [grid.up, upperPlace],
    [grid.down, lowerPlace],
  ] as const) {
    const ways = links.start[a + 1]! - links.start[a]! + links.start[b + 1]! - links.start[b]!;
    if (ways > MOST_WAYS) continue;
    for (let i = links.start[a]!; i < links.start[a + 1]!; i++) {
      const ofA = placeOf(grid, rows, links.item[i]!);
      for (let k = links.start[b]!; k < links.start[b + 1]!; k++) {
        const ofB = placeOf(grid, rows, links.item[k]!);
        saved += ofA > ofB ? 1 : ofA < ofB ? -1 : 0;
      }
    }
  }
  return saved;
}
