// A sample of how a box looks, for the legend: painted by the code that paints boxes, so that both always agree.

import { CanvasPen } from "../draw/pen.ts";
import { paintShape } from "../draw/shapes.ts";
import type { Line, Paint, Shape } from "../model.ts";
import { make } from "./dom.ts";

const SIZE = { width: 24, height: 15 } as const; // CSS pixels
const REAL = 40; // width of the box that is painted small

export function swatch(shape: Shape, line: Line, paint: Paint): HTMLElement {
  const density = Math.max(2, devicePixelRatio);
  const canvas = make("canvas", { width: SIZE.width * density, height: SIZE.height * density, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  if (context !== null) {
    const box = { x: 2, y: 2, w: REAL - 4, h: (REAL * SIZE.height) / SIZE.width - 4 };
    const scale = (SIZE.width * density) / REAL;
    context.scale(scale, scale);
    paintShape(new CanvasPen(context), shape, line, box, paint, 0);
  }
  return canvas;
}
