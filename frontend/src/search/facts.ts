// Which nodes have which property: what follows from many edges, hooks or dead ends is worked out once for a
// model, when it is first asked for.

import { adjacency } from "../graph.ts";
import { kept } from "../kept.ts";
import type { Graph, Model } from "../model.ts";

/** How the reasons begin why an argument gets no gradient that nobody expects to (as in Python's labels). */
const ORDINARY = ["not given", "a number"];

export type Fact = "root" | "deadEnd" | "hook" | "shared";

const known = kept((_: Model): Partial<Record<Fact, Uint8Array>> => ({}));

/** A byte for each node, 1 for those with the property. */
export function marksOf(model: Model, fact: Fact): Uint8Array {
  const found = known(model);
  if (found[fact] === undefined) {
    found[fact] = new Uint8Array(model.graph.size);
    for (const node of NODES[fact](model.graph)) found[fact][node] = 1;
  }
  return found[fact];
}

const NODES: Readonly<Record<Fact, (graph: Graph) => readonly number[]>> = {
  root: ({ roots }) => roots.map((root) => root.node),
  deadEnd: ({ deadEnds }) => {
    const telling = deadEnds.filter(({ why }) => !ORDINARY.some((reason) => why?.startsWith(reason)));
    return telling.map((end) => end.source);
  },
  // Not what merely lies in a module with a hook: the badge of that module says so.
  hook: (graph) => {
    const own = [...graph.op.keys()].filter((node) => graph.hooks[node]!.length > 0);
    return [...own, ...graph.leaves.flatMap(({ node, hooks }) => (node === null || hooks.length === 0 ? [] : node))];
  },
  shared: (graph) => {
    const { inStart, inEdges } = adjacency(graph);
    const leaves = graph.leaves.flatMap(({ node }) => node ?? []);
    return leaves.filter((node) => {
      const users = inEdges.subarray(inStart[node], inStart[node + 1]);
      return users.some((edge) => graph.source[edge] !== graph.source[users[0]!]);
    });
  },
};
