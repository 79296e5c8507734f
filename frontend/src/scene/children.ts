// Walks the fold tree: what lies inside an item, and what of that is drawn.

import { starts } from "../graph.ts";
import type { Tree } from "../model.ts";

interface Children {
  readonly start: Int32Array;
  readonly list: Int32Array;
}

const known = new WeakMap<Tree, Children>();

/** The children of an item in drawing order; of a repeat those of its drawn round and then its single rounds. */
export function children(tree: Tree, item: number): Int32Array {
  let found = known.get(tree);
  if (found === undefined) {
    const inner = tree.parent.subarray(1); // the whole graph, item 0, is no child
    const start = starts(inner, tree.size);
    const list = new Int32Array(inner.length);
    const next = start.slice();
    inner.forEach((parent, place) => {
      list[next[parent]!++] = place + 1;
    });
    found = { start, list };
    known.set(tree, found);
  }
  return found.list.subarray(found.start[item], found.start[item + 1]);
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
