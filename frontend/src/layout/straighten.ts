// Straightens lines: what is nearly one below the other gets to be exactly so.
//
// Chains are placed whole, the strongest first; weaker nodes between them give way, as far as there is room for all of
// them. Where a whole chain finds no room it breaks in two. Then each piece moves, again and again, to where the lines
// from it to other pieces get shortest, between its neighbours.

import { chains } from "./chains.ts";
import { apart, type Lattice } from "./lattice.ts";
import type { Rows } from "./rows.ts";

const ROUNDS = 8;

export function straighten(grid: Lattice, rows: Rows, x: Float64Array, reach: Float64Array): void {
  const all = chains(grid);
  const straightener = new Straightener(grid, rows, x, reach, all.shift);
  for (let chain = 0; chain + 1 < all.start.length; chain++) {
    straightener.place(all.node.subarray(all.start[chain]!, all.start[chain + 1]!));
  }
  for (let round = 0; round < ROUNDS; round++) if (!straightener.improve(round % 2 === 1)) break;
}

class Straightener {
  readonly grid: Lattice;
  readonly rows: Rows;
  readonly x: Float64Array;
  readonly reach: Float64Array;
  readonly shift: Float64Array;
  readonly #placed: Uint8Array;
  /** Which piece each node belongs to. */
  readonly #piece: Int32Array;
  readonly #pieces: Int32Array[] = [];

  constructor(grid: Lattice, rows: Rows, x: Float64Array, reach: Float64Array, shift: Float64Array) {
    this.grid = grid;
    this.rows = rows;
    this.x = x;
    this.reach = reach;
    this.shift = shift;
    this.#placed = new Uint8Array(grid.count);
    this.#piece = new Int32Array(grid.count);
  }

  /** Place a chain, in as few pieces as there is room for. */
  place(chain: Int32Array): void {
    let first = 0;
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= chain.length; i++) {
      const [least, most] = i < chain.length ? this.#room(chain[i]!) : [Number.POSITIVE_INFINITY, 0];
      if (i > first && Math.max(low, least) > Math.min(high, most)) {
        this.#fix(chain.subarray(first, i), low, high);
        first = i;
        low = Number.NEGATIVE_INFINITY;
        high = Number.POSITIVE_INFINITY;
      }
      low = Math.max(low, least);
      high = Math.min(high, most);
    }
  }

  #fix(piece: Int32Array, low: number, high: number): void {
    const wishes = Float64Array.from(piece, (node) => this.x[node]! - this.shift[node]!).sort();
    const middle = (wishes[(wishes.length - 1) >> 1]! + wishes[wishes.length >> 1]!) / 2;
    const at = Math.min(Math.max(middle, low), high);
    for (const node of piece) {
      this.x[node] = at + this.shift[node]!;
      this.#placed[node] = 1;
      this.#piece[node] = this.#pieces.length;
    }
    this.#pieces.push(piece);
  }

  /** Where the start of a node's chain may lie for the placed nodes of its row, with room for all those between. */
  #room(node: number): [number, number] {
    const { start, node: order, place } = this.rows;
    const row = this.grid.rank[node]!;
    const at = start[row]! + place[node]!;
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    let i = at - 1;
    while (i >= start[row]! && this.#placed[order[i]!] === 0) i--;
    if (i >= start[row]!) low = this.x[order[i]!]! + this.reach[node]! - this.reach[order[i]!]! - this.shift[node]!;
    i = at + 1;
    while (i < start[row + 1]! && this.#placed[order[i]!] === 0) i++;
    if (i < start[row + 1]!) high = this.x[order[i]!]! + this.reach[node]! - this.reach[order[i]!]! - this.shift[node]!;
    return [low, high];
  }

  /** Move each piece to where its lines to others are shortest. Whether any moved. */
  improve(backwards: boolean): boolean {
    let moved = false;
    for (let k = 0; k < this.#pieces.length; k++) {
      const piece = this.#pieces[backwards ? this.#pieces.length - 1 - k : k]!;
      const wishes = this.#wishes(piece);
      if (wishes.length === 0) continue;
      let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (const node of piece) {
        const [least, most] = this.#between(node);
        low = Math.max(low, least);
        high = Math.min(high, most);
      }
      const now = this.x[piece[0]!]! - this.shift[piece[0]!]!;
      const to = Math.min(Math.max(best(wishes), low), high);
      if (Math.abs(to - now) < 0.01 || low > high) continue;
      for (const node of piece) this.x[node] = to + this.shift[node]!;
      moved = true;
    }
    return moved;
  }

  #between(node: number): [number, number] {
    const { start, node: order, place } = this.rows;
    const row = this.grid.rank[node]!;
    const at = start[row]! + place[node]!;
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    if (at > start[row]!) low = this.x[order[at - 1]!]! + apart(this.grid, order[at - 1]!, node) - this.shift[node]!;
    if (at + 1 < start[row + 1]!) {
      high = this.x[order[at + 1]!]! - apart(this.grid, node, order[at + 1]!) - this.shift[node]!;
    }
    return [low, high];
  }

  /** Where each line to another piece wants the start of this one, and how much. */
  #wishes(piece: Int32Array): [number, number][] {
    const { up, down, upper, lower, upperOffset, lowerOffset, pull } = this.grid;
    const wishes: [number, number][] = [];
    for (const node of piece) {
      const mine = this.#piece[node]!;
      for (let i = up.start[node]!; i < up.start[node + 1]!; i++) {
        const step = up.item[i]!;
        const other = upper[step]!;
        if (this.#piece[other] === mine) continue;
        wishes.push([this.x[other]! + upperOffset[step]! - lowerOffset[step]! - this.shift[node]!, pull[step]!]);
      }
      for (let i = down.start[node]!; i < down.start[node + 1]!; i++) {
        const step = down.item[i]!;
        const other = lower[step]!;
        if (this.#piece[other] === mine) continue;
        wishes.push([this.x[other]! + lowerOffset[step]! - upperOffset[step]! - this.shift[node]!, pull[step]!]);
      }
    }
    return wishes;
  }
}

/** The place with the least sum of weighted distances; of several the one nearest to their mean. */
function best(wishes: [number, number][]): number {
  wishes.sort((a, b) => a[0] - b[0]);
  const total = wishes.reduce((sum, [, pull]) => sum + pull, 0);
  const mean = wishes.reduce((sum, [at, pull]) => sum + at * pull, 0) / total;
  let sum = 0;
  for (let i = 0; i < wishes.length; i++) {
    sum += wishes[i]![1];
    if (sum * 2 < total - 1e-9) continue;
    const next = sum * 2 <= total + 1e-9 ? (wishes[i + 1] ?? wishes[i]!) : wishes[i]!;
    return Math.min(Math.max(mean, wishes[i]![0]), next[0]);
  }
  return mean;
}
