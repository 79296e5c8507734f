// How one item is folded: the fold tree's own choice, or what a person made of it (FoldState: only what differs, by key).

import type { Model, Tree } from "../model.ts";
import type { FoldState } from "../state.ts";
import { opens, unrolls } from "./children.ts";
import type { Fold } from "./types.ts";

export function isOpen(model: Model, folds: FoldState, item: number): boolean {
  return foldOf(model.tree, folds, item) !== "closed";
}

/** Whether it is a repeat whose single rounds are all shown. */
export function isUnrolled(model: Model, folds: FoldState, item: number): boolean {
  return foldOf(model.tree, folds, item) === "unrolled";
}

function foldOf(tree: Tree, folds: FoldState, item: number): Fold {
  if (item === 0) return "open"; // the whole graph is no frame, so nothing could close it
  if (!opens(tree, item)) return "closed";
  const asked = folds[tree.key[item]!];
  if (asked === "unrolled") return unrolls(tree, item) ? "unrolled" : "open";
  return asked ?? (tree.open[item] ? "open" : "closed");
}

/** Fold an item so; what it is at first is not kept. */
export function refolded(tree: Tree, folds: FoldState, item: number, fold: Fold): FoldState {
  if (item === 0 || !opens(tree, item)) return folds;
  const key = tree.key[item]!;
  const { [key]: before, ...others } = folds;
  const after = fold === (tree.open[item] ? "open" : "closed") ? undefined : fold;
  if (after === before) return folds;
  return after === undefined ? others : { ...others, [key]: after };
}
