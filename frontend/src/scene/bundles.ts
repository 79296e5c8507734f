// Edges -> arrows, and each leaf beside every operation that uses it. The same as gradviz/view/bundles.py.
//
// A leaf of a closed cell lies inside it. Every edge is in exactly one arrow, or inside a closed cell. This runs over
// all edges whenever something is folded, so it makes no object and no text for an edge.

import { starts } from "../gathered.ts";
import { adjacency } from "../graph.ts";
import type { Model } from "../model.ts";
import { children } from "./children.ts";
import type { Outline } from "./outline.ts";
import { type Placing, positionOf } from "./placing.ts";

/** Edges of an arrow that it names. */
const SAMPLE = 4;

/** Columns, an entry for each arrow. `source` and `target` are places: those of the cells, then those of leaf boxes. */
export interface Bundles {
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly again: readonly boolean[];
  readonly size: readonly number[];
  /** The first few edges of each. */
  readonly sample: readonly number[][];
  /** The arrow of each edge, -1 where it lies inside a closed cell. */
  readonly arrowOf: Int32Array;
  /** The items of the leaf boxes by cell, and where those of each cell start. */
  readonly leafBoxes: readonly number[];
  readonly leafStart: Int32Array;
}

export function bundle(model: Model, { cells }: Outline, placing: Placing): Bundles {
  const { graph, tape } = model;
  const { cellOf, closed, rounds } = placing;
  const { outStart } = adjacency(graph);
  const position = positionOf(model);
  const { leafBoxes, leafStart } = leavesBeside(model, cells);
  const arrows = new Arrows(cells.length + leafBoxes.length, graph.source.length);
  const leafBox = leafPlaces(leafStart);
  for (let from = 0; from < tape.length; from++) {
    const cell = cellOf[from]!;
    const stop = outStart[tape[from]! + 1]!;
    for (let edge = outStart[tape[from]!]!; edge < stop; edge++) {
      const to = position[graph.target[edge]!]!;
      if (to >= 0) {
        const target = cellOf[to]!;
        if (target !== cell || closed[cell] === 0) arrows.add(edge, cell, target, rounds.differ(from, to));
      } else if (closed[cell] === 0) {
        arrows.add(edge, cell, cells.length + leafBox(cell, from, graph.target[edge]!), false);
      }
    }
  }
  return { ...arrows, leafBoxes, leafStart };
}

/** The leaf boxes of all operations among the cells. */
function leavesBeside({ tree }: Model, cells: readonly number[]): { leafBoxes: number[]; leafStart: Int32Array } {
  const leafBoxes: number[] = [];
  const users: number[] = [];
  cells.forEach((item, cell) => {
    if (tree.kind[item] !== "operation") return;
    for (const child of children(tree, item)) {
      if (tree.kind[child] !== "leaf") continue;
      leafBoxes.push(child);
      users.push(cell);
    }
  });
  return { leafBoxes, leafStart: starts(cells.length, Int32Array.from(users)) };
}

/** Tells the box of each leaf: the first for the first of an operation's leaves, or one for all. Asked in their order. */
function leafPlaces(leafStart: Int32Array): (cell: number, position: number, leaf: number) => number {
  let current = -1;
  let leaves: number[] = []; // of the current position, each once
  return (cell, position, leaf) => {
    const first = leafStart[cell]!;
    if (leafStart[cell + 1] === first + 1) return first;
    if (position !== current) [current, leaves] = [position, []];
    const place = leaves.indexOf(leaf);
    return first + (place < 0 ? leaves.push(leaf) - 1 : place);
  };
}

class Arrows {
  readonly source: number[] = [];
  readonly target: number[] = [];
  readonly again: boolean[] = [];
  readonly size: number[] = [];
  readonly sample: number[][] = [];
  readonly arrowOf: Int32Array;
  readonly #ends: number;
  readonly #known = new Map<number, number>();

  constructor(ends: number, edges: number) {
    this.#ends = ends;
    this.arrowOf = new Int32Array(edges).fill(-1);
  }

  add(edge: number, source: number, target: number, again: boolean): void {
    const key = (source * this.#ends + target) * 2 + (again ? 1 : 0);
    const arrow = this.#known.get(key);
    if (arrow === undefined) {
      this.arrowOf[edge] = this.size.length;
      this.#known.set(key, this.size.length);
      this.source.push(source);
      this.target.push(target);
      this.again.push(again);
      this.size.push(1);
      this.sample.push([edge]);
      return;
    }
    this.arrowOf[edge] = arrow;
    this.size[arrow]!++;
    const sample = this.sample[arrow]!;
    if (sample.length < SAMPLE) sample.push(edge);
  }
}
