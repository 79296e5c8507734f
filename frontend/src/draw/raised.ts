// Which arrows are raised above the others, so that each can be followed with the eye: those at what is pointed at, those
// of the highlighted paths, else those at what is selected, and the one that was picked.

import type { Drawing, Emphasis, Target } from "./types.ts";

/** 1 for each raised arrow; null where none is. What stands back is raised only by pointing at it. */
export function raisedArrows(
  { scene, layout }: Drawing,
  emphasis: Emphasis,
  hovered: Target | null,
): Uint8Array | null {
  const { selected, dimArrows } = emphasis;
  const box = hovered?.kind === "box" ? hovered.index : -1;
  const pointed = hovered?.kind === "stub" ? layout.stubs[hovered.index]!.arrow : arrowOf(hovered);
  if (selected === null && dimArrows === null && hovered === null && emphasis.arrow < 0) return null;
  const raised = Uint8Array.from(scene.arrows, ({ source, target }, arrow) => {
    if (arrow === pointed || arrow === emphasis.arrow || source === box || target === box) return 1;
    if (dimArrows !== null) return 1 - dimArrows[arrow]!;
    return selected === null ? 0 : selected[source]! | selected[target]!;
  });
  return raised.includes(1) ? raised : null;
}

function arrowOf(target: Target | null): number {
  return target?.kind === "arrow" ? target.index : -1;
}
