// Which nodes want to stand exactly one below the other: *chains* of steps that touch the middle of both their nodes, or
// a port. The strongest pull comes first where a node could go on in several ways.

import type { Gathered } from "../gathered.ts";
import type { Lattice } from "./lattice.ts";

export interface Chains {
  /** The nodes of all chains, chain by chain, the strongest chain first; where each starts, and the end. */
  readonly node: Int32Array;
  readonly start: Int32Array;
  /** How far each node has to lie right of the first one of its chain, so that all steps go straight down. */
  readonly shift: Float64Array;
}

export function chains(grid: Lattice): Chains {
  const { below, above } = links(grid);
  const heads: number[] = [];
  const strength = new Float64Array(grid.count);
  const shift = new Float64Array(grid.count);
  for (let head = 0; head < grid.count; head++) {
    if (above[head]! >= 0 || grid.rank[head]! < 0) continue;
    heads.push(head);
    for (let step = below[head]!; step >= 0; step = below[grid.lower[step]!]!) {
      const offset = grid.upperOffset[step]! - grid.lowerOffset[step]!;
      shift[grid.lower[step]!] = shift[grid.upper[step]!]! + offset;
      strength[head]! += grid.pull[step]!;
    }
  }
  heads.sort((a, b) => strength[b]! - strength[a]! || a - b);
  const node: number[] = [];
  const start = new Int32Array(heads.length + 1);
  heads.forEach((head, chain) => {
    node.push(head);
    for (let step = below[head]!; step >= 0; step = below[grid.lower[step]!]!) node.push(grid.lower[step]!);
    start[chain + 1] = node.length;
  });
  return { node: new Int32Array(node), start, shift };
}

/** The step by which the chain of each node goes on below it and comes from above, -1 for none. */
function links(grid: Lattice): { below: Int32Array; above: Int32Array } {
  const below = new Int32Array(grid.count).fill(-1);
  const above = new Int32Array(grid.count).fill(-1);
  const straight: number[] = [];
  for (let step = 0; step < grid.pull.length; step++) if (isStraight(grid, step)) straight.push(step);
  straight.sort((a, b) => grid.pull[b]! - grid.pull[a]! || a - b);
  for (const step of straight) {
    const upper = grid.upper[step]!;
    const lower = grid.lower[step]!;
    if (below[upper]! >= 0 || above[lower]! >= 0) continue;
    below[upper] = step;
    above[lower] = step;
  }
  return { below, above };
}

function isStraight(grid: Lattice, step: number): boolean {
  return (
    isStraightAt(grid, grid.upper[step]!, grid.down, grid.upperOffset, step) &&
    isStraightAt(grid, grid.lower[step]!, grid.up, grid.lowerOffset, step)
  );
}

/** Whether a step touches the middle of a box, or a port of an open group where no other one pulls as much. */
function isStraightAt(grid: Lattice, node: number, steps: Gathered, offset: Float64Array, step: number): boolean {
  if (grid.framed[node] === 0) return offset[step] === 0;
  for (let i = steps.start[node]!; i < steps.start[node + 1]!; i++) {
    const other = steps.item[i]!;
    if (other !== step && offset[other] === offset[step] && grid.pull[other]! >= grid.pull[step]!) return false;
  }
  return true;
}
