// Which row each node of a pane stands in. An edge always leads to a lower row.
//
// Rows follow the longest way from the top, which hangs a leaf right below its user. What has more ways out than in then
// moves down to what it feeds, with the leaves that hang on it alone: that shortens more lines than it lengthens.

import { type Gathered, gather } from "../gathered.ts";
import { BOX, ENTRY, EXIT, type Pane } from "./pane.ts";

export interface Ranks {
  /** -1 for a box that no edge touches. */
  readonly rank: Int32Array;
  readonly rows: number;
}

// A fork into so many ways would make one endless row (the stack of all steps of a loop): its branches go down instead.
const CROWD = 8;

type Edges = Pick<Pane, "source" | "target">;
type Nodes = Pick<Pane, "kind" | "source" | "target">;

/** The nodes, each after all that lead to it; shorter than their number where edges lead round in a circle. */
export function sorted(count: number, edges: Edges): Int32Array {
  const below = gather(count, edges.source);
  const waiting = new Int32Array(count);
  for (const target of edges.target) waiting[target]!++;
  const order = new Int32Array(count);
  let known = 0;
  for (let node = 0; node < count; node++) if (waiting[node] === 0) order[known++] = node;
  for (let done = 0; done < known; done++) {
    const node = order[done]!;
    for (let i = below.start[node]!; i < below.start[node + 1]!; i++) {
      const target = edges.target[below.item[i]!]!;
      if (--waiting[target]! === 0) order[known++] = target;
    }
  }
  return order.subarray(0, known);
}

export function rankNodes(pane: Nodes): Ranks {
  const count = pane.kind.length;
  const order = sorted(count, pane);
  const below = gather(count, pane.source);
  const above = gather(count, pane.target);
  const rank = longestWays(pane, order, below);
  pullDown(pane, order, below, above, rank);
  return withoutGaps(pane, below, above, rank);
}

function longestWays(pane: Nodes, order: Int32Array, below: Gathered): Int32Array {
  const rank = new Int32Array(pane.kind.length).fill(pane.kind.includes(ENTRY) ? 1 : 0);
  for (const node of order) {
    if (pane.kind[node] === ENTRY) rank[node] = 0;
    for (let i = below.start[node]!; i < below.start[node + 1]!; i++) {
      const target = pane.target[below.item[i]!]!;
      rank[target] = Math.max(rank[target]!, rank[node]! + 1);
    }
  }
  return rank;
}

function pullDown(pane: Nodes, order: Int32Array, below: Gathered, above: Gathered, rank: Int32Array): void {
  const ways = (all: Gathered, node: number) => all.start[node + 1]! - all.start[node]!;
  const hangs = (node: number) => ways(below, node) === 0 && ways(above, node) === 1 && pane.kind[node] !== EXIT;
  const lowest = rank.reduce((most, row) => Math.max(most, row), 0);
  const crowd = crowds(pane, order, below, above);
  for (let k = order.length - 1; k >= 0; k--) {
    const node = order[k]!;
    if (pane.kind[node] === ENTRY) continue;
    let leading = 0;
    let row = lowest + 1;
    for (let i = below.start[node]!; i < below.start[node + 1]!; i++) {
      const target = pane.target[below.item[i]!]!;
      if (hangs(target)) continue;
      leading++;
      row = Math.min(row, pane.kind[target] === EXIT ? lowest : rank[target]!);
    }
    if (leading > ways(above, node) || (leading === 1 && crowd[node]! > CROWD))
      rank[node] = Math.max(rank[node]!, row - 1);
  }
  for (const node of order) if (hangs(node)) rank[node] = rank[pane.source[above.item[above.start[node]!]!]!]! + 1;
}

/** How many ways lead on from where the single line that leads to a node forks; 0 where several lead to it. */
function crowds(pane: Nodes, order: Int32Array, below: Gathered, above: Gathered): Int32Array {
  const crowd = new Int32Array(pane.kind.length);
  for (const node of order) {
    if (above.start[node + 1]! - above.start[node]! !== 1) continue;
    const user = pane.source[above.item[above.start[node]!]!]!;
    crowd[node] = Math.max(crowd[user]!, below.start[user + 1]! - below.start[user]!);
  }
  return crowd;
}

/** Exits go into a row of their own below all; rows that have become empty go away. */
function withoutGaps(pane: Nodes, below: Gathered, above: Gathered, rank: Int32Array): Ranks {
  const count = rank.length;
  let last = 0;
  for (let node = 0; node < count; node++) {
    const loose = below.start[node] === below.start[node + 1] && above.start[node] === above.start[node + 1];
    if (loose && pane.kind[node] === BOX) rank[node] = -1;
    else if (pane.kind[node] !== EXIT) last = Math.max(last, rank[node]!);
  }
  const used = new Int32Array(last + 2);
  for (let node = 0; node < count; node++) {
    if (pane.kind[node] === EXIT) rank[node] = last + 1;
    if (rank[node]! >= 0) used[rank[node]!] = 1;
  }
  let rows = 0;
  for (let row = 0; row < used.length; row++) used[row] = used[row] === 1 ? rows++ : 0;
  for (let node = 0; node < count; node++) if (rank[node]! >= 0) rank[node] = used[rank[node]!]!;
  return { rank, rows };
}
