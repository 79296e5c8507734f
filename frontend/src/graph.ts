// Questions that a graph answers: what lies upstream and downstream, what is between, what reaches a node.
//
// Sets of nodes are a byte for each node, 1 for those in it. There is no recursion: graphs may be 100,000 nodes deep.

import { gather, starts } from "./gathered.ts";
import { kept } from "./kept.ts";
import type { Graph, Leaf, Saved } from "./model.ts";

/** Hops beyond which an expression becomes a loop (as in Graph.expression: Python cannot compile longer chains). */
const LONGEST_EXPRESSION = 500;

/** The edges by source (they are in that order already) and by target: where those of each node start. */
interface Adjacency {
  readonly outStart: Int32Array;
  readonly inStart: Int32Array;
  /** The edges ordered by target, those of one target in the graph's order. */
  readonly inEdges: Int32Array;
}

export interface Neighbour {
  readonly edge: number;
  readonly node: number;
  /** The argument that the edge belongs to. */
  readonly name: string | null;
}

export const adjacency = kept(({ size, source, target }: Graph): Adjacency => {
  const { start, item } = gather(size, target);
  return { outStart: starts(size, source), inStart: start, inEdges: item };
});

/** These nodes and all nearer the loss that gradient passes on its way to them. */
export function upstream(graph: Graph, nodes: Iterable<number>): Uint8Array {
  const { inStart, inEdges } = adjacency(graph);
  return reached(graph, nodes, (node, visit) => {
    for (let place = inStart[node]!; place < inStart[node + 1]!; place++) visit(graph.source[inEdges[place]!]!);
  });
}

/** These nodes and all that gradient reaches from them. */
export function downstream(graph: Graph, nodes: Iterable<number>): Uint8Array {
  const { outStart } = adjacency(graph);
  return reached(graph, nodes, (node, visit) => {
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) visit(graph.target[edge]!);
  });
}

function reached(
  graph: Graph,
  nodes: Iterable<number>,
  ways: (node: number, visit: (next: number) => void) => void,
): Uint8Array {
  const inside = new Uint8Array(graph.size);
  const waiting: number[] = [];
  const visit = (node: number): void => {
    if (inside[node] !== 0) return; // also where there is no such node
    inside[node] = 1;
    waiting.push(node);
  };
  for (const node of nodes) visit(node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) ways(node, visit);
  return inside;
}

/** All that lies on a path between two nodes, whichever of them is nearer the loss; nothing where there is no path. */
export function between(graph: Graph, a: number, b: number): Uint8Array {
  let from = downstream(graph, [a]);
  let to = upstream(graph, [b]);
  if (from[b] === 0) [from, to] = [downstream(graph, [b]), upstream(graph, [a])];
  return from.map((inside, node) => inside & to[node]!);
}

/** The nodes next to a node, an entry for each edge. */
export function neighbours(graph: Graph, node: number): { upstream: Neighbour[]; downstream: Neighbour[] } {
  const { outStart, inStart, inEdges } = adjacency(graph);
  const name = graph.edgeName;
  const found: { upstream: Neighbour[]; downstream: Neighbour[] } = { upstream: [], downstream: [] };
  for (const edge of inEdges.subarray(inStart[node], inStart[node + 1])) {
    found.upstream.push({ edge, node: graph.source[edge]!, name: name[edge]! });
  }
  for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
    found.downstream.push({ edge, node: graph.target[edge]!, name: name[edge]! });
  }
  return found;
}

/**
 * The shortest Python that reaches a node from what was traced: the same as Python's `Graph.expression`. "" where nothing
 * does, as in a graph that was not traced.
 */
export function expression(graph: Graph, node: number, root = "loss"): string {
  const { inStart, inEdges } = adjacency(graph);
  const first = new Map<number, number>();
  graph.roots.forEach((one, place) => {
    if (!first.has(one.node)) first.set(one.node, place);
  });
  const slots: number[] = [];
  let at = node;
  while (!first.has(at)) {
    if (inStart[at] === inStart[at + 1] || slots.length === graph.size) return "";
    // Nodes are stored in the order of a walk breadth first, so the first edge into a node is on a shortest way.
    const edge = inEdges[inStart[at]!]!;
    slots.push(graph.sourceSlot[edge]!);
    at = graph.source[edge]!;
  }
  slots.reverse();
  const start = startOf(graph.roots[first.get(at)!]!, root);
  if (slots.length <= LONGEST_EXPRESSION) return start + slots.map((slot) => `.next_functions[${slot}][0]`).join("");
  return `node = ${start}\nfor slot in [${runs(slots).join(", ")}]:\n    node = node.next_functions[slot][0]`;
}

function startOf({ before, after, kind }: Graph["roots"][number], root: string): string {
  const value = `${before}${root}${after}`;
  if (kind === "tensor") return `${value}.grad_fn`;
  if (kind === "edge") return `${value}.node`;
  return kind === "node" ? value : `torch.autograd.graph.get_gradient_edge(${value}).node`;
}

function runs(slots: readonly number[]): string[] {
  const said: string[] = [];
  for (let start = 0, end = 0; start < slots.length; start = end) {
    while (slots[end] === slots[start] && end < slots.length) end++;
    said.push(end === start + 1 ? `${slots[start]}` : `*[${slots[start]}] * ${end - start}`);
  }
  return said;
}

const leavesByNode = kept(({ leaves }: Graph) => {
  const known = new Map<number, Leaf>();
  for (const leaf of leaves) if (leaf.node !== null) known.set(leaf.node, leaf);
  return known;
});

/** The leaf whose gradient a node accumulates. */
export function leafOf(graph: Graph, node: number): Leaf | null {
  return leavesByNode(graph).get(node) ?? null;
}

/** The node that runs at each place of the engine's order. */
export const nodesByOrder = kept(({ order }: Graph) => {
  const nodes = new Int32Array(order.length);
  order.forEach((place, node) => {
    nodes[place] = node;
  });
  return nodes;
});

/** Bytes that saved tensors hold, each storage once. Packed and freed ones hold none. */
export function bytesHeld(saved: Iterable<Saved>, counted = new Set<number>()): number {
  let held = 0;
  for (const { storage, bytes } of saved) {
    if (storage === null || counted.has(storage)) continue;
    counted.add(storage);
    held += bytes ?? 0;
  }
  return held;
}

export const idOf = (node: number): string => `n${node}`;

/** The number in a node's id, null for any other text. */
export function numberOf(id: string): number | null {
  return /^n\d+$/.test(id) ? Number(id.slice(1)) : null;
}
