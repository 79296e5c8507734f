// What can be done with what is selected: buttons of the Details panel, and choices of the menu.

import type { Model } from "../model.ts";
import { unrolls } from "../scene/children.ts";
import type { Highlight } from "../state.ts";
import { repeatAround } from "./selection.ts";
import type { Action, Subject } from "./sheet.ts";
import type { View } from "./view.ts";

interface Way {
  readonly name: string;
  readonly title: string;
  /** What it makes stand out; pressed again, it ends that. */
  readonly highlight?: Highlight["kind"];
  act(view: View): void;
}

export const WAYS: Readonly<Record<Action, Way>> = {
  upstream: {
    name: "Upstream",
    title: "Highlight all that its gradient comes through",
    highlight: "upstream",
    act: ({ actions }) => actions.highlight("upstream"),
  },
  downstream: {
    name: "Downstream",
    title: "Highlight all that its gradient reaches",
    highlight: "downstream",
    act: ({ actions }) => actions.highlight("downstream"),
  },
  toLoss: {
    name: "All paths to the loss",
    title: "Highlight every path from the loss to it",
    highlight: "upstream",
    act: ({ actions }) => actions.highlight("upstream"),
  },
  through: {
    name: "All paths through",
    title: "Highlight every path from the loss through it to the leaves",
    highlight: "both",
    act: ({ actions }) => actions.highlight("both"),
  },
  pathTo: {
    name: "Path to…",
    title: "Highlight the paths to what is picked next",
    act: ({ actions }) => actions.startPath(),
  },
  unfold: { name: "Unfold", title: "Show what is inside (Enter)", act: ({ actions }) => actions.toggleCursor() },
  fold: { name: "Fold", title: "Show it as one box (Enter)", act: ({ actions }) => actions.toggleCursor() },
  rounds: {
    name: "All rounds",
    title: "Show each round by itself",
    act: ({ actions, controller }) => actions.unroll(repeatOf(controller.model, controller.subject)),
  },
};

export function actionsOf(model: Model, subject: Subject): Action[] {
  const single: Action[] = unrolls(model.tree, repeatOf(model, subject)) ? ["rounds"] : [];
  switch (subject.kind) {
    case "node": {
      const isLeaf = model.graph.kind[subject.node] === "leaf";
      return [...(isLeaf ? LEAF : OPERATION), ...single];
    }
    case "nodes":
      return subject.nodes.length === 2 ? ["upstream", "downstream", "pathTo"] : ["upstream", "downstream"];
    case "part":
      return [subject.open ? "fold" : "unfold", ...OPERATION, ...single];
    default:
      return [];
  }
}

const LEAF: readonly Action[] = ["toLoss", "pathTo"];
const OPERATION: readonly Action[] = ["upstream", "downstream", "through", "pathTo"];

/** The repeat that draws one round with it for all, -1 where there is none. An open part has its own frame to say so. */
function repeatOf({ tree }: Model, subject: Subject): number {
  if (subject.kind === "node") return subject.repeat;
  return subject.kind === "part" && !subject.open ? repeatAround(tree, subject.item) : -1;
}
