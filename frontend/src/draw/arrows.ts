// Paints arrows in batches: one path for all of one colour and width. Then their labels and the pills of cut arrows.

import { arrowText, BADGE, fitted, LABEL, textWidth } from "../layout/measure.ts";
import { STUB } from "../layout/types.ts";
import type { Theme } from "../model.ts";
import type { Arrow } from "../scene/types.ts";
import { traceHead, traceLines, traceRoute } from "./curve.ts";
import type { Pen } from "./pen.ts";
import type { Plan } from "./plan.ts";

const THIN = 1.2;
const THICK = 2.7;
const HEAD = { length: 7, width: 5.6 } as const; // of a thin arrow
const DASH = [5, 3];
const CUT = 0; // instead of a width: no gradient comes this way
const RAISED = 0.8; // what a raised arrow is wider by
const HAIRS = { few: 0.7, many: 0.35 } as const; // pixels of the screen that a line takes at least
const HAIRS_RAISED = { few: 1.6, many: 0.8 } as const;
const MANY = 1500; // lines: they would blacken what they cross

/** Width of an arrow that stands for so many edges: a quarter more for each doubling, so that few widths occur. */
export function arrowWidth(edges: number): number {
  return Math.min(THICK, THIN + Math.round(Math.log2(Math.max(1, edges))) / 4);
}

export function headSize(width: number): { length: number; width: number } {
  return { length: HEAD.length + (width - THIN) * 1.6, width: HEAD.width + (width - THIN) * 1.8 };
}

interface ArrowStyle {
  readonly theme: Theme;
  /** Straight thin lines without heads, for a view from far away; `unit` is then the width of a pixel. */
  readonly far: boolean;
  readonly unit: number;
  /** In the accent's colour and wider: to be followed among the others. */
  readonly raised: boolean;
}

/** Paints routes, all alike in how opaque they are. */
export function paintArrows(pen: Pen, plan: Plan, routes: readonly number[], style: ArrowStyle): void {
  const { scene, layout } = plan.drawing;
  const batches = new Map<number, number[]>();
  for (const route of routes) {
    const kind = kindOf(scene.arrows[layout.routeArrow[route]!]!, style.far);
    const batch = batches.get(kind);
    if (batch) batch.push(route);
    else batches.set(kind, [route]);
  }
  for (const [kind, batch] of batches) {
    const line = kind === CUT ? "cut" : kind < 0 ? "again" : "plain";
    paintAlike(pen, plan, batch, style, kind === CUT ? THIN : Math.abs(kind), line);
  }
}

/** The width of an arrow, below zero where it leads into the next round; CUT. */
function kindOf({ again, edges, label }: Arrow, far: boolean): number {
  if (edges === 0 && label !== "") return CUT;
  return (far ? THIN : arrowWidth(edges)) * (again ? -1 : 1);
}

/** However far away, arrows are seen as hairs, and raised ones well. */
function paintAlike(
  pen: Pen,
  plan: Plan,
  routes: readonly number[],
  { theme, far, unit, raised }: ArrowStyle,
  width: number,
  line: "plain" | "again" | "cut",
): void {
  const color = line === "again" || raised ? theme.accent : line === "cut" ? theme.hook.line : theme.arrow;
  const hair = (raised ? HAIRS_RAISED : HAIRS)[routes.length < MANY ? "few" : "many"];
  if (far) paintFar(pen, plan, routes, color, hair * unit);
  else paintNear(pen, plan, routes, color, Math.max(width + (raised ? RAISED : 0), hair * unit), line !== "plain");
}

function paintFar(pen: Pen, plan: Plan, routes: readonly number[], color: string, width: number): void {
  pen.beginPath();
  for (const route of routes) traceLines(pen, plan.route(route));
  pen.stroke(color, width);
}

function paintNear(
  pen: Pen,
  plan: Plan,
  routes: readonly number[],
  color: string,
  width: number,
  dashed: boolean,
): void {
  const { routeHead } = plan.drawing.layout;
  const head = headSize(width);
  pen.beginPath();
  for (const route of routes) traceRoute(pen, plan.route(route), routeHead[route] ? head.length - 0.5 : 0);
  pen.stroke(color, width, dashed ? DASH : []);
  pen.beginPath();
  for (const route of routes) if (routeHead[route]) traceHead(pen, plan.route(route), head.length, head.width);
  pen.fill(color);
}

/** Paints the label of an arrow on a bit of paper, so that it can be read on other arrows. */
export function paintLabel(pen: Pen, plan: Plan, arrow: number, theme: Theme, raised: boolean): void {
  const { scene, layout } = plan.drawing;
  const text = arrowText(scene.arrows[arrow]!);
  const [x, y] = [layout.labels[2 * arrow]!, layout.labels[2 * arrow + 1]!];
  const width = textWidth(text, LABEL.size) * plan.letterScale;
  pen.beginPath();
  pen.roundRect(x - width / 2 - LABEL.side, y - LABEL.height / 2, width + 2 * LABEL.side, LABEL.height, 3);
  pen.fill(theme.paper);
  const color = raised || scene.arrows[arrow]!.again ? theme.accent : theme.faint;
  pen.write({ text, size: LABEL.size, bold: LABEL.bold, width }, x, y, color);
}

/** What stands on a stub: where its arrow goes on to, or where it comes from. */
function stubText(plan: Plan, stub: number): string {
  const { scene, layout } = plan.drawing;
  const { arrow, end } = layout.stubs[stub]!;
  const { source, target } = scene.arrows[arrow]!;
  const name = scene.boxes[end === "source" ? target : source]!.label;
  const room = (STUB.width - 2 * BADGE.side) / plan.letterScale - textWidth("→ ", LABEL.size);
  const short = fitted(name, LABEL.size, room);
  return end === "source" ? `→ ${short}` : `${short} →`;
}

export function paintStub(pen: Pen, plan: Plan, stub: number, theme: Theme, raised: boolean): void {
  const { arrow, x, y } = plan.drawing.layout.stubs[stub]!;
  const text = stubText(plan, stub);
  const color = raised || plan.drawing.scene.arrows[arrow]!.again ? theme.accent : theme.arrow;
  pen.beginPath();
  pen.roundRect(x - STUB.width / 2, y - STUB.height / 2, STUB.width, STUB.height, STUB.height / 2);
  pen.fill(theme.paper);
  pen.stroke(color, 1);
  const width = textWidth(text, LABEL.size) * plan.letterScale;
  pen.write({ text, size: LABEL.size, bold: LABEL.bold, width }, x, y, raised ? theme.accent : theme.faint);
}
