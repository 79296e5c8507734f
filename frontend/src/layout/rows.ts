// The nodes of a lattice row by row, each row from left to right.

import type { Lattice } from "./lattice.ts";

export interface Rows {
  /** Where each row starts in `node`, and the end. */
  readonly start: Int32Array;
  readonly node: Int32Array;
  /** The place of each node in its row. */
  readonly place: Int32Array;
}

/** Rows as long as they will be, with no node in them yet. */
export function emptyRows({ count, rank, rows }: Lattice): Rows {
  const start = new Int32Array(rows + 1);
  for (let node = 0; node < count; node++) if (rank[node]! >= 0) start[rank[node]! + 1]!++;
  for (let row = 0; row < rows; row++) start[row + 1]! += start[row]!;
  return { start, node: new Int32Array(start[rows]!), place: new Int32Array(count) };
}

/** Tells the nodes of a row their places in it, after these have changed. */
export function renumber(rows: Rows, row: number): void {
  const first = rows.start[row]!;
  for (let i = first; i < rows.start[row + 1]!; i++) rows.place[rows.node[i]!] = i - first;
}
