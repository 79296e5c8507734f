// From one drawing to the next: boxes and frames move from where they were, new ones come out of the part that was opened
// or closed, and fade in.

import { boxWithKey } from "../scene/index.ts";
import type { Places, Plan } from "./plan.ts";
import type { Rect } from "./shapes.ts";
import type { Point } from "./viewpoint.ts";

export const DURATION = 180; // milliseconds
const MOST = 3000; // boxes; with more, frames would take too long for a movement to look like one

/** Fast at first, then slower: 0 to 1. */
export function eased(t: number): number {
  return 1 - (1 - t) ** 3;
}

export class Motion {
  readonly #plan: Plan;
  readonly #boxes: Float64Array;
  readonly #frames: Float64Array;
  readonly #alpha: Float32Array;
  readonly #start = performance.now();

  /**
   * From where everything is `drawn`, which may be on its way itself; null where it would be too much to move. `shift` is
   * added to old places: what stays on the screen has 0.
   */
  static between(before: Plan, drawn: Places, after: Plan, shift: Point): Motion | null {
    return Math.max(before.count, after.count) > MOST ? null : new Motion(before, drawn, after, shift);
  }

  private constructor(before: Plan, drawn: Places, after: Plan, shift: Point) {
    const { scene, layout } = after.drawing;
    this.#plan = after;
    this.#boxes = layout.boxes.slice();
    this.#frames = layout.groups.slice();
    this.#alpha = new Float32Array(after.count).fill(1);
    scene.boxes.forEach(({ key, item }, index) => {
      const known = boxWithKey(before.drawing.scene, key);
      const from = origin(before, drawn, after, key, item);
      if (from === null) return;
      this.#boxes.set([from.x + from.w / 2 + shift.x, from.y + from.h / 2 + shift.y], 2 * index);
      this.#alpha[index] = known < 0 ? 0 : (drawn.boxAlpha?.[known] ?? 1);
    });
    scene.groups.forEach(({ key, item }, index) => {
      const from = origin(before, drawn, after, key, item);
      if (from !== null) this.#frames.set([from.x + shift.x, from.y + shift.y, from.w, from.h], 4 * index);
    });
  }

  isOver(now: number): boolean {
    return now - this.#start >= DURATION;
  }

  /** Where everything is by now. */
  at(now: number): Places {
    if (this.isOver(now)) return this.#plan.resting;
    const t = eased(Math.max(0, now - this.#start) / DURATION);
    const { boxes, groups } = this.#plan.drawing.layout;
    return {
      boxes: mixed(this.#boxes, boxes, t),
      frames: mixed(this.#frames, groups, t),
      boxAlpha: this.#alpha.map((alpha) => alpha + (1 - alpha) * t),
      arrowAlpha: t * t,
    };
  }
}

function mixed(from: Float64Array, to: Float64Array, t: number): Float64Array {
  return from.map((value, place) => value + (to[place]! - value) * t);
}

/** What a box or frame was before, or the nearest part around it that was seen, where it is drawn. */
function origin(before: Plan, drawn: Places, after: Plan, key: string, item: number): Rect | null {
  const { tree } = after.drawing.model;
  for (let part = item, name = key; part >= 0; ) {
    const place = before.placeOf(name, drawn);
    if (place !== null) return place;
    part = tree.parent[part]!;
    name = tree.key[part] ?? "";
  }
  return null;
}
