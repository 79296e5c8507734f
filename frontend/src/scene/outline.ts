// What is open -> the outline of a scene: its cells (boxes of operations and of what is closed) and its frames.
//
// The same as gradviz/view/placing.py's walk. Frames may nest deeply, so there is no recursion.

import type { Model, Tree } from "../model.ts";
import type { FoldState } from "../state.ts";
import { drawnChildren } from "./children.ts";
import { isOpen, isUnrolled } from "./opening.ts";
import type { Group } from "./types.ts";

export interface Outline {
  /** Items in drawing order, and the group of each. */
  readonly cells: readonly number[];
  readonly cellGroup: readonly number[];
  /** Parameters that the graph does not reach, in the order of their groups. */
  readonly ghosts: readonly number[];
  readonly ghostGroup: readonly number[];
  readonly groups: readonly Group[];
}

export function outline(model: Model, folds: FoldState): Outline {
  const { tree } = model;
  const cells: number[] = [];
  const cellGroup: number[] = [];
  const ghosts: number[] = [];
  const ghostGroup: number[] = [];
  const groups: Group[] = [];
  const waiting: number[] = [0];
  const waitingGroup: number[] = [-1];
  while (waiting.length > 0) {
    const item = waiting.pop()!;
    let group = waitingGroup.pop()!;
    if (!isOpen(model, folds, item)) {
      cells.push(item);
      cellGroup.push(group);
      continue;
    }
    const unrolled = isUnrolled(model, folds, item);
    if (item !== 0) group = groups.push(frame(tree, item, group, unrolled)) - 1;
    const inside = drawnChildren(tree, item, unrolled);
    for (const child of inside) {
      if (tree.kind[child] !== "ghost") continue;
      ghosts.push(child);
      ghostGroup.push(group);
    }
    for (let place = inside.length - 1; place >= 0; place--) {
      if (tree.kind[inside[place]!] === "ghost") continue;
      waiting.push(inside[place]!);
      waitingGroup.push(group);
    }
  }
  return { cells, cellGroup, ghosts, ghostGroup, groups };
}

function frame(tree: Tree, item: number, parent: number, unrolled: boolean): Group {
  return {
    key: tree.key[item]!,
    item,
    kind: tree.kind[item]!,
    parent,
    title: tree.frame[item]!,
    times: unrolled ? 1 : tree.times[item]!,
    unrolled,
  };
}
