// Which part of the fold tree is a module, and which module a part is.

import { adjacency } from "../graph.ts";
import { kept } from "../kept.ts";
import type { Graph, Model, Tree } from "../model.ts";
import { drawnChildren, unrolls } from "../scene/children.ts";
import { isUnrolled } from "../scene/folds.ts";
import { positionOf } from "../scene/placing.ts";
import type { FoldState } from "../state.ts";
import { nodesIn } from "./known.ts";
import type { Goal } from "./sheet.ts";

/** The path of the module that a part is, its drawn round's where it stands for several; "" where it is none. */
export function pathOf({ graph, tree, tape }: Model, item: number): string {
  if (tree.kind[item] !== "module") return "";
  const path = commonModule(graph, tape.subarray(tree.start[item], tree.stop[item]));
  const name = tree.label[item]!.split(":")[0]!;
  return path === name || path.endsWith(`.${name}`) ? path : "";
}

/** The innermost module that all operations with a module share, "" where there is none. */
export function commonModule(graph: Graph, nodes: Iterable<number>): string {
  let common: string[] | null = null;
  for (const node of nodes) {
    const module = graph.module[node];
    if (graph.kind[node] === "leaf" || module == null) continue;
    const steps: string[] = module.split(".");
    const before: string[] = common ?? steps;
    const differs = before.findIndex((step, place) => step !== steps[place]);
    common = differs < 0 ? before : before.slice(0, differs);
  }
  return (common ?? []).join(".");
}

/**
 * The part that is the module of a node, whether it is drawn or not; null where the fold tree has none. In a repeat that
 * of the drawn round, unless the rounds are shown or the node lies in another.
 */
export function moduleItem(model: Model, folds: FoldState, node: number): number | null {
  const { graph } = model;
  const path = graph.module[node];
  if (path == null) return null;
  for (const operation of operationsOf(model, node)) {
    const found = partsAround(model, folds, operation).find((item) => pathOf(model, item) === path);
    if (found !== undefined) return found;
  }
  return null;
}

/** Where a link to the module of a node leads: to that part, else to all nodes that were made in the module. */
export function goalOfModule(model: Model, folds: FoldState, node: number): Goal {
  const item = moduleItem(model, folds, node);
  if (item !== null) return { kind: "item", item };
  return { kind: "nodes", nodes: nodesIn(model.graph, model.graph.module[node] ?? "") };
}

/** The operation itself; of a leaf those that use it. */
function operationsOf({ graph }: Model, node: number): number[] {
  if (graph.kind[node] !== "leaf") return [node];
  const { inStart, inEdges } = adjacency(graph);
  return [...inEdges.subarray(inStart[node], inStart[node + 1])].map((edge) => graph.source[edge]!);
}

/** The parts around an operation, the innermost first. */
function partsAround(model: Model, folds: FoldState, node: number): number[] {
  const { tree } = model;
  const position = positionOf(model)[node]!;
  const around: number[] = [];
  for (let item: number | undefined = 0; item !== undefined; ) {
    around.unshift(item);
    const inside: Int32Array = drawnChildren(tree, item, byItself(model, folds, item, position));
    item = inside.find((one) => tree.start[one]! <= position && position < tree.stop[one]!);
  }
  return around;
}

/** Whether the round of a position is one of a repeat's single rounds. */
function byItself(model: Model, folds: FoldState, item: number, position: number): boolean {
  const { start, stop, times } = model.tree;
  const period = (stop[item]! - start[item]!) / times[item]!;
  return unrolls(model.tree, item) && (isUnrolled(model, folds, item) || position - start[item]! >= period);
}

/** The box of each parameter that no gradient reaches, by its place among the leaves. */
export const ghostItems = kept(({ kind, members }: Tree): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  kind.forEach((one, item) => {
    if (one === "ghost") for (const leaf of members[item]!) found.set(leaf, item);
  });
  return found;
});
