// Where the canvas is free: the legend and the minimap lie over it. A camera that looks for a place for something looks
// for it in each room that they leave, with the arithmetic of viewpoint.ts, as if that room were all of the canvas.

import type { Area } from "./grid.ts";
import { overlap, type Rect } from "./shapes.ts";
import {
  firstSight,
  fitted,
  type Point,
  READABLE,
  revealing,
  type Size,
  toScreen,
  type Viewpoint,
} from "./viewpoint.ts";

/** The canvas, and what lies over it; in its CSS pixels. */
export interface CoveredCanvas {
  readonly canvas: Size;
  readonly overlays: readonly Rect[];
}

/** All of a drawing, as large as it can be without lying under anything. */
export function fittedBeside(drawing: Size, covered: CoveredCanvas): Viewpoint {
  return largest(drawing, covered, (room) => fitted(drawing, room));
}

/**
 * As `firstSight`; where nothing of the drawing that is in view lies under anything, if that can be. To see all of it is
 * better than that.
 */
export function firstSightBeside(drawing: Size, covered: CoveredCanvas, loss: Point): Viewpoint {
  const { canvas } = covered;
  if (fitted(drawing, canvas).scale >= READABLE) return firstSight(drawing, canvas, loss);
  return largest(drawing, covered, (room) => firstSight(drawing, room, loss));
}

/** Moved as little as needed to bring an area into view, where nothing lies over it. */
export function revealingBeside(view: Viewpoint, covered: CoveredCanvas, area: Area): Viewpoint {
  const { canvas } = covered;
  const way = ({ x, y }: Viewpoint): number => Math.hypot(x - view.x, y - view.y);
  const views = rooms(covered).map((room) =>
    fromRoom(revealing(toRoom(view, room, canvas), sizeOf(room), area), room, canvas),
  );
  const clear = views.filter((one) => isClear(one, covered, area));
  return clear.reduce((best, one) => (way(one) < way(best) ? one : best), clear[0] ?? views[0]!);
}

function largest(drawing: Size, covered: CoveredCanvas, look: (room: Size) => Viewpoint): Viewpoint {
  const area = { left: 0, top: 0, right: drawing.width, bottom: drawing.height };
  const all = rooms(covered).map((room) => ({ room, view: fromRoom(look(sizeOf(room)), room, covered.canvas) }));
  const clear = all.filter(({ room, view }) => drawing.width * view.scale <= room.w && isClear(view, covered, area));
  return clear.reduce((best, one) => (one.view.scale > best.view.scale ? one : best), clear[0] ?? all[0]!).view;
}

/** The whole canvas first, then what is left of it on each side of each overlay. */
function rooms({ canvas, overlays }: CoveredCanvas): Rect[] {
  let found: Rect[] = [{ x: 0, y: 0, w: canvas.width, h: canvas.height }];
  for (const overlay of overlays) {
    found = found.flatMap((room) => (overlap(room, overlay) ? [room, ...beside(room, overlay)] : [room]));
  }
  return found;
}

function beside({ x, y, w, h }: Rect, overlay: Rect): Rect[] {
  const [right, bottom] = [overlay.x + overlay.w, overlay.y + overlay.h];
  const sides = [
    { x, y, w: overlay.x - x, h },
    { x: right, y, w: x + w - right, h },
    { x, y, w, h: overlay.y - y },
    { x, y: bottom, w, h: y + h - bottom },
  ];
  return sides.filter((side) => side.w >= LEAST && side.h >= LEAST);
}

const LEAST = 120; // pixels of a side: nothing can be shown in less

function sizeOf({ w, h }: Rect): Size {
  return { width: w, height: h };
}

/** What a view of the canvas is for a room in it, and back. */
function toRoom(view: Viewpoint, room: Rect, canvas: Size): Viewpoint {
  return shifted(view, room, canvas, 1);
}

function fromRoom(view: Viewpoint, room: Rect, canvas: Size): Viewpoint {
  return shifted(view, room, canvas, -1);
}

function shifted({ x, y, scale }: Viewpoint, { x: left, y: top, w, h }: Rect, canvas: Size, sign: 1 | -1): Viewpoint {
  const [dx, dy] = [left + (w - canvas.width) / 2, top + (h - canvas.height) / 2];
  return { x: x + (sign * dx) / scale, y: y + (sign * dy) / scale, scale };
}

/** Whether an area of the drawing lies under nothing. */
function isClear(view: Viewpoint, { canvas, overlays }: CoveredCanvas, { left, top, right, bottom }: Area): boolean {
  const { x, y } = toScreen(view, canvas, { x: left, y: top });
  const rect = { x, y, w: (right - left) * view.scale, h: (bottom - top) * view.scale };
  return !overlays.some((overlay) => overlap(overlay, rect));
}
