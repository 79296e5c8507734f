// Boxes from far away, on the screen and on the minimap: plain rectangles. They are sorted by colour once for all frames,
// since changing the colour is what costs most when 20,000 of them are painted.

import type { ThemeName } from "../model.ts";
import type { Area } from "./grid.ts";
import { boxPaint, spotColor } from "./paints.ts";
import type { Plan } from "./plan.ts";
import type { Emphasis } from "./types.ts";

const AT_ONCE = 2000; // rectangles in one path: fewer are many commands, more take long to be sorted by the rasterizer
export class Spots {
  readonly #sizes: Float64Array;
  /** Boxes of one colour after those of another, and where each colour ends. Those that stand back come first. */
  readonly #order: Int32Array;
  readonly #runs: readonly { readonly color: string; readonly stop: number }[];

  constructor(plan: Plan, theme: ThemeName, emphasis: Emphasis) {
    this.#sizes = plan.drawing.sizes;
    const batches = new Map<string, number[]>();
    plan.drawing.scene.boxes.forEach((box, index) => {
      const color = spotColor(boxPaint(box, index, plan.looks, theme, emphasis));
      const key = `${emphasis.dimBoxes?.[index] === 1 ? 0 : 1} ${color}`;
      const batch = batches.get(key);
      if (batch) batch.push(index);
      else batches.set(key, [index]);
    });
    this.#order = new Int32Array(plan.count);
    let stop = 0;
    const inOrder = [...batches].sort(([a], [b]) => Number(a[0]) - Number(b[0]));
    this.#runs = inOrder.map(([key, boxes]) => {
      this.#order.set(boxes, stop);
      stop += boxes.length;
      return { color: key.slice(2), stop };
    });
  }

  /** Paints those that touch an area, none smaller than `least` on a side. */
  paint(context: CanvasRenderingContext2D, places: Float64Array, area: Area, least: number): void {
    let start = 0;
    for (const { color, stop } of this.#runs) {
      context.fillStyle = color;
      for (; start < stop; start += AT_ONCE) {
        context.beginPath();
        this.#trace(context, places, start, Math.min(stop, start + AT_ONCE), area, least);
        context.fill();
      }
      start = stop;
    }
  }

  #trace(path: CanvasPath, places: Float64Array, start: number, stop: number, area: Area, least: number): void {
    const sizes = this.#sizes;
    for (let at = start; at < stop; at++) {
      const place = 2 * this.#order[at]!;
      const [w, h] = [Math.max(least, sizes[place]!), Math.max(least, sizes[place + 1]!)];
      const [x, y] = [places[place]! - w / 2, places[place + 1]! - h / 2];
      if (x <= area.right && x + w >= area.left && y <= area.bottom && y + h >= area.top) path.rect(x, y, w, h);
    }
  }
}
