// What a selection means: which nodes a box selects, and what selected nodes are seen as. Pure.

import { idOf, numberOf } from "../graph.ts";
import type { Model } from "../model.ts";
import { boxesOf } from "../scene/index.ts";
import type { Box, Scene } from "../scene/types.ts";
import type { Subject } from "./sheet.ts";

/**
 * The nodes that a click on a box selects. The box of one operation or leaf in a repeat stands for its like in all rounds,
 * but a person means the one that is drawn; a closed box means all that is in it.
 */
export function nodesOfBox({ tree }: Model, box: Box): readonly number[] {
  const single = box.kind === "operation" || (box.kind === "leaf" && tree.members[box.item]!.length === 1);
  return single ? box.nodes.slice(0, 1) : box.nodes;
}

export function idsOfBox(model: Model, box: Box): string[] {
  return nodesOfBox(model, box).map(idOf);
}

export function numbersOf(model: Model, ids: readonly string[]): number[] {
  return ids.map(numberOf).filter((node) => node !== null && node < model.graph.size) as number[];
}

/** What the panel is about while these nodes are selected. */
export function subjectOf(model: Model, scene: Scene, ids: readonly string[]): Subject {
  const nodes = numbersOf(model, ids);
  const [first] = nodes;
  if (first === undefined) return { kind: "graph" };
  const boxes = boxesOf(scene, first).map((place) => scene.boxes[place]!);
  if (nodes.length === 1) {
    const own = boxes.find((box) => nodesOfBox(model, box).length === 1);
    return { kind: "node", node: first, alike: own?.nodes.filter((node) => node !== first) ?? [] };
  }
  const chosen = new Set(nodes);
  const part = boxes.find((box) => box.kind !== "leaf" && isExactly(box.nodes, chosen));
  return part === undefined ? { kind: "nodes", nodes } : { kind: "part", item: part.item, open: false };
}

/** What the panel is about when a box is picked that stands for no node; null for all others. */
export function subjectOfNodeless({ tree }: Model, box: Box): Subject | null {
  const members = tree.members[box.item]!;
  if (box.kind === "ghost") return { kind: "ghost", leaves: members };
  return box.kind === "dead_end" ? { kind: "dead_end", end: members[0]! } : null;
}

function isExactly(nodes: readonly number[], chosen: ReadonlySet<number>): boolean {
  return nodes.length === chosen.size && nodes.every((node) => chosen.has(node));
}

/** Selected ids, with these among them; without them where they all are already. */
export function turned(selected: readonly string[], ids: readonly string[]): string[] {
  const chosen = new Set(ids);
  const others = selected.filter((id) => !chosen.has(id));
  return others.length + ids.length === selected.length ? others : [...others, ...ids];
}
