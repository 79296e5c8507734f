// Arithmetic of the camera, without any state. A view has the place of the drawing that is in the middle of the canvas,
// and how many CSS pixels one of its units takes.

import type { Area } from "./grid.ts";

export interface Viewpoint {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const MARGIN = 24; // CSS pixels left free around a drawing that is fitted in
const MOST = 4; // largest scale
const LEAST = 0.02; // smallest, unless all of it needs a smaller one
export const READABLE = 0.6; // labels can be read from here on
const FULL = 1; // never fit in larger than that
const KEPT = 48; // pixels of the drawing that stay in view, however far it is pushed

export function toScreen(view: Viewpoint, canvas: Size, place: Point): Point {
  return {
    x: (place.x - view.x) * view.scale + canvas.width / 2,
    y: (place.y - view.y) * view.scale + canvas.height / 2,
  };
}

export function toDrawing(view: Viewpoint, canvas: Size, pixel: Point): Point {
  return {
    x: (pixel.x - canvas.width / 2) / view.scale + view.x,
    y: (pixel.y - canvas.height / 2) / view.scale + view.y,
  };
}

/** What is in view, in units of the drawing. */
export function sightOf(view: Viewpoint, canvas: Size): Area {
  const [w, h] = [canvas.width / 2 / view.scale, canvas.height / 2 / view.scale];
  return { left: view.x - w, top: view.y - h, right: view.x + w, bottom: view.y + h };
}

export function panned(view: Viewpoint, dx: number, dy: number): Viewpoint {
  return { x: view.x - dx / view.scale, y: view.y - dy / view.scale, scale: view.scale };
}

/** Zoomed so that what is under a pixel stays there. */
export function zoomed(view: Viewpoint, canvas: Size, drawing: Size, pixel: Point, factor: number): Viewpoint {
  const least = Math.min(LEAST, fitted(drawing, canvas).scale / 2);
  const scale = Math.min(MOST, Math.max(least, view.scale * factor));
  const place = toDrawing(view, canvas, pixel);
  return {
    x: place.x - (pixel.x - canvas.width / 2) / scale,
    y: place.y - (pixel.y - canvas.height / 2) / scale,
    scale,
  };
}

/** All of a drawing in view. */
export function fitted(drawing: Size, canvas: Size): Viewpoint {
  const width = (canvas.width - 2 * MARGIN) / Math.max(1, drawing.width);
  const height = (canvas.height - 2 * MARGIN) / Math.max(1, drawing.height);
  const scale = Math.max(1e-4, Math.min(FULL, width, height));
  return { x: drawing.width / 2, y: drawing.height / 2, scale };
}

/** All of it where that can be read; else its width, from the top; where even that is too small, around the loss. */
export function firstSight(drawing: Size, canvas: Size, loss: Point): Viewpoint {
  const all = fitted(drawing, canvas);
  if (all.scale >= READABLE) return all;
  const scale = Math.min(FULL, Math.max(READABLE, (canvas.width - 2 * MARGIN) / drawing.width));
  const [x, y] = [(canvas.width / 2 - MARGIN) / scale, (canvas.height / 2 - MARGIN) / scale];
  const most = drawing.width - x; // as far to the right as leaves no empty paper there
  return { x: most <= x ? drawing.width / 2 : Math.min(most, Math.max(x, loss.x)), y, scale };
}

/** Moved as little as needed to bring an area into view; towards the middle where it is larger than the canvas. */
export function revealing(view: Viewpoint, canvas: Size, area: Area): Viewpoint {
  const sight = sightOf(view, canvas);
  const margin = MARGIN / view.scale;
  const move = (low: number, high: number, from: number, to: number): number => {
    if (to - from < high - low + 2 * margin) return (low + high - from - to) / 2;
    return Math.min(0, low - margin - from) + Math.max(0, high + margin - to);
  };
  return {
    x: view.x + move(area.left, area.right, sight.left, sight.right),
    y: view.y + move(area.top, area.bottom, sight.top, sight.bottom),
    scale: view.scale,
  };
}

/** Moved back as far as needed for a bit of the drawing to stay in view. */
export function held(view: Viewpoint, canvas: Size, drawing: Size): Viewpoint {
  const [w, h] = [canvas.width / 2 / view.scale, canvas.height / 2 / view.scale];
  const [keepX, keepY] = [Math.min(KEPT / view.scale, w), Math.min(KEPT / view.scale, h)];
  return {
    x: Math.min(drawing.width + w - keepX, Math.max(keepX - w, view.x)),
    y: Math.min(drawing.height + h - keepY, Math.max(keepY - h, view.y)),
    scale: view.scale,
  };
}

/** Between two views: scales in even steps of zooming, places so that the way looks straight on the screen. */
export function between(from: Viewpoint, to: Viewpoint, t: number): Viewpoint {
  if (t >= 1) return to;
  const scale = from.scale * (to.scale / from.scale) ** t;
  const ratio = to.scale / from.scale;
  // Share of the way at which a point that both views see keeps moving along one line while the scale changes.
  const way = Math.abs(ratio - 1) < 1e-6 ? t : (1 - from.scale / scale) / (1 - from.scale / to.scale);
  return { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way, scale };
}
