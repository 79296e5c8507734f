// Writes on arrows: the arguments that they stand for, and how many edges they have. As gradviz/view/labels/arrows.py.

import { adjacency } from "../graph.ts";
import { kept } from "../kept.ts";
import type { Graph } from "../model.ts";

const MOST_NAMES = 3;

/**
 * The label of an arrow.
 *
 * @param node the operation that its edges come from, null if that is a closed box
 * @param sample the first few of its edges
 * @param size how many edges it has
 * @param rounds how many rounds its source stands for: edges are counted for one of them
 */
export function arrowLabel(
  graph: Graph,
  node: number | null,
  sample: readonly number[],
  size: number,
  rounds: number,
): string {
  const many = halfToEven(size / rounds);
  const names = node === null || waysOf(graph, node) === 1 ? [] : namesOf(graph, sample);
  if (many <= Math.max(1, names.length)) {
    const more = names.length - MOST_NAMES;
    return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  }
  const stems = new Set(names.map((name) => name.split("[", 1)[0]!)); // of a list of tensors: its name
  const said = `×${grouped(many)}`;
  return stems.size === 1 ? `${[...stems][0]} ${said}` : said;
}

function namesOf(graph: Graph, sample: readonly number[]): string[] {
  const source = graph.source[sample[0]!];
  const names = sample.map((edge) => (graph.source[edge] === source ? graph.edgeName[edge]! : null));
  return [...new Set(names.filter((name): name is string => name !== null && name !== ""))];
}

const endsOf = kept(({ deadEnds }: Graph) => {
  const ends = new Map<number, number>();
  for (const { source } of deadEnds) ends.set(source, (ends.get(source) ?? 0) + 1);
  return ends;
});

/** How many arguments of an operation could get a gradient: its edges and dead ends. */
function waysOf(graph: Graph, node: number): number {
  const { outStart } = adjacency(graph);
  return outStart[node + 1]! - outStart[node]! + (endsOf(graph).get(node) ?? 0);
}

/** A whole number as people write it, "12,345". Thousands of arrows have one, and toLocaleString takes its time. */
function grouped(number: number): string {
  return `${number}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Rounds as Python does: a half to the even neighbour. */
function halfToEven(value: number): number {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}
