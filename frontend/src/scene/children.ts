// Walks the fold tree: what lies inside an item, and what of that is drawn.

import { gather, ownedBy } from "../gathered.ts";
import { kept } from "../kept.ts";
import type { Tree } from "../model.ts";

const childrenByParent = kept(({ size, parent }: Tree) => {
  const { start, item } = gather(size, parent.subarray(1)); // the whole graph, item 0, is no child
  return { start, item: item.map((place) => place + 1) };
});

/** The children of an item in drawing order; of a repeat those of its drawn round and then its single rounds. */
export function children(tree: Tree, item: number): Int32Array {
  return ownedBy(childrenByParent(tree), item);
}

/** The children that are drawn while the item is open: of a repeat, one round for all of them, or each by itself. */
export function drawnChildren(tree: Tree, item: number, unrolled: boolean): Int32Array {
  const all = children(tree, item);
  if (tree.kind[item] !== "repeat") return all;
  return all.filter((child) => tree.round[child]! > 0 === unrolled);
}

/** Whether an item can be opened into a frame. */
export function opens(tree: Tree, item: number): boolean {
  return tree.frame[item] !== "";
}

/** Whether it is a repeat whose single rounds are known, so that they can be shown. */
export function unrolls(tree: Tree, item: number): boolean {
  return tree.kind[item] === "repeat" && children(tree, item).some((child) => tree.round[child]! > 0);
}
