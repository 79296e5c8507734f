// From one drawing to the next: boxes and frames move from where they were, new ones come out of the part that was opened
// or closed, and fade in.

import type { Places } from "./picture.ts";
import type { Plan } from "./plan.ts";
import type { Point } from "./view.ts";

export const DURATION = 180; // milliseconds
const MOST = 3000; // boxes; with more, frames would take too long for a movement to look like one

/** Fast at first, then slower: 0 to 1. */
export function eased(t: number): number {
  return 1 - (1 - t) ** 3;
}

export function restingPlaces(plan: Plan): Places {
  return { boxes: plan.drawing.layout.boxes, frames: plan.drawing.layout.groups, boxAlpha: null, arrowAlpha: 1 };
}

export class Motion {
  readonly #plan: Plan;
  readonly #boxes: Float64Array;
  readonly #frames: Float64Array;
  readonly #fresh: Uint8Array;
  readonly #start = performance.now();

  /** Null where it would be too much to move. `shift` is added to old places: what stays on the screen has 0. */
  static between(before: Plan, after: Plan, shift: Point): Motion | null {
    return Math.max(before.count, after.count) > MOST ? null : new Motion(before, after, shift);
  }

  private constructor(before: Plan, after: Plan, shift: Point) {
    const { scene, layout } = after.drawing;
    this.#plan = after;
    this.#boxes = layout.boxes.slice();
    this.#frames = layout.groups.slice();
    this.#fresh = new Uint8Array(after.count);
    scene.boxes.forEach(({ key, item }, index) => {
      const known = before.boxOf(key) >= 0;
      const [x, y, w, h] = origin(before, after, key, item) ?? [];
      if (x === undefined || y === undefined) return;
      this.#boxes.set([x + w! / 2 + shift.x, y + h! / 2 + shift.y], 2 * index);
      if (!known) this.#fresh[index] = 1;
    });
    scene.groups.forEach(({ key, item }, index) => {
      const [x, y, w, h] = origin(before, after, key, item) ?? [];
      if (x !== undefined && y !== undefined) this.#frames.set([x + shift.x, y + shift.y, w!, h!], 4 * index);
    });
  }

  isOver(now: number): boolean {
    return now - this.#start >= DURATION;
  }

  /** Where everything is by now. */
  at(now: number): Places {
    if (this.isOver(now)) return restingPlaces(this.#plan);
    const t = eased(Math.max(0, now - this.#start) / DURATION);
    const { boxes, groups } = this.#plan.drawing.layout;
    return {
      boxes: mixed(this.#boxes, boxes, t),
      frames: mixed(this.#frames, groups, t),
      boxAlpha: Float32Array.from(this.#fresh, (fresh) => (fresh ? t : 1)),
      arrowAlpha: t * t,
    };
  }
}

function mixed(from: Float64Array, to: Float64Array, t: number): Float64Array {
  return from.map((value, place) => value + (to[place]! - value) * t);
}

/** Left, top, width and height of what a box or frame was before, or of the nearest part around it that was seen. */
function origin(before: Plan, after: Plan, key: string, item: number): readonly number[] | null {
  const { tree } = after.drawing.model;
  for (let part = item, name = key; part >= 0; ) {
    const box = before.boxOf(name);
    if (box >= 0) {
      const { left, top, right, bottom } = before.boxArea(box);
      return [left, top, right - left, bottom - top];
    }
    const group = before.groupOf(name);
    if (group >= 0) return [...before.drawing.layout.groups.subarray(4 * group, 4 * group + 4)];
    part = tree.parent[part]!;
    name = tree.key[part] ?? "";
  }
  return null;
}
