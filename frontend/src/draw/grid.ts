// A uniform grid over boxes: which of them lie in a rectangle, without looking at all. Each box is in the cell of its
// centre; a search looks as far around its rectangle as the largest box reaches.

import { type Gathered, gather } from "../gathered.ts";

const CELL = 256;
const MOST_CELLS = 65_536;

/** Left, top, right and bottom. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class Grid {
  readonly #places: Float64Array;
  readonly #sizes: Float64Array;
  readonly #cell: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #byCell: Gathered;
  readonly #reachX: number;
  readonly #reachY: number;

  /** Centres and sizes of the boxes, flat; all centres lie within the width and height. */
  constructor(places: Float64Array, sizes: Float64Array, width: number, height: number) {
    const count = places.length / 2;
    this.#places = places;
    this.#sizes = sizes;
    this.#cell = Math.max(CELL, Math.sqrt((width * height) / MOST_CELLS));
    this.#columns = Math.floor(width / this.#cell) + 1;
    this.#rows = Math.floor(height / this.#cell) + 1;
    let reachX = 0;
    let reachY = 0;
    const cells = new Int32Array(count);
    for (let box = 0; box < count; box++) {
      cells[box] = this.#row(places[2 * box + 1]!) * this.#columns + this.#column(places[2 * box]!);
      reachX = Math.max(reachX, sizes[2 * box]! / 2);
      reachY = Math.max(reachY, sizes[2 * box + 1]! / 2);
    }
    this.#byCell = gather(this.#columns * this.#rows, cells);
    this.#reachX = reachX;
    this.#reachY = reachY;
  }

  #column(x: number): number {
    return Math.min(this.#columns - 1, Math.max(0, Math.floor(x / this.#cell)));
  }

  #row(y: number): number {
    return Math.min(this.#rows - 1, Math.max(0, Math.floor(y / this.#cell)));
  }

  /** The boxes that touch an area. */
  within({ left, top, right, bottom }: Area): number[] {
    const found: number[] = [];
    const { start, item } = this.#byCell;
    const [first, last] = [this.#column(left - this.#reachX), this.#column(right + this.#reachX)];
    const lowest = this.#row(bottom + this.#reachY);
    for (let row = this.#row(top - this.#reachY); row <= lowest; row++) {
      const stop = start[row * this.#columns + last + 1]!;
      for (let place = start[row * this.#columns + first]!; place < stop; place++) {
        const box = item[place]!;
        const [x, y] = [this.#places[2 * box]!, this.#places[2 * box + 1]!];
        const [w, h] = [this.#sizes[2 * box]! / 2, this.#sizes[2 * box + 1]! / 2];
        if (x - w <= right && x + w >= left && y - h <= bottom && y + h >= top) found.push(box);
      }
    }
    return found;
  }

  /** The box at a place, -1 where there is none. */
  at(x: number, y: number): number {
    return this.within({ left: x, top: y, right: x, bottom: y })[0] ?? -1;
  }
}
