// Outlines of roles: the shapes of Graphviz, so that screen and static picture show the same. `OUTLINE` of
// layout/measure.ts says how much of a box each takes on its sides.

import { OUTLINE } from "../layout/measure.ts";
import type { Line, Paint, Shape } from "../model.ts";
import { type Path, type Pen, SOLID } from "./pen.ts";

/** Left, top, width and height. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const ROUND = 9; // radius of round corners
const CUT = 7; // how far from its corner a cut lies
const TAB = { tab: 0.3, folder: 0.45 } as const; // share of the width
const RING = 3; // distance of the two outlines of a double line
const FINE = 2.8; // a pixel of that many units is too large for dashes to be seen, and they take long to paint
const STROKES: Readonly<Record<Line, { width: number; dash: readonly number[] }>> = {
  solid: { width: 1.2, dash: [] },
  dashed: { width: 1.2, dash: [5, 3] },
  dotted: { width: 1.6, dash: [1.6, 2.6] },
  bold: { width: 2.6, dash: [] },
  double: { width: 1.2, dash: [] },
};

/** Paints a shape with its line, no thinner than `least`, into a box: the area, its outlines, what belongs to them. */
export function paintShape(
  pen: Pen,
  shape: Shape,
  line: Line,
  box: Rect,
  { fill, line: color }: Paint,
  least: number,
  thicker = 1,
): void {
  const dash = least > FINE ? SOLID : STROKES[line].dash;
  const width = Math.max(least, STROKES[line].width * thicker);
  pen.beginPath();
  traceOutline(pen, shape, box);
  pen.fill(fill);
  pen.stroke(color, width, dash);
  if (line === "double") {
    pen.beginPath();
    traceOutline(pen, shape, inset(box, RING), ROUND - RING);
    pen.stroke(color, width, dash);
  }
  pen.beginPath();
  if (traceDetails(pen, shape, box)) {
    if (shape === "component") pen.fill(fill);
    pen.stroke(color, width, dash);
  }
}

/** How far below its upper edge the outline of a shape lies, at a share of its width: beside a tab. */
export function depthBesideTab(shape: Shape, share: number): number {
  const beside = (shape === "tab" && share > TAB.tab) || (shape === "folder" && share < 1 - TAB.folder);
  return beside ? OUTLINE[shape].top : 0;
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

export function inset({ x, y, w, h }: Rect, by: number): Rect {
  return { x: x + by, y: y + by, w: w - 2 * by, h: h - 2 * by };
}

function tracePolygon(path: Path, ...points: readonly number[]): void {
  path.moveTo(points[0]!, points[1]!);
  for (let place = 2; place < points.length; place += 2) path.lineTo(points[place]!, points[place + 1]!);
  path.closePath();
}

/** Traces the outline of a shape: all of the area that it fills. */
function traceOutline(path: Path, shape: Shape, { x, y, w, h }: Rect, round = ROUND): void {
  const { left, right, top } = OUTLINE[shape];
  const [r, b] = [x + w, y + h];
  if (shape === "round") path.roundRect(x, y, w, h, Math.min(round, w / 2, h / 2));
  else if (shape === "hexagon")
    tracePolygon(path, x + left, y, r - right, y, r, y + h / 2, r - right, b, x + left, b, x, y + h / 2);
  else if (shape === "component") path.roundRect(x + left / 2, y, w - left / 2, h, 0);
  else if (shape === "cylinder") traceCylinder(path, { x, y, w, h }, top / 2);
  else if (shape === "note") tracePolygon(path, x, y, r - CUT, y, r, y + CUT, r, b, x, b);
  else if (shape === "tab")
    tracePolygon(path, x, y, x + w * TAB.tab, y, x + w * TAB.tab, y + top, r, y + top, r, b, x, b);
  else if (shape === "folder") {
    const start = r - w * TAB.folder;
    tracePolygon(path, x, y + top, start, y + top, start + 3, y, r - 3, y, r, y + top, r, b, x, b);
  } else path.roundRect(x, y, w, h, 0);
}

const BULGE = 4 / 3; // how far the control points of half an ellipse lie, for each unit of its height

function traceCylinder(path: Path, { x, y, w, h }: Rect, lid: number): void {
  const [r, b] = [x + w, y + h];
  path.moveTo(x, y + lid);
  path.bezierCurveTo(x, y + lid - lid * BULGE, r, y + lid - lid * BULGE, r, y + lid);
  path.lineTo(r, b - lid);
  path.bezierCurveTo(r, b - lid + lid * BULGE, x, b - lid + lid * BULGE, x, b - lid);
  path.closePath();
}

/** Traces the lines of a shape besides its outline; false where it has none. */
function traceDetails(path: Path, shape: Shape, { x, y, w, h }: Rect): boolean {
  const { left, top } = OUTLINE[shape];
  const [r, b] = [x + w, y + h];
  if (shape === "component") {
    path.roundRect(x, y + h * 0.24 - 2, left, 5, 0);
    path.roundRect(x, y + h * 0.76 - 3, left, 5, 0);
  } else if (shape === "cylinder") {
    const lid = top / 2;
    path.moveTo(x, y + lid);
    path.bezierCurveTo(x, y + lid + lid * BULGE, r, y + lid + lid * BULGE, r, y + lid);
  } else if (shape === "note") {
    path.moveTo(r - CUT, y);
    path.lineTo(r - CUT, y + CUT);
    path.lineTo(r, y + CUT);
  } else if (shape === "cut") {
    for (const [cornerX, cornerY, dx, dy] of [
      [x, y, CUT, CUT],
      [r, y, -CUT, CUT],
      [r, b, -CUT, -CUT],
      [x, b, CUT, -CUT],
    ] as const) {
      path.moveTo(cornerX + dx, cornerY);
      path.lineTo(cornerX, cornerY + dy);
    }
  } else if (shape === "tab") {
    path.moveTo(x, y + top);
    path.lineTo(x + w * TAB.tab, y + top);
  } else return false;
  return true;
}
