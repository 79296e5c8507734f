// Paints boxes: shape, texts, badges, [+]; and what marks them: a ring where selected, corners where found, a glow and a
// bar while backward runs. Marks keep their width on the screen, so that they are seen from far away too.

import { BADGE, type BoxText, textWidth } from "../layout/measure.ts";
import type { Looks, Paint, Theme, ThemeName } from "../model.ts";
import type { Box } from "../scene/types.ts";
import { paintToggle } from "./frames.ts";
import { badgePaint, faded, signalOf } from "./paints.ts";
import type { Pen } from "./pen.ts";
import { inset, paintShape, type Rect } from "./shapes.ts";

/** How much thicker the outline of a box is that warns. */
const WARNING = 1.6;

export type Detail = "shape" | "title" | "all";

/** How a box is painted, all but its place. */
interface BoxLook {
  readonly box: Box;
  readonly text: BoxText;
  readonly paint: Paint;
  readonly looks: Looks;
  readonly theme: ThemeName;
  /** Whether it stands back. */
  readonly dim: boolean;
  /** Whether its [+] is painted. */
  readonly controls: boolean;
  /** Whether this of its lines, or after them of its badges, is not true yet. */
  readonly untold: (text: number) => boolean;
}

/** `unit` is a pixel of the screen, at least 1. */
export function paintBox(pen: Pen, look: BoxLook, rect: Rect, detail: Detail, unit: number): void {
  const { box, text, paint, looks, theme, dim, controls, untold } = look;
  const { shape, line } = looks.roles[box.role];
  const warns = signalOf(
    box.badges.filter((_, number) => !untold(box.lines.length + number)),
    looks,
  );
  const outlined = warns === null || dim ? paint : { ...paint, line: looks.signals![theme][warns].line };
  paintShape(pen, shape, line, rect, outlined, 0.9 * unit, warns === null ? 1 : WARNING);
  if (detail === "shape") return;
  const [x, y] = [rect.x + rect.w / 2, rect.y + rect.h / 2];
  (detail === "all" ? text.lines : text.lines.slice(0, 1)).forEach((part, number) => {
    if (number === 0 || !untold(number - 1)) pen.write(part, x + part.x, y + part.y, paint.text);
  });
  if (detail === "title") return;
  box.badges.forEach((badge, number) => {
    if (untold(box.lines.length + number)) return;
    const part = text.badges[number]!;
    const plain = badgePaint(badge, looks, theme);
    const colors = dim ? faded(plain, looks[theme]) : plain;
    const pill = { x: x + part.x - part.width / 2, y: y + part.y - BADGE.height / 2 };
    pen.beginPath();
    pen.roundRect(pill.x, pill.y, part.width, BADGE.height, BADGE.height / 2);
    pen.fill(colors.fill);
    pen.stroke(colors.line, 1);
    pen.write({ ...part, width: part.width - 2 * BADGE.side }, x + part.x, y + part.y, colors.text);
  });
  if (controls && text.toggle !== null) {
    // The box's text may be as dark as the paper, on an area that is bright.
    const sign = dim ? paint : { fill: looks[theme].paper, text: looks[theme].text };
    paintToggle(pen, "+", x + text.toggle.x, y + text.toggle.y, sign.text, sign.fill, paint.line);
  }
}

/** Rings around a box at a given distance, `unit` being one pixel of the screen. */
export function paintSelected(pen: Pen, rect: Rect, theme: Theme, unit: number): void {
  ring(pen, inset(rect, -4 * unit), theme.paper, 6 * unit, unit);
  ring(pen, inset(rect, -4.5 * unit), theme.accent, 3 * unit, unit);
}

export function paintRunning(pen: Pen, rect: Rect, theme: Theme, unit: number): void {
  for (const [width, alpha] of [
    [16, 0.1],
    [10, 0.16],
    [5, 0.24],
  ] as const) {
    pen.alpha(alpha);
    ring(pen, inset(rect, (-width / 2) * unit), theme.accent, width * unit, unit);
  }
  pen.alpha(1);
  ring(pen, rect, theme.accent, 2 * unit, unit);
}

function ring(pen: Pen, rect: Rect, color: string, width: number, unit: number): void {
  pen.beginPath();
  pen.roundRect(rect.x, rect.y, rect.w, rect.h, Math.min(9 * unit, rect.w / 2, rect.h / 2));
  pen.stroke(color, width);
}

/** Four corners around a box: told from a ring by more than its colour. */
export function paintFound(pen: Pen, rect: Rect, theme: Theme, unit: number): void {
  const { x, y, w, h } = inset(rect, -4 * unit);
  const arm = Math.min(9 * unit, w / 2, h / 2);
  pen.beginPath();
  for (const [cornerX, cornerY, dx, dy] of [
    [x, y, 1, 1],
    [x + w, y, -1, 1],
    [x + w, y + h, -1, -1],
    [x, y + h, 1, -1],
  ] as const) {
    pen.moveTo(cornerX + dx * arm, cornerY);
    pen.lineTo(cornerX, cornerY);
    pen.lineTo(cornerX, cornerY + dy * arm);
  }
  pen.stroke(theme.hook.line, 2.5 * unit);
}

/** How much of a box has run, along its lower edge. In the text's colour: that stands out from every area. */
export function paintProgress(pen: Pen, rect: Rect, share: number, paint: Paint, opacity: number): void {
  const bar = { x: rect.x + 6, y: rect.y + rect.h - 4, w: rect.w - 12, h: 2.5 };
  for (const [alpha, width] of [
    [0.18, bar.w],
    [0.85, bar.w * Math.min(1, Math.max(0, share))],
  ] as const) {
    pen.alpha(alpha * opacity);
    pen.beginPath();
    pen.roundRect(bar.x, bar.y, width, bar.h, Math.min(1.25, width / 2));
    pen.fill(paint.text);
  }
  pen.alpha(1);
}

/** A pill on a corner of a box: how much of it has run ("12 of 40"), or what a hook does there. */
export function paintTag(
  pen: Pen,
  rect: Rect,
  corner: "top" | "bottom",
  text: string,
  colors: Paint,
  letterScale: number,
  unit: number,
): void {
  const size = BADGE.size * unit;
  const width = textWidth(text, size, true) * letterScale;
  const [w, h] = [width + 2 * BADGE.side * unit, (BADGE.height + 2) * unit];
  const x = corner === "top" ? rect.x + rect.w / 2 - w / 2 : rect.x + rect.w - w + 6 * unit;
  const y = corner === "top" ? rect.y - h - 5 * unit : rect.y + rect.h - h / 2;
  pen.beginPath();
  pen.roundRect(x, y, w, h, h / 2);
  pen.fill(colors.fill);
  pen.stroke(colors.line, 1.2 * unit);
  pen.write({ text, size, bold: true, width }, x + w / 2, y + h / 2, colors.text);
}
