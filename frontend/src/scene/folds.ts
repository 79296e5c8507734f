// Folding and unfolding: each verb takes what is open and gives what is open then.

import type { Model, Tree } from "../model.ts";
import type { FoldState } from "../state.ts";
import { children, drawnChildren, opens, unrolls } from "./children.ts";
import { isOpen, isUnrolled, refolded } from "./opening.ts";
import type { Fold } from "./types.ts";

export { isOpen, isUnrolled } from "./opening.ts";
export { revealed, revealedItem } from "./revealing.ts";

/** Boxes that "unfold all" makes at most: as many as can be laid out and drawn smoothly. */
const MOST_BOXES = 20_000;

/** Open what is closed, close what is open. */
export function toggled(model: Model, folds: FoldState, item: number): FoldState {
  return refolded(model.tree, folds, item, isOpen(model, folds, item) ? "closed" : "open");
}

/** Show all rounds of a repeat; or, where they are shown, one for all again. */
export function unrolled(model: Model, folds: FoldState, item: number): FoldState {
  if (!unrolls(model.tree, item)) return folds;
  return refolded(model.tree, folds, item, isUnrolled(model, folds, item) ? "open" : "unrolled");
}

/** Everything closed that can be. */
export function closedAll({ tree }: Model): FoldState {
  const folds: Record<string, Fold> = {};
  for (let item = 1; item < tree.size; item++) {
    if (tree.open[item] && opens(tree, item)) folds[tree.key[item]!] = "closed";
  }
  return folds;
}

/** Everything open, a repeat as one round; the outer parts first, as long as there are at most so many boxes. */
export function openedAll({ tree }: Model, most = MOST_BOXES): FoldState {
  const folds: Record<string, Fold> = {};
  let boxes = 1;
  for (let level = [0]; level.length > 0; ) {
    const deeper: number[] = [];
    for (const item of level) {
      const inside = drawnChildren(tree, item, false);
      const gain = inside.reduce((sum, child) => sum + boxesOfClosed(tree, child), -1);
      const open = item === 0 || boxes + gain <= most;
      if (open) {
        boxes += gain;
        deeper.push(...inside.filter((child) => opens(tree, child)));
      }
      if (open !== tree.open[item]) folds[tree.key[item]!] = open ? "open" : "closed";
    }
    level = deeper;
  }
  return folds;
}

/** Boxes that a closed item takes: itself, and what is drawn beside an operation. */
function boxesOfClosed(tree: Tree, item: number): number {
  return tree.kind[item] === "operation" ? 1 + children(tree, item).length : 1;
}
