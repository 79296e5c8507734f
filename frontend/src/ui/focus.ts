// What `state.focus` names in a scene. It outlives new layouts and travels through the history, so it names things by
// keys: a box or frame by its own; an arrow by those of its ends, joined by ">", or by ">>" where it leads into the next
// round of a repeat.

import { arrowsFrom, boxWithKey, groupWithKey } from "../scene/index.ts";
import type { Arrow, Scene } from "../scene/types.ts";

/** A place in `boxes`, `groups` or `arrows` of the scene. */
export interface Focused {
  readonly kind: "box" | "group" | "arrow";
  readonly index: number;
}

export function keyOfArrow({ boxes }: Scene, { source, target, again }: Arrow): string {
  return `${boxes[source]!.key}${again ? ">>" : ">"}${boxes[target]!.key}`;
}

/** Null where it names nothing, or nothing that this scene has. */
export function focusedIn(scene: Scene, focus: string | null): Focused | null {
  if (focus === null) return null;
  const [source, ...target] = focus.split(">");
  const found: Focused[] = [
    { kind: "box", index: boxWithKey(scene, focus) },
    { kind: "group", index: groupWithKey(scene, focus) },
    { kind: "arrow", index: target.length === 0 ? -1 : arrowWithKey(scene, source!, focus) },
  ];
  return found.find(({ index }) => index >= 0) ?? null;
}

function arrowWithKey(scene: Scene, source: string, key: string): number {
  return (
    arrowsFrom(scene, boxWithKey(scene, source)).find((place) => keyOfArrow(scene, scene.arrows[place]!) === key) ?? -1
  );
}
