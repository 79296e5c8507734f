// What of a drawing can be seen, and what an outside change of the folds leads to. Pure.

import type { Drawing } from "../draw/types.ts";
import { MARGIN, type Size, sightOf, type Viewpoint } from "../draw/viewpoint.ts";
import { firstInside } from "../scene/index.ts";
import type { Scene } from "../scene/types.ts";

/** Whether one of these boxes can be seen, by more than its edge. */
export function isInSight({ layout, sizes }: Drawing, view: Viewpoint, canvas: Size, boxes: Iterable<number>): boolean {
  const sight = sightOf(view, canvas);
  const margin = MARGIN / view.scale;
  for (const box of boxes) {
    const [x, y, w, h] = [layout.boxes[2 * box]!, layout.boxes[2 * box + 1]!, sizes[2 * box]!, sizes[2 * box + 1]!];
    const across = x + w / 2 > sight.left + margin && x - w / 2 < sight.right - margin;
    if (across && y + h / 2 > sight.top + margin && y - h / 2 < sight.bottom - margin) return true;
  }
  return false;
}

/**
 * The first box in each frame that was not there before. Of frames within frames that is the outermost, but for those that
 * were opened only to get to another one.
 */
export function openedBoxes(before: Scene, scene: Scene): number[] {
  const known = new Set(before.groups.map(({ key }) => key));
  const inside = new Map<number, number[]>(); // new frames by the new frame around, -1 where there is none
  scene.groups.forEach(({ key, parent }, group) => {
    if (known.has(key)) return;
    const around = inside.has(parent) ? parent : -1;
    inside.set(around, [...(inside.get(around) ?? []), group]).set(group, []);
  });
  return (inside.get(-1) ?? []).flatMap((outermost) => {
    let group = outermost;
    for (let next = inside.get(group)!; next.length === 1; next = inside.get(group)!) group = next[0]!;
    return firstInside(scene, group) ?? [];
  });
}
