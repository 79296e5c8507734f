// What a selection means: which nodes a box or frame selects, and what is seen in selected nodes. Pure.

import { idOf, numberOf } from "../graph.ts";
import type { ItemKind, Model, Tree } from "../model.ts";
import { boxesOf, firstInside } from "../scene/index.ts";
import { nodesOf } from "../scene/nodes.ts";
import type { Box, Scene } from "../scene/types.ts";
import type { State } from "../state.ts";
import { type Focused, focusedIn } from "./focus.ts";
import type { Subject } from "./sheet.ts";

/** Nodes that one pick selects at most: they are sent to Python at once. */
export const MOST_SELECTED = 10_000;

const PARTS: readonly ItemKind[] = ["chain", "module", "repeat", "section"];

/**
 * The nodes that a click on a box selects. The box of one operation or leaf in a repeat stands for its like in all rounds,
 * but a person means the one that is drawn; a closed box means all that is in it.
 */
export function nodesOfBox({ tree }: Model, box: Box): readonly number[] {
  return box.nodes.slice(0, mostOf(tree, box.item));
}

export function idsOfBox(model: Model, box: Box): string[] {
  return nodesOfBox(model, box).map(idOf);
}

/** The same of any item, whether it is a box now, a frame, or not drawn. */
export function idsOfItem(model: Model, item: number): string[] {
  return nodesOf(model, item).slice(0, mostOf(model.tree, item)).map(idOf);
}

function mostOf({ kind, members }: Tree, item: number): number {
  const single = kind[item] === "operation" || (kind[item] === "leaf" && members[item]!.length === 1);
  return single ? 1 : MOST_SELECTED;
}

export function numbersOf(model: Model, ids: readonly string[]): number[] {
  return ids.map(numberOf).filter((node) => node !== null && node < model.graph.size) as number[];
}

type Picked = Pick<State, "focus" | "selected">;

/** The box that the keys are at: of a frame the first in it, of an arrow its start; null where nothing is picked. */
export function boxInFocus(model: Model, scene: Scene, { focus, selected }: Picked): number | null {
  const focused = focusedIn(scene, focus);
  if (focused?.kind === "box") return focused.index;
  if (focused?.kind === "arrow") return scene.arrows[focused.index]!.source;
  if (focused?.kind === "group") {
    const inside = firstInside(scene, focused.index);
    if (inside !== null) return inside;
  }
  const [node] = numbersOf(model, selected.slice(0, 1));
  return node === undefined ? null : (boxesOf(scene, node)[0] ?? null);
}

/** What the panel is about: what is picked, unless other nodes than its own are selected; then those. */
export function subjectOf(model: Model, scene: Scene, { focus, selected }: Picked): Subject {
  const focused = focusedIn(scene, focus);
  if (focused !== null) {
    const own = idsOf(model, scene, focused);
    if (selected.length === 0 || isExactly(own, new Set(selected))) return subjectOfFocused(model, scene, focused);
  }
  return subjectOfNodes(model, scene, numbersOf(model, selected));
}

function idsOf(model: Model, { boxes, groups }: Scene, { kind, index }: Focused): readonly string[] {
  if (kind === "arrow") return [];
  return kind === "box" ? idsOfBox(model, boxes[index]!) : idsOfItem(model, groups[index]!.item);
}

function subjectOfFocused(model: Model, scene: Scene, { kind, index }: Focused): Subject {
  const { boxes, groups, arrows } = scene;
  if (kind === "group") return { kind: "part", item: groups[index]!.item, open: true };
  if (kind === "arrow") {
    const arrow = arrows[index]!;
    return { kind: "arrow", arrow, source: boxes[arrow.source]!.label, target: boxes[arrow.target]!.label };
  }
  const box = boxes[index]!;
  const members = model.tree.members[box.item]!;
  if (box.kind === "ghost") return { kind: "ghost", leaves: members };
  if (box.kind === "dead_end") return { kind: "dead_end", end: members[0]! };
  if (PARTS.includes(box.kind)) return { kind: "part", item: box.item, open: false };
  return subjectOfNodes(model, scene, nodesOfBox(model, box));
}

function subjectOfNodes(model: Model, scene: Scene, nodes: readonly number[]): Subject {
  const [first] = nodes;
  if (first === undefined) return { kind: "graph" };
  const boxes = boxesOf(scene, first).map((place) => scene.boxes[place]!);
  if (nodes.length === 1) {
    const own = boxes.find((box) => nodesOfBox(model, box).length === 1);
    const alike = own?.nodes.filter((node) => node !== first) ?? [];
    return { kind: "node", node: first, alike, repeat: own === undefined ? -1 : repeatAround(model.tree, own.item) };
  }
  const chosen = new Set(nodes);
  const part = boxes.find((box) => PARTS.includes(box.kind) && isExactly(nodesOfBox(model, box), chosen));
  return part === undefined ? { kind: "nodes", nodes } : { kind: "part", item: part.item, open: false };
}

/** The innermost repeat that is drawn as one round with this item in it, -1 where it lies in none. */
export function repeatAround({ kind, parent, round }: Tree, item: number): number {
  for (let inner = item; inner > 0; inner = parent[inner]!) {
    const outer = parent[inner]!;
    if (kind[outer] === "repeat" && round[inner] === 0) return outer;
  }
  return -1;
}

function isExactly<Value>(values: readonly Value[], chosen: ReadonlySet<Value>): boolean {
  return values.length === chosen.size && values.every((value) => chosen.has(value));
}

/** Selected ids, with these among them; without them where they all are already. */
export function turned(selected: readonly string[], ids: readonly string[]): string[] {
  const chosen = new Set(ids);
  const others = selected.filter((id) => !chosen.has(id));
  return others.length + ids.length === selected.length ? others : [...others, ...ids];
}
