// A pane as rows: an edge that passes rows gets a *bend* in each of them, a node without extent, so that every step of
// an edge leads from one row to the next and nothing else can stand where a line passes.

import { type Gathered, gather } from "../gathered.ts";
import { EDGE_GAP, ENTRY, EXIT, NODE_GAP, type Pane } from "./pane.ts";
import type { Ranks } from "./rank.ts";

export interface Lattice {
  /** Nodes of the pane first, then bends. */
  readonly count: number;
  readonly real: number;
  readonly rows: number;
  readonly rank: Int32Array;
  /** How far a node reaches to both sides, with the labels above it. */
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** No box: a bend or a port. */
  readonly thin: Uint8Array;
  /** An open group: lines meet it at its ports. */
  readonly framed: Uint8Array;
  /** Steps: from a node to one in the row below, with where they touch them (from their middles) and their pull. */
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  readonly upperOffset: Float64Array;
  readonly lowerOffset: Float64Array;
  readonly pull: Float64Array;
  /** The first step of each edge, and the end. */
  readonly steps: Int32Array;
  readonly down: Gathered;
  readonly up: Gathered;
}

/** Pulls of single edges by weight, of steps at one bend, and between two bends: long lines stay straight, the trunk too. */
const PULL = [0.02, 0.15, 6] as const;
const AT_BEND = [0.3, 0.5, 1.5] as const;
const BETWEEN_BENDS = 8;

export function lattice(pane: Pane, ranks: Ranks): Lattice {
  const real = pane.kind.length;
  const parts = stepsOf(pane, ranks);
  const links = { down: gather(parts.count, parts.upper), up: gather(parts.count, parts.lower) };
  return { real, rows: ranks.rows, ...parts, ...touches(pane, parts), ...widths(pane, parts.count), ...links };
}

type Steps = Pick<Lattice, "count" | "steps" | "rank" | "upper" | "lower">;

function stepsOf(pane: Pane, ranks: Ranks): Steps {
  const real = pane.kind.length;
  const edges = pane.source.length;
  const steps = new Int32Array(edges + 1);
  for (let edge = 0; edge < edges; edge++) {
    steps[edge + 1] = steps[edge]! + ranks.rank[pane.target[edge]!]! - ranks.rank[pane.source[edge]!]!;
  }
  const total = steps[edges]!;
  const count = real + total - edges;
  const rank = new Int32Array(count);
  const upper = new Int32Array(total);
  const lower = new Int32Array(total);
  rank.set(ranks.rank);
  let bend = real;
  for (let edge = 0; edge < edges; edge++) {
    let node = pane.source[edge]!;
    for (let step = steps[edge]!; step < steps[edge + 1]!; step++) {
      upper[step] = node;
      if (step + 1 === steps[edge + 1]) lower[step] = pane.target[edge]!;
      else {
        rank[bend] = rank[node]! + 1;
        node = bend++;
        lower[step] = node;
      }
    }
  }
  return { count, steps, rank, upper, lower };
}

function touches(pane: Pane, { steps, upper }: Steps): Pick<Lattice, "upperOffset" | "lowerOffset" | "pull"> {
  const upperOffset = new Float64Array(upper.length);
  const lowerOffset = new Float64Array(upper.length);
  const pull = new Float64Array(upper.length).fill(BETWEEN_BENDS);
  for (let edge = 0; edge < pane.source.length; edge++) {
    const first = steps[edge]!;
    const last = steps[edge + 1]! - 1;
    upperOffset[first] = pane.from[edge]!;
    lowerOffset[last] = pane.to[edge]!;
    const pulls = first === last ? PULL : AT_BEND;
    pull[first] = pulls[pane.weight[edge] as 0 | 1 | 2];
    pull[last] = pull[first];
  }
  return { upperOffset, lowerOffset, pull };
}

function widths(pane: Pane, count: number): Pick<Lattice, "left" | "right" | "thin" | "framed"> {
  const left = new Float64Array(count).fill(1);
  const thin = new Uint8Array(count).fill(1);
  const framed = new Uint8Array(count);
  for (let node = 0; node < pane.kind.length; node++) {
    left[node] = pane.width[node]! / 2;
    thin[node] = pane.kind[node] === ENTRY || pane.kind[node] === EXIT ? 1 : 0;
  }
  for (let edge = 0; edge < pane.source.length; edge++) {
    if (!Number.isNaN(pane.from[edge]!)) framed[pane.source[edge]!] = 1;
    if (!Number.isNaN(pane.to[edge]!)) framed[pane.target[edge]!] = 1;
  }
  return { left, right: left.slice(), thin, framed };
}

/** Least distance of the middles of two neighbours in a row. */
export function apart(grid: Lattice, a: number, b: number): number {
  const thin = grid.thin[a]! + grid.thin[b]!;
  const gap = thin === 0 ? NODE_GAP : thin === 2 ? EDGE_GAP : (NODE_GAP + EDGE_GAP) / 2;
  return grid.right[a]! + grid.left[b]! + gap;
}
