// Keeps what has been laid out, so that opening one module in a large picture lays out only what has changed. A pane is
// found again by its content, whatever numbers its boxes have in the picture.

import type { Arranged, Pane } from "./pane.ts";

const MOST_NODES = 200_000; // of all panes kept

interface Kept {
  readonly pane: Pane;
  readonly arranged: Arranged;
}

const FIELDS = ["kind", "width", "height", "source", "target", "from", "to", "weight", "label", "wish"] as const;

export class PaneCache {
  // By the hash of their content; the least recently used first. Of two panes with one hash only the later is kept.
  readonly #kept = new Map<number, Kept>();
  #nodes = 0;

  get(pane: Pane, arrange: () => Arranged): Arranged {
    const key = hash(pane);
    const known = this.#kept.get(key);
    this.#drop(key);
    const arranged = known !== undefined && equal(known.pane, pane) ? known.arranged : arrange();
    this.#kept.set(key, { pane, arranged });
    this.#nodes += pane.kind.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#nodes <= MOST_NODES || oldest === key) break;
      this.#drop(oldest);
    }
    return arranged;
  }

  #drop(key: number): void {
    this.#nodes -= this.#kept.get(key)?.pane.kind.length ?? 0;
    this.#kept.delete(key);
  }
}

function hash(pane: Pane): number {
  let sum = Math.trunc(pane.title);
  for (const field of FIELDS) {
    for (const value of pane[field])
      sum = (Math.imul(sum, 31) + (Number.isNaN(value) ? 7 : Math.trunc(value * 64))) | 0;
  }
  return sum;
}

function equal(a: Pane, b: Pane): boolean {
  return a.title === b.title && a.text === b.text && FIELDS.every((field) => same(a[field], b[field]));
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
