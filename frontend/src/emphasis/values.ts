// What a box has of the fact that boxes are coloured by: one category, several, none; or an amount.

import { bytesHeld, leafOf } from "../graph.ts";
import { kept } from "../kept.ts";
import type { Leaf, Meta, Model } from "../model.ts";
import type { Box } from "../scene/types.ts";

export type Category = "module" | "device" | "dtype";
/** The category of most of a box; "several" where none has the most of it, null where it has none. */
export type Value = { readonly name: string } | "several" | null;

/** The category that a box is coloured by. */
export function categoryOf(model: Model, by: Category, box: Box): Value {
  const names = namesOf(model, by);
  if (box.kind !== "ghost") return ofMost(box.nodes.map(names.ofNode));
  return ofMost(model.tree.members[box.item]!.map((place) => names.ofLeaf(model.graph.leaves[place]!)));
}

/** The category of most operations in a frame. */
export function categoryOfItem(model: Model, by: Category, item: number): Value {
  const { tree, tape } = model;
  return ofMost(Array.from(tape.subarray(tree.start[item]!, tree.stop[item]!), namesOf(model, by).ofNode));
}

function ofMost(inside: readonly (readonly string[])[]): Value {
  const counts = new Map<string, number>();
  let all = 0;
  for (const names of inside) {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    all += names.length;
  }
  for (const [name, count] of counts) if (2 * count > all) return { name };
  return all === 0 ? null : "several";
}

/**
 * The categories of most nodes and leaves, and how many more there are. Modules are in the order of forward, as their
 * author has them in mind; devices and dtypes by name. The order is the same whatever is open.
 */
export function categories(model: Model, by: Category, most: number): { first: readonly string[]; others: number } {
  const { counts, started } = countsOf(model, by);
  const forward = (one: string, other: string): number => (started.get(other) ?? -1) - (started.get(one) ?? -1);
  const byName = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
  const inOrder = by === "module" ? forward : byName;
  const names = [...counts.keys()].sort((one, other) => counts.get(other)! - counts.get(one)! || inOrder(one, other));
  return { first: names.slice(0, most).sort(inOrder), others: Math.max(0, names.length - most) };
}

interface Counts {
  readonly counts: ReadonlyMap<string, number>;
  /** When backward leaves each: the later, the earlier forward came to it. Leaves alone tell nothing of that. */
  readonly started: ReadonlyMap<string, number>;
}

const counted = kept((_: Model): Partial<Record<Category, Counts>> => ({}));

function countsOf(model: Model, by: Category): Counts {
  const found = counted(model);
  found[by] ??= countAll(model, namesOf(model, by));
  return found[by];
}

function countAll({ graph }: Model, { ofNode, ofLeaf }: Readers): Counts {
  const [counts, started] = [new Map<string, number>(), new Map<string, number>()];
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let node = 0; node < graph.size; node++) {
    for (const name of ofNode(node)) {
      count(name);
      const order = graph.kind[node] === "leaf" ? -1 : graph.order[node]!;
      started.set(name, Math.max(order, started.get(name) ?? -1));
    }
  }
  for (const leaf of graph.leaves) if (leaf.node === null) ofLeaf(leaf).forEach(count);
  return { counts, started };
}

const known = kept((_: Model): Partial<Record<Category, Readers>> => ({}));

function namesOf(model: Model, by: Category): Readers {
  const found = known(model);
  found[by] ??= by === "module" ? modules(model) : metas(model, by);
  return found[by];
}

interface Readers {
  readonly ofNode: (node: number) => readonly string[];
  readonly ofLeaf: (leaf: Leaf) => readonly string[];
}

function metas({ graph }: Model, field: "device" | "dtype"): Readers {
  const ofLeaf = ({ meta }: Leaf): string[] => [meta[field]];
  const known = new Map<readonly Meta[], readonly string[]>(); // lists of slots are shared by nodes
  return {
    ofLeaf,
    ofNode: (node) => {
      const slots = graph.slots[node]!;
      const leaf = slots.length === 0 ? leafOf(graph, node) : null;
      if (leaf !== null) return ofLeaf(leaf);
      let names = known.get(slots);
      if (names === undefined) {
        names = slots.map((meta) => meta[field]);
        known.set(slots, names);
      }
      return names;
    },
  };
}

/**
 * Modules by their first step below what all have in common: the parts that the model's author sees first. Where a
 * repeat stands for several of these, as for the layers of an encoder, they would all look the same: then by the parts
 * of one, "layers.*.norm".
 */
function modules(model: Model): Readers {
  const { graph } = model;
  const paths = new Set(graph.module.filter((path) => path !== null));
  const depth = common([...paths].map((path) => path.split("."))).length;
  const first = (path: string): string => stepsOf(path, depth + 1);
  const second = (path: string): string => {
    const steps = path.split(".").slice(0, depth + 2);
    return steps.map((step, place) => (place === depth ? "*" : step)).join(".");
  };
  const deeper = isRepeated(model, first) && new Set([...paths].map(second)).size > 1;
  const nameOf = deeper ? second : first;
  const known = new Map<string, readonly string[]>();
  const step = (path: string | null): readonly string[] => {
    if (path === null || path === "") return [];
    let names = known.get(path);
    if (names === undefined) {
      names = [nameOf(path)];
      known.set(path, names);
    }
    return names;
  };
  const ofLeaf = ({ name }: Leaf): readonly string[] => {
    const home = name === null || !name.includes(".") ? null : name.slice(0, name.lastIndexOf("."));
    return step(home);
  };
  return {
    ofLeaf,
    ofNode: (node) => {
      const leaf = graph.kind[node] === "leaf" ? leafOf(graph, node) : null;
      return leaf === null ? step(graph.module[node]!) : ofLeaf(leaf);
    },
  };
}

function stepsOf(path: string, most: number): string {
  return path.split(".").slice(0, most).join(".");
}

/** Whether some repeat stands for several modules of these names: its first two rounds begin in different ones. */
function isRepeated({ graph, tree, tape }: Model, nameOf: (path: string) => string): boolean {
  return tree.kind.some((kind, item) => {
    if (kind !== "repeat") return false;
    const [start, stop] = [tree.start[item]!, tree.stop[item]!];
    const [one, other] = [start, start + (stop - start) / tree.times[item]!].map((place) => graph.module[tape[place]!]);
    return one != null && other != null && nameOf(one) !== nameOf(other);
  });
}

/** The steps with which all paths begin. */
function common([first = [], ...others]: readonly string[][]): string[] {
  let length = first.length;
  for (const steps of others) {
    let same = 0;
    while (same < length && steps[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length);
}

/** Bytes that the nodes of a box hold for backward, each storage once. */
export function bytesOf({ graph }: Model, box: Box): number {
  const counted = new Set<number>();
  return box.nodes.reduce((held, node) => held + bytesHeld(graph.saved[node]!, counted), 0);
}
