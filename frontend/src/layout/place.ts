// Where the nodes of each row lie from left to right.
//
// Every row in turn, downwards and upwards, is moved to where its lines pull it: the exact best places under the least
// distances of neighbours (least squares, found by merging those that would collide into blocks).

import { apart, type Lattice } from "./lattice.ts";
import type { Rows } from "./rows.ts";

const PASSES = 12;
const ALONE = 0.05; // pull of a node to where it is, if no line pulls it

/** Middles of the nodes; `reach` gets the place of each in its row if the row is pushed together to the left. */
export function place(grid: Lattice, rows: Rows): { x: Float64Array; reach: Float64Array } {
  const x = new Float64Array(grid.count);
  const reach = new Float64Array(grid.count);
  for (let row = 0; row < grid.rows; row++) {
    const first = rows.start[row]!;
    const end = rows.start[row + 1]!;
    for (let i = first + 1; i < end; i++) {
      const [before, node] = [rows.node[i - 1]!, rows.node[i]!];
      reach[node] = reach[before]! + apart(grid, before, node);
    }
    const half = end > first ? reach[rows.node[end - 1]!]! / 2 : 0;
    for (let i = first; i < end; i++) x[rows.node[i]!] = reach[rows.node[i]!]! - half;
  }
  const solver = new RowSolver(grid, rows, x, reach);
  for (let pass = 0; pass < PASSES; pass++) {
    const downwards = pass % 2 === 0;
    const both = pass >= PASSES - 2;
    for (let k = 0; k < grid.rows; k++) {
      solver.solve(downwards ? k : grid.rows - 1 - k, downwards || both, !downwards || both);
    }
  }
  return { x, reach };
}

class RowSolver {
  // Blocks of nodes that touch: the wanted place of their left end, their pull, and their first node.
  readonly #wanted: Float64Array;
  readonly #pull: Float64Array;
  readonly #first: Int32Array;
  readonly grid: Lattice;
  readonly rows: Rows;
  readonly x: Float64Array;
  readonly reach: Float64Array;

  constructor(grid: Lattice, rows: Rows, x: Float64Array, reach: Float64Array) {
    let longest = 0;
    for (let row = 0; row < grid.rows; row++) longest = Math.max(longest, rows.start[row + 1]! - rows.start[row]!);
    this.#wanted = new Float64Array(longest + 1);
    this.#pull = new Float64Array(longest + 1);
    this.#first = new Int32Array(longest + 1);
    this.grid = grid;
    this.rows = rows;
    this.x = x;
    this.reach = reach;
  }

  solve(row: number, above: boolean, below: boolean): void {
    const wanted = this.#wanted;
    const pull = this.#pull;
    const end = this.rows.start[row + 1]!;
    let blocks = 0;
    for (let i = this.rows.start[row]!; i < end; i++) {
      this.#want(this.rows.node[i]!, blocks, above, below);
      this.#first[blocks] = i;
      while (blocks > 0 && wanted[blocks - 1]! >= wanted[blocks]!) {
        const sum = pull[blocks - 1]! + pull[blocks]!;
        wanted[blocks - 1] = (wanted[blocks - 1]! * pull[blocks - 1]! + wanted[blocks]! * pull[blocks]!) / sum;
        pull[--blocks] = sum;
      }
      blocks++;
    }
    for (let block = 0; block < blocks; block++) {
      const stop = block + 1 < blocks ? this.#first[block + 1]! : end;
      for (let i = this.#first[block]!; i < stop; i++) {
        const node = this.rows.node[i]!;
        this.x[node] = wanted[block]! + this.reach[node]!;
      }
    }
  }

  #want(node: number, block: number, above: boolean, below: boolean): void {
    const { up, down, upper, lower, upperOffset, lowerOffset, pull } = this.grid;
    let sum = 0;
    let pulls = 0;
    for (let i = above ? up.start[node]! : up.start[node + 1]!; i < up.start[node + 1]!; i++) {
      const step = up.item[i]!;
      sum += pull[step]! * (this.x[upper[step]!]! + upperOffset[step]! - lowerOffset[step]!);
      pulls += pull[step]!;
    }
    for (let i = below ? down.start[node]! : down.start[node + 1]!; i < down.start[node + 1]!; i++) {
      const step = down.item[i]!;
      sum += pull[step]! * (this.x[lower[step]!]! + lowerOffset[step]! - upperOffset[step]!);
      pulls += pull[step]!;
    }
    this.#wanted[block] = (pulls > 0 ? sum / pulls : this.x[node]!) - this.reach[node]!;
    this.#pull[block] = pulls > 0 ? pulls : ALONE;
  }
}
