// What the panels look up in a graph, worked out once for each.

import { leafOf } from "../graph.ts";
import type { DeadEnd, Graph, Hook, Leaf } from "../model.ts";
import { count, shape, size } from "./wording.ts";

export interface Known {
  readonly deadEnds: ReadonlyMap<number, readonly DeadEnd[]>;
  /** Who holds a storage: node and name of each saved tensor. */
  readonly holders: ReadonlyMap<number, readonly (readonly [number, string])[]>;
  /** The node that runs at each place of the engine's order. */
  readonly byOrder: Int32Array;
}

const KNOWN = new WeakMap<Graph, Known>();

export function known(graph: Graph): Known {
  const cached = KNOWN.get(graph);
  if (cached !== undefined) return cached;
  const deadEnds = new Map<number, DeadEnd[]>();
  for (const end of graph.deadEnds) put(deadEnds, end.source, end);
  const holders = new Map<number, (readonly [number, string])[]>();
  const byOrder = new Int32Array(graph.size);
  for (let node = 0; node < graph.size; node++) {
    byOrder[graph.order[node]!] = node;
    for (const saved of graph.saved[node]!) {
      if (saved.storage !== null) put(holders, saved.storage, [node, saved.name] as const);
    }
  }
  const found = { deadEnds, holders, byOrder };
  KNOWN.set(graph, found);
  return found;
}

function put<Value>(map: Map<number, Value[]>, key: number, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** How many storages these nodes hold for their backward, and the bytes; a shared one counts once. */
export function held(graph: Graph, nodes: Iterable<number>): { storages: number; bytes: number } {
  const sizes = new Map<number, number>();
  for (const node of nodes) {
    for (const { storage, bytes } of graph.saved[node]!) if (storage !== null) sizes.set(storage, bytes ?? 0);
  }
  return { storages: sizes.size, bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

export function heldWords(graph: Graph, nodes: Iterable<number>): string {
  const { storages, bytes } = held(graph, nodes);
  return storages === 0 ? "" : `${size(bytes)} in ${count(storages, "tensor")}`;
}

/** "operation", "leaf", "in place". */
export function kindOf(graph: Graph, node: number): string {
  const kind = graph.kind[node]!;
  return kind === "op" ? "operation" : kind.replace("_", " ");
}

/** A node in a few words: the leaf's name, else the operation; and its first shape. */
export function nameOf(graph: Graph, node: number): string {
  return leafOf(graph, node)?.name ?? graph.op[node]!;
}

export function shapeOf(graph: Graph, node: number): string {
  const meta = leafOf(graph, node)?.meta ?? graph.slots[node]![0];
  return meta === undefined ? "" : shape(meta);
}

/** The hooks of a node and of its leaf, each once. */
export function hooksOf(graph: Graph, node: number): Hook[] {
  const all = new Map<string, Hook>();
  const leaf: Leaf | null = leafOf(graph, node);
  for (const hook of [...graph.hooks[node]!, ...(leaf?.hooks ?? [])]) all.set(JSON.stringify(hook), hook);
  return [...all.values()];
}

/** Class names are known by module path; a path may be a module of the model or a call ("decode().0"). */
export function moduleWords(graph: Graph, path: string): string {
  const name = graph.modules.get(path);
  return name === undefined ? path : `${path}: ${name}`;
}

/** Every node made inside a module. */
export function nodesIn(graph: Graph, path: string): number[] {
  const found: number[] = [];
  graph.module.forEach((module, node) => {
    if (module === path || module?.startsWith(`${path}.`)) found.push(node);
  });
  return found;
}
