// What lies at a place of a drawing, upmost first: boxes, stubs, what can be pressed on title bars, arrows, title bars.

import { TITLE_BAR } from "../layout/pane.ts";
import { STUB } from "../layout/types.ts";
import { distanceTo } from "./curve.ts";
import type { Plan } from "./plan.ts";
import type { Target } from "./types.ts";
import type { Point } from "./viewpoint.ts";

const TOUCH = 12; // half of what can be hit around a toggle, in units of the drawing
const NEAR = 5; // pixels at which an arrow is hit
const PRESSED = 0.5; // scale from which on toggles are seen and can be pressed

export function targetAt(plan: Plan, { x, y }: Point, scale: number): Target | null {
  const box = plan.boxes.at(x, y);
  if (box >= 0) return { kind: "box", index: box, on: onToggle(plan, box, x, y, scale) ? "toggle" : "body" };
  const stub = stubAt(plan, x, y, scale);
  if (stub >= 0) return { kind: "stub", index: stub };
  const group = titleAt(plan, x, y);
  if (group?.kind === "group" && group.on !== "title" && scale >= PRESSED) return group;
  const arrow = arrowAt(plan, x, y, NEAR / scale);
  if (arrow >= 0) return { kind: "arrow", index: arrow };
  return group && { ...group, on: "title" };
}

function onToggle(plan: Plan, box: number, x: number, y: number, scale: number): boolean {
  const { layout, scene } = plan.drawing;
  if (scale < PRESSED || !scene.boxes[box]!.opens) return false;
  const { toggle } = plan.text(box);
  if (toggle === null) return false;
  const [dx, dy] = [x - layout.boxes[2 * box]! - toggle.x, y - layout.boxes[2 * box + 1]! - toggle.y];
  return Math.abs(dx) <= TOUCH && Math.abs(dy) <= TOUCH;
}

function stubAt(plan: Plan, x: number, y: number, scale: number): number {
  if (scale < PRESSED) return -1;
  return plan.drawing.layout.stubs.findIndex(
    (stub) => Math.abs(x - stub.x) <= STUB.width / 2 && Math.abs(y - stub.y) <= STUB.height / 2,
  );
}

/** The title bar at a place, of the innermost frame; and which part of it. */
function titleAt(plan: Plan, x: number, y: number): (Target & { kind: "group" }) | null {
  const { groups } = plan.drawing.layout;
  for (let index = plan.depths.length - 1; index >= 0; index--) {
    const [dx, dy] = [x - groups[4 * index]!, y - groups[4 * index + 1]!];
    if (dx < 0 || dy < 0 || dx > groups[4 * index + 2]! || dy > TITLE_BAR) continue;
    const { toggle, button } = plan.header(index);
    if (Math.abs(dx - toggle.x) <= TOUCH) return { kind: "group", index, on: "toggle" };
    if (button && dx >= button.x && dx <= button.x + button.w) return { kind: "group", index, on: "unroll" };
    return { kind: "group", index, on: "title" };
  }
  return null;
}

/** The nearest arrow whose curve passes within a distance, -1 for none. */
function arrowAt(plan: Plan, x: number, y: number, within: number): number {
  let [best, least] = [-1, within];
  for (const route of plan.routesWithin({ left: x - within, top: y - within, right: x + within, bottom: y + within })) {
    const distance = distanceTo(plan.route(route), x, y);
    if (distance <= least) [best, least] = [plan.drawing.layout.routeArrow[route]!, distance];
  }
  return best;
}

/** A toggle or button: a second click on it is another click, not a double click. */
export function isPressed(target: Target): boolean {
  return "on" in target && (target.on === "toggle" || target.on === "unroll");
}
