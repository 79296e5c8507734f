// Links to nodes, as lists in the Details panel have them.

import { idOf, leafOf } from "../graph.ts";
import type { Graph } from "../model.ts";
import { nameOf, shapeOf } from "./known.ts";
import type { Link } from "./sheet.ts";

/** A link to a node, with its shape; operations, which have no name of their own, with their id. */
export function nodeLink(graph: Graph, node: number, role: string | null = null): Link {
  const id = leafOf(graph, node)?.name == null ? idOf(node) : "";
  const detail = [id, role, shapeOf(graph, node)].filter(Boolean).join(" ");
  return { text: nameOf(graph, node), detail, goal: { kind: "nodes", nodes: [node] } };
}
