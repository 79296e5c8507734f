// Which nodes an item of the fold tree stands for, drawn or not: the same as the nodes of its box.

import { adjacency } from "../graph.ts";
import type { Model, Tree } from "../model.ts";
import { positionOf } from "./placing.ts";

/** Its operations, in all rounds that it is drawn for, its own round first; of a part also the leaves that they use. */
export function nodesOf(model: Model, item: number): readonly number[] {
  const { tree, tape } = model;
  const kind = tree.kind[item]!;
  if (kind === "leaf") return tree.members[item]!;
  if (kind === "ghost" || kind === "dead_end") return [];
  const operations = positionsOf(tree, item).map((position) => tape[position]!);
  return kind === "operation" ? operations : [...operations, ...leavesOf(model, operations)];
}

/** Inside the drawn round of a repeat a position stands for the same in every round; repeats inside repeats multiply. */
function positionsOf({ parent, kind, round, start, stop, times }: Tree, item: number): number[] {
  let positions = Array.from({ length: stop[item]! - start[item]! }, (_, place) => start[item]! + place);
  for (let inner = item; inner > 0; inner = parent[inner]!) {
    const outer = parent[inner]!;
    if (kind[outer] !== "repeat" || round[inner] !== 0) continue;
    const period = (stop[outer]! - start[outer]!) / times[outer]!;
    const first = positions;
    positions = Array.from({ length: times[outer]! }, (_, one) => one * period).flatMap((shift) =>
      first.map((position) => position + shift),
    );
  }
  return positions;
}

/** The leaves that these operations use and that are drawn beside them, each once. */
function leavesOf(model: Model, operations: readonly number[]): Set<number> {
  const { target } = model.graph;
  const { outStart } = adjacency(model.graph);
  const position = positionOf(model);
  const leaves = new Set<number>();
  for (const node of operations) {
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
      if (position[target[edge]!]! < 0) leaves.add(target[edge]!);
    }
  }
  return leaves;
}
