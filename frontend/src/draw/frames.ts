// Paints frames of groups: an area in one of two tones by depth, a thin outline, and a title bar.

import { BADGE, FRAME, TOGGLE } from "../layout/measure.ts";
import { TITLE_BAR } from "../layout/pane.ts";
import type { Theme } from "../model.ts";
import type { Group } from "../scene/types.ts";
import type { Pen } from "./pen.ts";
import type { Plan } from "./plan.ts";
import type { Rect } from "./shapes.ts";

const ROUND = 10;

/** The area of a frame that lies in so many others. */
export function frameTone(depth: number, theme: Theme): string {
  return theme.frames[depth % 2 === 0 ? 0 : 1];
}

/**
 * Paints a frame's area and outline; a frame around a repeat is in the accent's colour, one of a section dashed. `color`:
 * of what its boxes are coloured by, where they have that in common.
 */
export function paintFrame(
  pen: Pen,
  group: Group,
  depth: number,
  rect: Rect,
  theme: Theme,
  color: string | null = null,
): void {
  const repeat = group.kind === "repeat";
  pen.beginPath();
  pen.roundRect(rect.x, rect.y, rect.w, rect.h, Math.min(ROUND, rect.w / 2, rect.h / 2));
  pen.fill(frameTone(depth, theme));
  const line = color ?? (repeat ? theme.accent : theme.frameLine);
  pen.stroke(line, repeat || color !== null ? 1.5 : 1, group.kind === "section" ? [5, 4] : []);
}

/** Paints a title bar; without its [−] and button where there are no `controls`. */
export function paintHeader(
  pen: Pen,
  plan: Plan,
  group: number,
  x: number,
  y: number,
  theme: Theme,
  controls: boolean,
): void {
  const { text, title, titleWidth, toggle, timesX, titleX, button } = plan.header(group);
  // Arrows that come from above pass behind the title.
  pen.beginPath();
  pen.roundRect(x + timesX - 3, y + 4, titleX + titleWidth - timesX + 6, TITLE_BAR - 8, 4);
  pen.fill(frameTone(plan.depths[group]!, theme));
  const middle = y + TITLE_BAR / 2;
  if (controls) paintToggle(pen, "−", x + toggle.x, y + toggle.y, theme.faint, theme.paper, theme.frameLine);
  const times = { text: text.times, size: FRAME.size, bold: FRAME.bold, width: text.timesWidth };
  pen.write(times, x + timesX, middle, theme.accent, "left");
  pen.write({ ...times, text: title, width: titleWidth }, x + titleX, middle, theme.faint, "left");
  if (!controls || button === null) return;
  pen.beginPath();
  pen.roundRect(x + button.x, y + button.y, button.w, button.h, button.h / 2);
  pen.fill(theme.paper);
  pen.stroke(theme.accent, 1);
  const width = button.w - 2 * BADGE.side;
  const inside = { text: text.button, size: FRAME.button, bold: false, width };
  pen.write(inside, x + button.x + button.w / 2, middle, theme.accent);
}

/** The [+] of a box and [−] of a frame, around a place. Drawn, not written: fonts differ in how they place signs. */
export function paintToggle(
  pen: Pen,
  sign: "+" | "−",
  x: number,
  y: number,
  color: string,
  fill: string,
  line: string,
): void {
  const side = TOGGLE - 3;
  const arm = side / 2 - 3;
  pen.beginPath();
  pen.roundRect(x - side / 2, y - side / 2, side, side, 3.5);
  pen.fill(fill);
  pen.stroke(line, 1);
  pen.beginPath();
  pen.moveTo(x - arm, y);
  pen.lineTo(x + arm, y);
  if (sign === "+") {
    pen.moveTo(x, y - arm);
    pen.lineTo(x, y + arm);
  }
  pen.stroke(color, 1.5);
}
