// Where an arrow key leads: along the arrows of the drawing, or to the next box of the row. Pure.

import type { Drawing } from "../draw/types.ts";
import type { ItemKind } from "../model.ts";
import { arrowsFrom, arrowsInto } from "../scene/index.ts";

export type Direction = "up" | "down" | "left" | "right";

/** What is said where a key leads nowhere. */
export const NOTHING: Readonly<Record<Direction, string>> = {
  up: "Nothing upstream.",
  down: "Nothing downstream.",
  left: "Nothing on the left.",
  right: "Nothing on the right.",
};

/** What a key only leads down to where there is nothing else: it ends there. */
const LAST: readonly ItemKind[] = ["leaf", "dead_end"];
const STEEP = 3; // an arrow that skips some rows leads away, however straight it is

/** The box that a key leads to, null where there is none. Upstream is up; of several, the one nearest by place. */
export function moved(drawing: Drawing, from: number, direction: Direction): number | null {
  if (direction === "up" || direction === "down") return alongArrows(drawing, from, direction === "up");
  return besides(drawing, from, direction === "left" ? -1 : 1);
}

function alongArrows({ scene, layout }: Drawing, from: number, upstream: boolean): number | null {
  const ends = (upstream ? arrowsInto(scene, from) : arrowsFrom(scene, from))
    .map((place) => scene.arrows[place]!)
    .filter((arrow) => !arrow.again)
    .map((arrow) => (upstream ? arrow.source : arrow.target));
  const off = (box: number, axis: 0 | 1): number =>
    Math.abs(layout.boxes[2 * box + axis]! - layout.boxes[2 * from + axis]!);
  const away = (box: number): number => off(box, 0) + STEEP * off(box, 1);
  const onward = ends.filter((box) => !LAST.includes(scene.boxes[box]!.kind));
  return nearest(onward, away) ?? nearest(ends, away);
}

/** Boxes of the same row overlap in height; where there is none, the nearest on that side. */
function besides({ scene, layout, sizes }: Drawing, from: number, side: -1 | 1): number | null {
  const [x, y, height] = [layout.boxes[2 * from]!, layout.boxes[2 * from + 1]!, sizes[2 * from + 1]!];
  const across = (box: number): number => side * (layout.boxes[2 * box]! - x);
  const off = (box: number): number => Math.abs(layout.boxes[2 * box + 1]! - y);
  const there = scene.boxes.map((_, box) => box).filter((box) => across(box) > 0);
  const row = there.filter((box) => off(box) < (height + sizes[2 * box + 1]!) / 2);
  return nearest(row, across) ?? nearest(there, (box) => across(box) + STEEP * off(box));
}

function nearest(boxes: readonly number[], distance: (box: number) => number): number | null {
  let [best, least]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const box of boxes) {
    const away = distance(box);
    if (away < least) [best, least] = [box, away];
  }
  return best;
}
