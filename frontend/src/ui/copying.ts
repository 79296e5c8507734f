// What can be copied of a box.

import { expression } from "../graph.ts";
import type { Model } from "../model.ts";
import type { Box } from "../scene/types.ts";
import { copy } from "./clipboard.ts";
import { nameOf, rootName } from "./known.ts";
import { nodesOfBox } from "./selection.ts";
import type { View } from "./view.ts";

/** Copy, and say whether that worked. */
export async function copyAloud(text: string, { say }: View): Promise<boolean> {
  const done = await copy(text);
  say(done ? "Copied." : "The browser does not allow to copy here.");
  return done;
}

/** The name of a box: the leaf's whole name where it is one. */
export function nameOfBox(model: Model, box: Box): string {
  const node = onlyNode(model, box);
  return node === null ? box.label : nameOf(model.graph, node);
}

/** The Python that reaches the node of a box, null where it stands for none or for several. */
export function expressionOfBox(model: Model, box: Box): string | null {
  const node = onlyNode(model, box);
  return node === null ? null : expression(model.graph, node, rootName(model.graph));
}

function onlyNode(model: Model, box: Box): number | null {
  const nodes = nodesOfBox(model, box);
  return nodes.length === 1 ? nodes[0]! : null;
}
