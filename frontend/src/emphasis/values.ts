// What a box has of the fact that boxes are coloured by: one category, several, none; or an amount.

import { bytesHeld, leafOf } from "../graph.ts";
import type { Leaf, Meta, Model } from "../model.ts";
import type { Box } from "../scene/types.ts";

export type Category = "module" | "device" | "dtype";
/** The category of most of a box; "several" where none has the most of it, null where it has none. */
export type Value = { readonly name: string } | "several" | null;

/** The category that a box is coloured by. */
export function categoryOf(model: Model, by: Category, box: Box): Value {
  const counts = new Map<string, number>();
  let all = 0;
  for (const names of inside(model, by, box)) {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    all += names.length;
  }
  for (const [name, count] of counts) if (2 * count > all) return { name };
  return all === 0 ? null : "several";
}

function inside(model: Model, by: Category, box: Box): readonly (readonly string[])[] {
  const names = namesOf(model, by);
  if (box.kind !== "ghost") return box.nodes.map(names.ofNode);
  return model.tree.members[box.item]!.map((place) => names.ofLeaf(model.graph.leaves[place]!));
}

/** All categories in the model, those of most nodes and leaves first. */
export function categories(model: Model, by: Category): readonly string[] {
  const names = namesOf(model, by);
  if (names.all.length > 0) return names.all;
  const counts = new Map<string, number>();
  const count = (found: readonly string[]): void => {
    for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (let node = 0; node < model.graph.size; node++) count(names.ofNode(node));
  for (const leaf of model.graph.leaves) if (leaf.node === null) count(names.ofLeaf(leaf));
  names.all = [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  return names.all;
}

const known = new WeakMap<Model, Partial<Record<Category, Names>>>();

function namesOf(model: Model, by: Category): Names {
  const found = known.get(model) ?? {};
  known.set(model, found);
  found[by] ??= { all: [], ...(by === "module" ? modules(model) : metas(model, by)) };
  return found[by];
}

interface Names extends Readers {
  /** Worked out when first asked for. */
  all: readonly string[];
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

/** Modules by their first step below what all have in common: the parts that the model's author sees first. */
function modules({ graph }: Model): Readers {
  const paths = new Set(graph.module.filter((path) => path !== null));
  const depth = common([...paths].map((path) => path.split("."))).length;
  const known = new Map<string, readonly string[]>();
  const step = (path: string | null): readonly string[] => {
    if (path === null || path === "") return [];
    let names = known.get(path);
    if (names === undefined) {
      names = [
        path
          .split(".")
          .slice(0, depth + 1)
          .join("."),
      ];
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
