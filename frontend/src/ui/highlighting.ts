// What a highlight is called: "Upstream of n12 · 23 nodes".

import { standingOut } from "../emphasis/highlight.ts";
import { idOf } from "../graph.ts";
import type { Model } from "../model.ts";
import type { Scene } from "../scene/types.ts";
import type { State } from "../state.ts";
import { count } from "../wording.ts";
import { headingOf } from "./heading.ts";
import { kindOf, nameOf } from "./known.ts";
import { numbersOf, subjectOf } from "./selection.ts";

/** "" where nothing is highlighted. */
export function highlightWords(model: Model, scene: Scene, { highlight, focus }: State): string {
  const inside = highlight === null ? null : standingOut(model.graph, highlight);
  if (highlight === null || inside === null) return "";
  const nodes = inside.reduce((sum, one) => sum + one, 0);
  if (nodes === 0) return `No path ${ends(model, highlight.ids)}`;
  return `${what(model, scene, { highlight, focus })} · ${count(nodes, "node")}`;
}

function what(model: Model, scene: Scene, { highlight, focus }: Pick<State, "highlight" | "focus">): string {
  const { kind, ids } = highlight!;
  if (kind === "between") return `Paths ${ends(model, ids)}`;
  const subject = subjectOf(model, scene, { focus, selected: ids });
  const name = subject.kind === "node" ? nodeWords(model, subject.node) : headingOf(model, subject).title;
  if (kind === "both") return `All paths through ${name}`;
  if (kind === "downstream") return `Downstream of ${name}`;
  const isLeaf = subject.kind === "node" && kindOf(model.graph, subject.node) === "leaf";
  return isLeaf ? `All paths from ${name} to the loss` : `Upstream of ${name}`;
}

function ends(model: Model, ids: readonly string[]): string {
  const [one, other] = numbersOf(model, ids).map((node) => nodeWords(model, node));
  return other === undefined ? `through ${one}` : `between ${one} and ${other}`;
}

function nodeWords({ graph }: Model, node: number): string {
  const name = nameOf(graph, node);
  return name === graph.op[node] ? `${name} ${idOf(node)}` : name;
}
