// A highlight -> the nodes that stand out, and which boxes and arrows stand back because they hold none of those.

import { between, downstream, numberOf, upstream } from "../graph.ts";
import type { Graph } from "../model.ts";
import type { Scene } from "../scene/types.ts";
import type { Highlight } from "../state.ts";

/** A byte for each node, 1 for those that stand out; null where the highlight names no node of the graph or no kind. */
export function standingOut(graph: Graph, { kind, ids }: Highlight): Uint8Array | null {
  const nodes = ids.map(numberOf).filter((node): node is number => node !== null && node < graph.size);
  const [first] = nodes;
  if (first === undefined) return null;
  switch (kind) {
    case "upstream":
      return upstream(graph, nodes);
    case "downstream":
      return downstream(graph, nodes);
    case "both": {
      const below = downstream(graph, nodes);
      return upstream(graph, nodes).map((inside, node) => inside | below[node]!);
    }
    case "between":
      return between(graph, first, nodes[1] ?? first);
    default: // from a Python that knows more kinds
      return null;
  }
}

/** 1 for each box without such a node. */
export function dimmedBoxes({ boxes }: Scene, inside: Uint8Array): Uint8Array {
  return Uint8Array.from(boxes, (box) => (box.nodes.some((node) => inside[node] === 1) ? 0 : 1));
}

/** 1 for each arrow of whose edges (of all, not only of its sample) none leads from such a node to such a node. */
export function dimmedArrows({ source, target }: Graph, scene: Scene, inside: Uint8Array): Uint8Array {
  const dimmed = new Uint8Array(scene.arrows.length).fill(1);
  scene.arrowOf.forEach((arrow, edge) => {
    if (arrow >= 0 && inside[source[edge]!] === 1 && inside[target[edge]!] === 1) dimmed[arrow] = 0;
  });
  return dimmed;
}
