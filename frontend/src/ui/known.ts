// What the panels look up in a graph, worked out once for each.

import { bytesHeld, leafOf } from "../graph.ts";
import { kept } from "../kept.ts";
import type { DeadEnd, Graph, Hook, Leaf, Root } from "../model.ts";
import { count, shape, size } from "../wording.ts";

interface Known {
  readonly deadEnds: ReadonlyMap<number, readonly DeadEnd[]>;
  /** Who holds a storage: node and name of each saved tensor. */
  readonly holders: ReadonlyMap<number, readonly (readonly [number, string])[]>;
}

export const known = kept((graph: Graph): Known => {
  const deadEnds = new Map<number, DeadEnd[]>();
  for (const end of graph.deadEnds) put(deadEnds, end.source, end);
  const holders = new Map<number, (readonly [number, string])[]>();
  for (let node = 0; node < graph.size; node++) {
    for (const saved of graph.saved[node]!) {
      if (saved.storage !== null) put(holders, saved.storage, [node, saved.name] as const);
    }
  }
  return { deadEnds, holders };
});

function put<Value>(map: Map<number, Value[]>, key: number, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** What these nodes hold for their backward, "" where that is nothing; a storage that several hold counts once. */
export function heldWords(graph: Graph, nodes: Iterable<number>): string {
  const storages = new Set<number>();
  let bytes = 0;
  for (const node of nodes) bytes += bytesHeld(graph.saved[node]!, storages);
  return storages.size === 0 ? "" : `${size(bytes)} in ${count(storages.size, "tensor")}`;
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

/** What was traced is called "loss" where it is one tensor, "outputs" where each tensor is reached within it. */
export function rootName({ roots }: Graph): string {
  return roots.some(({ before, after }) => before !== "" || after !== "") ? "outputs" : "loss";
}

export function rootWords({ before, after }: Root): string {
  return before === "" && after === "" ? "loss" : `${before}outputs${after}`;
}
