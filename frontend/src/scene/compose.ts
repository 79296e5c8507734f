// Model and what is open -> Scene: the same boxes, arrows and groups, in the same order, as gradviz/view/compose.py makes.
//
// Boxes have their labels from the fold tree. A scene without its arrows from round to round (`again`) has no cycle.

import { adjacency } from "../graph.ts";
import type { Graph, Model, Tree } from "../model.ts";
import type { FoldState } from "../state.ts";
import { type Bundles, bundle } from "./bundles.ts";
import { children, opens } from "./children.ts";
import { arrowLabel } from "./labels.ts";
import { type Outline, outline } from "./outline.ts";
import { type Placing, place, positionOf, positionsByCell } from "./placing.ts";
import type { Arrow, Box, Scene } from "./types.ts";

export function compose(model: Model, folds: FoldState): Scene {
  const outlined = outline(model, folds);
  const placing = place(model, outlined);
  const bundles = bundle(model, outlined, placing);
  const cells = cellBoxes(model, outlined, placing);
  const { boxes, places, ends } = inOrder(model, outlined, bundles, cells);
  const arrows = arrowsOf(model, outlined, placing, bundles, places);
  for (const { user, end } of ends) {
    arrows.push({ source: places[user]!, target: end, label: "", edges: 0, again: false, sample: [] });
  }
  arrows.push(...severedBy(model, placing, boxes, places));
  return { boxes, arrows, groups: outlined.groups, arrowOf: bundles.arrowOf };
}

/** From where the value of a cut came in to the parameters that have no way to the loss because of it. */
function severedBy(model: Model, { cellOf }: Placing, boxes: readonly Box[], places: Int32Array): Arrow[] {
  const cuts = model.backward?.cuts ?? [];
  if (cuts.length === 0) return [];
  const position = positionOf(model);
  const drawn = new Set<string>();
  const arrows: Arrow[] = [];
  boxes.forEach(({ kind, item }, target) => {
    if (kind !== "ghost") return;
    const members = new Set(model.tree.members[item]!);
    for (const { from, leaves } of cuts) {
      if (!leaves.some((leaf) => members.has(leaf))) continue;
      for (const node of from) {
        const cell = cellOf[position[node]!];
        if (cell === undefined || drawn.has(`${cell} ${target}`)) continue;
        drawn.add(`${cell} ${target}`);
        arrows.push({ source: places[cell]!, target, label: "cut", edges: 0, again: false, sample: [] });
      }
    }
  });
  return arrows;
}

function boxOf(tree: Tree, item: number, nodes: readonly number[], group: number): Box {
  return {
    key: tree.key[item]!,
    item,
    kind: tree.kind[item]!,
    role: tree.role[item]!,
    label: tree.label[item]!,
    lines: tree.lines[item]!,
    badges: tree.badges[item]!,
    nodes,
    group,
    opens: opens(tree, item),
  };
}

/** The box of each cell. It stands for the nodes at its positions, and a closed one for the leaves inside as well. */
function cellBoxes(model: Model, { cells, cellGroup }: Outline, placing: Placing): Box[] {
  const { graph, tape, tree } = model;
  const { outStart } = adjacency(graph);
  const position = positionOf(model);
  const { start, item: at } = positionsByCell(placing);
  const seen = new Int32Array(graph.size); // by leaf: 1 + the last cell that it was found in
  return cells.map((item, cell) => {
    const nodes: number[] = [];
    for (let entry = start[cell]!; entry < start[cell + 1]!; entry++) nodes.push(tape[at[entry]!]!);
    const stop = placing.closed[cell] === 1 ? nodes.length : 0;
    for (let place = 0; place < stop; place++) {
      const node = nodes[place]!;
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const leaf = graph.target[edge]!;
        if (position[leaf]! >= 0 || seen[leaf] === cell + 1) continue;
        seen[leaf] = cell + 1;
        nodes.push(leaf);
      }
    }
    return boxOf(tree, item, nodes, cellGroup[cell]!);
  });
}

interface Ordered {
  readonly boxes: Box[];
  /** Where each cell, and after them each leaf box, has got to. */
  readonly places: Int32Array;
  /** The box of each dead end and the cell of its operation, in the order of the cells. */
  readonly ends: readonly { readonly user: number; readonly end: number }[];
}

/** Each operation is followed by its leaves and dead ends; ghosts come last. */
function inOrder(model: Model, outlined: Outline, bundles: Bundles, cells: readonly Box[]): Ordered {
  const { tree } = model;
  const { leafBoxes, leafStart } = bundles;
  const boxes: Box[] = [];
  const places = new Int32Array(cells.length + leafBoxes.length);
  const ends: { user: number; end: number }[] = [];
  for (const cell of rootsFirst(model.graph, cells, bundles.target)) {
    const box = cells[cell]!;
    places[cell] = boxes.push(box) - 1;
    for (let beside = leafStart[cell]!; beside < leafStart[cell + 1]!; beside++) {
      const leaf = boxOf(tree, leafBoxes[beside]!, tree.members[leafBoxes[beside]!]!, box.group);
      places[cells.length + beside] = boxes.push(leaf) - 1;
    }
    if (!model.inFull || box.kind !== "operation") continue;
    for (const item of children(tree, box.item)) {
      if (tree.kind[item] !== "dead_end") continue;
      ends.push({ user: cell, end: boxes.push(boxOf(tree, item, [], box.group)) - 1 });
    }
  }
  outlined.ghosts.forEach((item, place) => {
    boxes.push(boxOf(tree, item, [], outlined.ghostGroup[place]!));
  });
  return { boxes, places, ends: ends.sort((one, other) => one.user - other.user) };
}

/**
 * The cells with the traced outputs in front, as they were given; but those in frames and those that arrows lead to stay:
 * boxes come before all that they point to.
 */
function rootsFirst(graph: Graph, cells: readonly Box[], targets: readonly number[]): number[] {
  const given = new Map<number, number>();
  for (const { node } of graph.roots) if (!given.has(node)) given.set(node, given.size);
  const later = new Set(targets);
  const [first, others]: [{ cell: number; rank: number }[], number[]] = [[], []];
  cells.forEach(({ nodes, group }, cell) => {
    const free = group < 0 && !later.has(cell);
    const rank = free ? nodes.reduce((best, node) => Math.min(best, given.get(node) ?? best), given.size) : given.size;
    if (rank < given.size) first.push({ cell, rank });
    else others.push(cell);
  });
  first.sort((one, other) => one.rank - other.rank);
  return [...first.map(({ cell }) => cell), ...others];
}

function arrowsOf(
  { graph, tree, tape }: Model,
  { cells, cellGroup }: Outline,
  { times, closed }: Placing,
  bundles: Bundles,
  places: Int32Array,
): Arrow[] {
  return bundles.source.map((cell, arrow) => {
    const [edges, sample, group] = [bundles.size[arrow]!, bundles.sample[arrow]!, cellGroup[cell]!];
    const node = closed[cell] === 1 ? null : tape[tree.start[cells[cell]!]!]!;
    const label = arrowLabel(graph, node, sample, edges, group < 0 ? 1 : times[group]!);
    const target = places[bundles.target[arrow]!]!;
    return { source: places[cell]!, target, label, edges, again: bundles.again[arrow]!, sample };
  });
}
