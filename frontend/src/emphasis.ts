// State -> Emphasis: how the boxes and arrows of a scene look now. It changes no place, so it is redone at every change.

import type { Emphasis } from "./draw/types.ts";
import { coloring } from "./emphasis/coloring.ts";
import { dimmedArrows, dimmedBoxes, standingOut } from "./emphasis/highlight.ts";
import { replaying } from "./emphasis/replaying.ts";
import { numberOf } from "./graph.ts";
import type { Graph, Model, Paint, ThemeName } from "./model.ts";
import type { Scene } from "./scene/types.ts";
import { search } from "./search.ts";
import type { ColorBy, State } from "./state.ts";

export function emphasize(model: Model, scene: Scene, state: State, theme: ThemeName): Emphasis {
  const inside = state.highlight === null ? null : standingOut(model.graph, state.highlight);
  const { paints, frames } = coloring(model, scene, state.colorBy, theme);
  return {
    paints,
    frames,
    dimBoxes: inside === null ? null : dimmedBoxes(scene, inside),
    dimArrows: inside === null ? null : dimmedArrows(model.graph, scene, inside),
    selected: boxesHolding(model.graph, scene, state.selected.map(numberOf)),
    found: foundBoxes(model, scene, state.query),
    ...replaying(model, scene, state),
    arrow: -1,
  };
}

/** What the colours mean; empty where they mean roles. */
export function colorLegend(
  model: Model,
  scene: Scene,
  colorBy: ColorBy,
  theme: ThemeName,
): readonly { readonly label: string; readonly paint: Paint }[] {
  return coloring(model, scene, colorBy, theme).legend;
}

function boxesHolding({ size }: Graph, { boxes }: Scene, nodes: readonly (number | null)[]): Uint8Array | null {
  if (nodes.length === 0) return null;
  const wanted = new Uint8Array(size);
  for (const node of nodes) if (node !== null) wanted[node] = 1; // one that the graph does not have is lost here
  return Uint8Array.from(boxes, (box) => (box.nodes.some((node) => wanted[node] === 1) ? 1 : 0));
}

function foundBoxes(model: Model, scene: Scene, query: string): Uint8Array | null {
  if (query.trim() === "") return null;
  const { nodes, ghosts } = search(model, query);
  const found = boxesHolding(model.graph, scene, nodes) ?? new Uint8Array(scene.boxes.length);
  const wanted = new Set(ghosts);
  scene.boxes.forEach(({ kind, item }, box) => {
    if (kind === "ghost" && model.tree.members[item]!.some((place) => wanted.has(place))) found[box] = 1;
  });
  return found;
}
