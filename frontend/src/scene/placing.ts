// Outline -> which cell each position of the tape is drawn in, and in which rounds of repeats.
//
// The same as gradviz/view/placing.py. Position p of a repeat's drawn round stands also for those whole rounds further.

import { type Gathered, gather } from "../gathered.ts";
import { kept } from "../kept.ts";
import type { Model, Tree } from "../model.ts";
import type { Outline } from "./outline.ts";
import type { Group } from "./types.ts";

export interface Placing {
  /** The cell of each position. */
  readonly cellOf: Int32Array;
  /** Whether each cell is a closed part or a chain, and not one operation. */
  readonly closed: Uint8Array;
  readonly rounds: Rounds;
  /** For each group: how many rounds everything in it stands for. */
  readonly times: readonly number[];
}

/** The position of each node, -1 for a leaf that is drawn at its uses instead. */
export const positionOf = kept(({ graph, tape }: Model) => {
  const positions = new Int32Array(graph.size).fill(-1);
  tape.forEach((node, position) => {
    positions[node] = position;
  });
  return positions;
});

export function place(model: Model, { cells, groups }: Outline): Placing {
  const { tree } = model;
  const cellOf = new Int32Array(model.tape.length);
  cells.forEach((item, cell) => {
    cellOf.fill(cell, tree.start[item], tree.stop[item]);
  });
  const rolled = groups.filter((group) => group.times > 1);
  for (const { item, times } of rolled.toReversed()) {
    // inner repeats first, so that outer rounds copy them whole
    const [start, stop] = [tree.start[item]!, tree.stop[item]!];
    const period = (stop - start) / times;
    for (let round = start + period; round < stop; round += period) cellOf.copyWithin(round, start, start + period);
  }
  return {
    cellOf,
    closed: Uint8Array.from(cells, (item) => (tree.kind[item] === "operation" ? 0 : 1)),
    rounds: new Rounds(tree, groups, cellOf.length),
    times: timesOf(groups),
  };
}

function timesOf(groups: readonly Group[]): number[] {
  const times: number[] = [];
  for (const group of groups) times.push(group.times * (group.parent < 0 ? 1 : times[group.parent]!));
  return times;
}

/** The positions that each cell stands for, those of the drawn round first. */
export function positionsByCell({ cellOf, closed }: Placing): Gathered {
  return gather(closed.length, cellOf);
}

/** Tells whether an edge leads from one round of a repeat into another, where one round is drawn for all. */
class Rounds {
  /** The repeats, and for each level of nesting the repeat around each position. */
  readonly #start: number[] = [];
  readonly #period: number[] = [];
  readonly #at: Int32Array[] = [];

  constructor(tree: Tree, groups: readonly Group[], size: number) {
    const level: number[] = [];
    for (const { item, parent, times } of groups) {
      const here = parent < 0 ? 0 : level[parent]!;
      level.push(here + (times > 1 ? 1 : 0));
      if (times === 1) continue;
      const [start, stop] = [tree.start[item]!, tree.stop[item]!];
      if (this.#at.length === here) this.#at.push(new Int32Array(size).fill(-1));
      this.#at[here]!.fill(this.#start.length, start, stop);
      this.#start.push(start);
      this.#period.push((stop - start) / times);
    }
  }

  differ(source: number, target: number): boolean {
    let [from, to] = [source, target];
    for (const level of this.#at) {
      // inner repeats are known in the first rounds of outer ones: there both are moved
      const repeat = level[from]!;
      if (repeat < 0 || level[to] !== repeat) return false;
      const [start, period] = [this.#start[repeat]!, this.#period[repeat]!];
      const before = Math.floor((from - start) / period);
      if (before !== Math.floor((to - start) / period)) return true;
      from -= before * period;
      to -= before * period;
    }
    return false;
  }
}
