// Which nodes have which property: what follows from many edges, hooks or dead ends is worked out once for a model.

import { adjacency, leafOf } from "../graph.ts";
import type { Model } from "../model.ts";

/** How the reasons begin why an argument gets no gradient that nobody expects to (as in Python's labels). */
const ORDINARY = ["not given", "a number"];

/** A byte for each node, 1 for those with the property. */
export interface Facts {
  readonly root: Uint8Array;
  readonly deadEnd: Uint8Array;
  readonly hook: Uint8Array;
  readonly shared: Uint8Array;
}

const known = new WeakMap<Model, Facts>();

export function factsOf(model: Model): Facts {
  let facts = known.get(model);
  if (facts === undefined) {
    facts = properties(model);
    known.set(model, facts);
  }
  return facts;
}

function properties({ graph }: Model): Facts {
  const marked = (nodes: Iterable<number>): Uint8Array => {
    const marks = new Uint8Array(graph.size);
    for (const node of nodes) marks[node] = 1;
    return marks;
  };
  const all = [...graph.op.keys()];
  const telling = graph.deadEnds.filter(({ why }) => !ORDINARY.some((reason) => why?.startsWith(reason)));
  const hooked = hookedModules(graph.moduleHooks.map((hook) => hook.owner));
  const { inStart, inEdges } = adjacency(graph);
  const shared = (node: number): boolean => {
    const users = inEdges.subarray(inStart[node], inStart[node + 1]);
    return users.some((edge) => graph.source[edge] !== graph.source[users[0]!]);
  };
  return {
    root: marked(graph.roots.map((root) => root.node)),
    deadEnd: marked(telling.map((end) => end.source)),
    hook: marked(
      all.filter((node) => {
        return graph.hooks[node]!.length + (leafOf(graph, node)?.hooks.length ?? 0) > 0 || hooked(graph.module[node]!);
      }),
    ),
    shared: marked(all.filter((node) => graph.kind[node] === "leaf" && shared(node))),
  };
}

/** Whether a module, or one around it, is among those with a hook. Hooks of the whole model would find everything. */
function hookedModules(owners: readonly string[]): (path: string | null) => boolean {
  const hooked = new Set(owners.filter((owner) => owner !== ""));
  const answers = new Map<string, boolean>();
  return (path) => {
    if (path === null || hooked.size === 0) return false;
    let answer = answers.get(path);
    if (answer === undefined) {
      answer = path.split(".").some((_, depth, steps) => hooked.has(steps.slice(0, depth + 1).join(".")));
      answers.set(path, answer);
    }
    return answer;
  };
}
