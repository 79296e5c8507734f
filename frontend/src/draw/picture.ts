// Paints a whole picture, in this order: frames, arrows, title bars, boxes, labels and stubs, marks. How much of it depends
// on the scale: from far away boxes are spots, nearer they get their shapes and titles, then everything.

import { FRAME, textWidth } from "../layout/measure.ts";
import { paintArrows, paintLabel, paintStub } from "./arrows.ts";
import { type Detail, paintBox, paintFound, paintProgress, paintRunning, paintSelected } from "./boxes.ts";
import { paintFrame, paintHeader } from "./frames.ts";
import type { Area } from "./grid.ts";
import { boxPaint, type ThemeName } from "./paints.ts";
import type { Pen } from "./pen.ts";
import type { Plan } from "./plan.ts";
import type { Rect } from "./shapes.ts";
import { PALE } from "./spots.ts";
import type { Emphasis } from "./types.ts";

export const FAR = 0.2; // boxes are spots below this scale
const TITLES = 0.4; // titles of boxes from here on
const NEAR = 0.5; // everything from here on

const MOST_SHAPES = 1000; // boxes in view; where there are more, as on a very large screen, they stay spots until NEAR

/** Where everything is now: as the layout says, or on the way there. `fresh` things are not quite there yet. */
export interface Places {
  readonly boxes: Float64Array;
  readonly frames: Float64Array;
  /** How opaque each box is; null: all are. */
  readonly boxAlpha: Float32Array | null;
  readonly arrowAlpha: number;
}

export interface Sheet {
  readonly plan: Plan;
  readonly places: Places;
  readonly theme: ThemeName;
  readonly emphasis: Emphasis;
}

/** Paints what touches an area at a scale. `spots` paints the boxes where they are only spots. */
export function paintPicture(pen: Pen, sheet: Sheet, area: Area, scale: number, spots: (() => void) | null): void {
  const boxes = scale < FAR ? [] : boxesWithin(sheet, area);
  const far = spots !== null && (scale < FAR || (scale < NEAR && boxes.length > MOST_SHAPES));
  paintFrames(pen, sheet, area);
  paintRoutes(pen, sheet, area, far, scale);
  if (scale >= NEAR)
    eachFrame(sheet, area, (group, { x, y }) => paintHeader(pen, sheet.plan, group, x, y, looks(sheet)));
  if (far) spots();
  else paintBoxes(pen, sheet, boxes, scale);
  pen.alpha(sheet.places.arrowAlpha);
  if (scale >= NEAR) paintTexts(pen, sheet, area);
  pen.alpha(1);
  paintMarks(pen, sheet, area, scale);
  if (scale < NEAR) paintOverview(pen, sheet, area, scale);
}

function looks({ plan, theme }: Sheet) {
  return plan.looks[theme];
}

export function boxRect({ plan, places }: Sheet, box: number): Rect {
  const { sizes } = plan.drawing;
  const [w, h] = [sizes[2 * box]!, sizes[2 * box + 1]!];
  return { x: places.boxes[2 * box]! - w / 2, y: places.boxes[2 * box + 1]! - h / 2, w, h };
}

function touches({ x, y, w, h }: Rect, { left, top, right, bottom }: Area): boolean {
  return x <= right && x + w >= left && y <= bottom && y + h >= top;
}

function eachFrame({ plan, places }: Sheet, area: Area, paint: (group: number, rect: Rect) => void): void {
  plan.drawing.scene.groups.forEach((_, group) => {
    const [x, y, w, h] = places.frames.subarray(4 * group, 4 * group + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (touches({ x, y, w, h }, area)) paint(group, { x, y, w, h });
  });
}

function paintFrames(pen: Pen, sheet: Sheet, area: Area): void {
  const { groups } = sheet.plan.drawing.scene;
  eachFrame(sheet, area, (group, rect) => {
    paintFrame(pen, groups[group]!, sheet.plan.depths[group]!, rect, looks(sheet));
  });
}

function paintRoutes(
  pen: Pen,
  { plan, places, emphasis, theme }: Sheet,
  area: Area,
  far: boolean,
  scale: number,
): void {
  const { routeArrow } = plan.drawing.layout;
  const dim = emphasis.dimArrows;
  const routes = plan.routesWithin(area);
  const style = { theme: plan.looks[theme], far, unit: 1 / scale };
  if (dim !== null) {
    pen.alpha(PALE * places.arrowAlpha);
    paintArrows(
      pen,
      plan,
      routes.filter((route) => dim[routeArrow[route]!] === 1),
      style,
    );
  }
  pen.alpha(places.arrowAlpha);
  const bright = dim === null ? routes : routes.filter((route) => dim[routeArrow[route]!] !== 1);
  paintArrows(pen, plan, bright, style);
  pen.alpha(1);
}

/** The boxes in view. On their way they may be anywhere, but then there are not many. */
function boxesWithin(sheet: Sheet, area: Area): number[] {
  const { plan, places } = sheet;
  if (places.boxes === plan.drawing.layout.boxes) return plan.boxes.within(area);
  return [...Array(plan.count).keys()].filter((box) => touches(boxRect(sheet, box), area));
}

function paintBoxes(pen: Pen, sheet: Sheet, boxes: readonly number[], scale: number): void {
  const { plan, places, emphasis, theme } = sheet;
  const detail: Detail = scale >= NEAR ? "all" : scale >= TITLES ? "title" : "shape";
  for (const index of boxes) {
    const box = plan.drawing.scene.boxes[index]!;
    const paint = boxPaint(box, index, plan.looks, theme, emphasis);
    const rect = boxRect(sheet, index);
    pen.open(() => [box.label, ...box.lines, ...box.badges].join("\n"));
    const opacity = (emphasis.dimBoxes?.[index] === 1 ? PALE : 1) * (places.boxAlpha?.[index] ?? 1);
    pen.alpha(opacity);
    paintBox(
      pen,
      { box, text: plan.text(index), paint, looks: plan.looks, theme },
      rect,
      detail,
      Math.max(1, 1 / scale),
    );
    const share = emphasis.progress?.[index] ?? 0;
    if (share > 0) paintProgress(pen, rect, share, paint, opacity);
    pen.alpha(1);
    pen.close();
  }
}

function paintTexts(pen: Pen, sheet: Sheet, area: Area): void {
  const { plan, places, emphasis } = sheet;
  const { labels, stubs } = plan.drawing.layout;
  const alpha = (arrow: number) => (emphasis.dimArrows?.[arrow] === 1 ? PALE : 1) * places.arrowAlpha;
  const inView = (x: number, y: number) => touches({ x: x - 100, y: y - 12, w: 200, h: 24 }, area);
  for (let arrow = 0; 2 * arrow < labels.length; arrow++) {
    if (!inView(labels[2 * arrow]!, labels[2 * arrow + 1]!)) continue;
    pen.alpha(alpha(arrow));
    paintLabel(pen, plan, arrow, looks(sheet));
  }
  stubs.forEach(({ arrow, x, y }, stub) => {
    if (!inView(x, y)) return;
    pen.alpha(alpha(arrow));
    paintStub(pen, plan, stub, looks(sheet));
  });
}

function paintMarks(pen: Pen, sheet: Sheet, area: Area, scale: number): void {
  const { found, selected, running } = sheet.emphasis;
  const unit = Math.max(1, 1 / scale);
  const theme = looks(sheet);
  const wide = {
    left: area.left - 16 * unit,
    top: area.top - 16 * unit,
    right: area.right + 16 * unit,
    bottom: area.bottom + 16 * unit,
  };
  const each = (
    marks: Uint8Array | null,
    paint: (pen: Pen, rect: Rect, colors: typeof theme, unit: number) => void,
  ) => {
    marks?.forEach((mark, box) => {
      const rect = boxRect(sheet, box);
      if (mark === 1 && touches(rect, wide)) paint(pen, rect, theme, unit);
    });
  };
  each(found, paintFound);
  each(selected, paintSelected);
  if (running >= 0) paintRunning(pen, boxRect(sheet, running), theme, unit);
}

/** Titles of large frames, as large as on the screen: what the parts are, where boxes can no longer be read. */
function paintOverview(pen: Pen, sheet: Sheet, area: Area, scale: number): void {
  const { plan } = sheet;
  const theme = looks(sheet);
  const unit = 1 / scale;
  const taken: Rect[] = [];
  eachFrame(sheet, area, (group, frame) => {
    const { text } = plan.header(group);
    const words = [text.times, text.title].filter((part) => part !== "").join(" ");
    const width = textWidth(words, FRAME.size, true) * plan.letterScale;
    // Stays in view while its frame does, as a heading does.
    const y = Math.min(Math.max(frame.y, area.top), frame.y + frame.h - 20 * unit) + 3 * unit;
    const x = Math.min(Math.max(frame.x, area.left), frame.x + frame.w - width * unit) + 3 * unit;
    const label = { x, y, w: (width + 10) * unit, h: 17 * unit };
    if (label.w > frame.w || label.h * 2 > frame.h || taken.some((other) => overlap(label, other))) return;
    taken.push(label);
    pen.beginPath();
    pen.roundRect(label.x, label.y, label.w, label.h, 4 * unit);
    pen.alpha(0.88);
    pen.fill(theme.paper);
    pen.alpha(1);
    const lettering = { text: words, size: FRAME.size * unit, bold: true, width: width * unit };
    pen.write(lettering, label.x + label.w / 2, label.y + label.h / 2, theme.text);
  });
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
