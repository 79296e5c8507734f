// Opens what hides something, and no more.
//
// A repeat is unrolled only where what is looked for does not lie in its drawn round.

import { adjacency } from "../graph.ts";
import type { Model } from "../model.ts";
import type { FoldState } from "../state.ts";
import { drawnChildren, opens, unrolls } from "./children.ts";
import { isOpen, isUnrolled, refolded } from "./opening.ts";
import { positionOf } from "./placing.ts";

/** Open what hides a node. A leaf with several uses is shown at the one for which least must be opened. */
export function revealed(model: Model, folds: FoldState, node: number): FoldState {
  const position = positionOf(model)[node];
  if (position === undefined) return folds;
  if (position >= 0) return openedTo(model, folds, position);
  const { inStart, inEdges } = adjacency(model.graph);
  let best: FoldState | null = null;
  for (const edge of inEdges.subarray(inStart[node], inStart[node + 1])) {
    const user = positionOf(model)[model.graph.source[edge]!]!;
    const found = openedTo(model, folds, user);
    if (found === folds) return folds;
    best ??= found;
  }
  return best ?? folds;
}

function openedTo(model: Model, folds: FoldState, position: number): FoldState {
  const { tree } = model;
  let [item, at, result] = [0, position, folds];
  for (;;) {
    if (item !== 0 && !opens(tree, item)) return result;
    let single = isUnrolled(model, folds, item);
    if (tree.kind[item] === "repeat" && !single) {
      const period = (tree.stop[item]! - tree.start[item]!) / tree.times[item]!;
      const round = Math.floor((at - tree.start[item]!) / period);
      single = round > 0 && unrolls(tree, item);
      if (!single) at -= round * period;
    }
    if (single) result = refolded(tree, result, item, "unrolled");
    else if (!isOpen(model, folds, item)) result = refolded(tree, result, item, "open");
    const inside = drawnChildren(tree, item, single);
    const next = inside.find((child) => tree.start[child]! <= at && at < tree.stop[child]!);
    if (next === undefined) return result;
    item = next;
  }
}

/** Open what hides an item of the fold tree: a part, or parameters that the graph does not reach. */
export function revealedItem(model: Model, folds: FoldState, item: number): FoldState {
  const { tree } = model;
  let result = folds;
  for (let inner = item; inner > 0; inner = tree.parent[inner]!) {
    const parent = tree.parent[inner]!;
    const single = tree.kind[parent] === "repeat" && tree.round[inner]! > 0;
    if (!isOpen(model, folds, parent) || isUnrolled(model, folds, parent) !== single) {
      result = refolded(tree, result, parent, single ? "unrolled" : "open");
    }
  }
  return result;
}
