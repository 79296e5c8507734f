// How many lines cross between two rows: exactly, by counting inversions while merging (n log n).

import type { Lattice } from "./lattice.ts";
import type { Rows } from "./rows.ts";

const FEW = 40; // so many lines are sorted faster by plain insertion

/** Where a step touches its nodes, in places of their rows; ports of one big node are told apart. */
export function upperPlace(grid: Lattice, rows: Rows, step: number): number {
  return touch(grid, rows, grid.upper[step]!, grid.upperOffset[step]!);
}

export function lowerPlace(grid: Lattice, rows: Rows, step: number): number {
  return touch(grid, rows, grid.lower[step]!, grid.lowerOffset[step]!);
}

function touch(grid: Lattice, rows: Rows, node: number, offset: number): number {
  const place = rows.place[node]!;
  return Number.isNaN(offset) ? place : place + (0.49 * offset) / (Math.abs(offset) + grid.left[node]!);
}

export class CrossingCounter {
  readonly #grid: Lattice;
  readonly #tops: Float64Array;
  readonly #bottoms: Float64Array;
  readonly #spare: Float64Array;

  constructor(grid: Lattice) {
    this.#grid = grid;
    this.#tops = new Float64Array(grid.upper.length);
    this.#bottoms = new Float64Array(grid.upper.length);
    this.#spare = new Float64Array(grid.upper.length);
  }

  all(rows: Rows): number {
    let crossings = 0;
    for (let row = 0; row + 1 < this.#grid.rows; row++) crossings += this.below(rows, row);
    return crossings;
  }

  /** Crossings between a row and the next one. */
  below(rows: Rows, row: number): number {
    const { start, node } = rows;
    if (start[row + 1]! - start[row]! < 2 && !this.#fans(rows, row)) return 0;
    const { start: first, item } = this.#grid.down;
    let count = 0;
    for (let i = start[row]!; i < start[row + 1]!; i++) {
      for (let k = first[node[i]!]!; k < first[node[i]! + 1]!; k++) {
        this.#tops[count] = upperPlace(this.#grid, rows, item[k]!);
        this.#bottoms[count++] = lowerPlace(this.#grid, rows, item[k]!);
      }
    }
    if (count < 2) return 0;
    this.#sort(count);
    return inversions(this.#bottoms, this.#spare, count);
  }

  /** Sort the lines by their tops, then by their bottoms. */
  #sort(count: number): void {
    const [tops, bottoms] = [this.#tops, this.#bottoms];
    if (count > FEW) {
      const order = Array.from({ length: count }, (_, line) => line);
      order.sort((a, b) => tops[a]! - tops[b]! || bottoms[a]! - bottoms[b]!);
      bottoms.set(order.map((line) => bottoms[line]!));
      return;
    }
    for (let i = 1; i < count; i++) {
      const [top, bottom] = [tops[i]!, bottoms[i]!];
      let k = i;
      for (; k > 0 && (tops[k - 1]! > top || (tops[k - 1] === top && bottoms[k - 1]! > bottom)); k--) {
        tops[k] = tops[k - 1]!;
        bottoms[k] = bottoms[k - 1]!;
      }
      tops[k] = top;
      bottoms[k] = bottom;
    }
  }

  /** Whether the one node of a row has ports of its own: only then can lines from it cross. */
  #fans(rows: Rows, row: number): boolean {
    const node = rows.node[rows.start[row]!]!;
    const { start, item } = this.#grid.down;
    const offset = this.#grid.upperOffset;
    return start[node + 1]! - start[node]! > 1 && !Number.isNaN(offset[item[start[node]!]!]!);
  }
}

/** Pairs in the wrong order among the first `count` keys, which get sorted. */
export function inversions(keys: Float64Array, spare: Float64Array, count: number): number {
  let found = 0;
  let from = keys;
  let into = spare;
  for (let width = 1; width < count; width *= 2) {
    for (let low = 0; low < count; low += 2 * width) found += merge(from, into, low, width, count);
    [from, into] = [into, from];
  }
  if (from !== keys) keys.set(from.subarray(0, count));
  return found;
}

function merge(from: Float64Array, into: Float64Array, low: number, width: number, count: number): number {
  const middle = Math.min(low + width, count);
  const high = Math.min(low + 2 * width, count);
  let found = 0;
  let a = low;
  let b = middle;
  for (let k = low; k < high; k++) {
    if (a < middle && (b >= high || from[a]! <= from[b]!)) into[k] = from[a++]!;
    else {
      found += middle - a;
      into[k] = from[b++]!;
    }
  }
  return found;
}
