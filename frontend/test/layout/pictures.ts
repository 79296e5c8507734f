// Pictures for the tests of the layout: made by hand, or at random from a seed.

import type { Layout, LayoutInput } from "../../src/layout/types.ts";

interface Parts {
  /** Width, height and group of each box; 100 × 40 at the top if only their number is given. */
  boxes: number | readonly (readonly [number, number, number])[];
  arrows: readonly (readonly [number, number])[];
  parents?: readonly number[];
  again?: readonly number[];
  labels?: readonly number[];
}

export function picture({ boxes, arrows, parents = [], again = [], labels = [] }: Parts): LayoutInput {
  const all = typeof boxes === "number" ? Array.from({ length: boxes }, () => [100, 40, -1] as const) : boxes;
  return {
    sizes: Float64Array.from(all.flatMap((box) => box.slice(0, 2))),
    boxGroup: Int32Array.from(all, ([, , group]) => group),
    groupParent: Int32Array.from(parents),
    groupTitle: new Float64Array(parents.length).fill(120),
    groupText: new Float64Array(parents.length).fill(80),
    arrows: Int32Array.from(arrows.flat()),
    again: Uint8Array.from(arrows, (_, arrow) => Number(again.includes(arrow))),
    labels: Float64Array.from(arrows, (_, arrow) => labels[arrow] ?? 0),
  };
}

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes in nested groups that each reach over a stretch of them, as modules do, with arrows onwards and some back. */
export function randomPicture(seed: number): LayoutInput {
  const next = random(seed);
  const below = (most: number) => Math.floor(next() * most);
  const count = 2 + below(60);
  const parents: number[] = [];
  const ends: number[] = [];
  let group = -1;
  const boxes = Array.from({ length: count }, (_, box) => {
    while (group >= 0 && ends[group]! <= box) group = parents[group]!;
    while (next() < 0.25) {
      parents.push(group);
      ends.push(Math.min(box + 1 + below(20), group < 0 ? count : ends[group]!));
      group = parents.length - 1;
    }
    return [60 + below(140), 26 + below(50), group] as const;
  });
  const arrows: [number, number][] = [];
  for (let box = 1; box < count; box++) {
    for (let ways = below(3); ways >= 0; ways--)
      arrows.push([next() < 0.6 ? Math.max(0, box - 1 - below(4)) : below(box), box]);
  }
  for (let k = 0; k < below(4); k++) arrows.push([below(count), below(count)]);
  const labels = arrows.map(() => (next() < 0.4 ? 20 + below(50) : 0));
  const again = arrows.flatMap((_, arrow) => (next() < 0.03 ? [arrow] : []));
  return picture({ boxes, arrows, parents, labels, again });
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function around(x: number, y: number, width: number, height: number): Rect {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

export function boxRect(input: LayoutInput, layout: Layout, box: number): Rect {
  const at = 2 * box;
  return around(layout.boxes[at]!, layout.boxes[at + 1]!, input.sizes[at]!, input.sizes[at + 1]!);
}

export function groupRect({ groups }: Layout, group: number): Rect {
  const [left, top, width, height] = groups.subarray(4 * group, 4 * group + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  return { left, top, right: left + width, bottom: top + height };
}

/** Whether two share more than an edge. */
export function overlap(a: Rect, b: Rect): boolean {
  const slack = 1e-6;
  return a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
}

export function inside(inner: Rect, outer: Rect): boolean {
  const slack = 1e-6;
  return (
    inner.left >= outer.left - slack &&
    inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack
  );
}

/** The points of a route, and points on its curve between them. */
export function curve({ points, routeStart }: Layout, route: number): { x: number; y: number }[] {
  const found: { x: number; y: number }[] = [];
  for (let point = routeStart[route]!; point + 1 < routeStart[route + 1]!; point++) {
    const [x0, y0, x1, y1] = points.subarray(2 * point, 2 * point + 4) as unknown as [number, number, number, number];
    for (let k = 0; k <= 12; k++) {
      const t = k / 12;
      // The cubic with control points at half the height: x moves by the smooth step, y a little unevenly.
      const s = t * t * (3 - 2 * t);
      const half = (y0 + y1) / 2;
      const y = (1 - t) ** 3 * y0 + 3 * (1 - t) ** 2 * t * half + 3 * (1 - t) * t ** 2 * half + t ** 3 * y1;
      found.push({ x: x0 + (x1 - x0) * s, y });
    }
  }
  return found;
}

export function contains(rect: Rect, { x, y }: { x: number; y: number }): boolean {
  const slack = 0.01;
  return x > rect.left + slack && x < rect.right - slack && y > rect.top + slack && y < rect.bottom - slack;
}

/** The centres of the boxes, across and down. */
export const xs = ({ boxes }: Layout) => Array.from(boxes.filter((_, i) => i % 2 === 0));
export const ys = ({ boxes }: Layout) => Array.from(boxes.filter((_, i) => i % 2 === 1));
