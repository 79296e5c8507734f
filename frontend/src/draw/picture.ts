// Paints a whole picture, in this order: frames, arrows, title bars, boxes, labels and stubs, marks. How much of it depends
// on the scale: from far away boxes are spots, nearer they get their shapes and titles, then everything.

import type { ThemeName } from "../model.ts";
import { paintArrows, paintLabel, paintStub } from "./arrows.ts";
import { type Detail, paintBox, paintFound, paintProgress, paintRunning, paintSelected, paintTag } from "./boxes.ts";
import { frameTone, paintFrame, paintHeader } from "./frames.ts";
import type { Area } from "./grid.ts";
import { overviewTitles } from "./overview.ts";
import { boxPaint, isPale } from "./paints.ts";
import type { Pen } from "./pen.ts";
import type { Places, Plan } from "./plan.ts";
import type { Rect } from "./shapes.ts";
import type { Emphasis } from "./types.ts";

const FAR = 0.2; // boxes are spots below this scale
const TITLES = 0.4; // titles of boxes from here on
const NEAR = 0.5; // everything from here on

const PALE = 0.25; // how opaque lines are that stand back
const MOST_SHAPES = 1000; // boxes in view; where there are more, as on a very large screen, they stay spots until NEAR

export interface Picture {
  readonly plan: Plan;
  readonly places: Places;
  readonly theme: ThemeName;
  readonly emphasis: Emphasis;
  /** 1 for arrows that are raised above the others (see raised.ts); null: none is. */
  readonly raised: Uint8Array | null;
  /** Whether there is what can be pressed: not in a file, where its place stays empty. */
  readonly controls: boolean;
}

/** Paints what touches an area at a scale. `spots` paints the boxes where they are only spots. */
export function paintPicture(pen: Pen, picture: Picture, area: Area, scale: number, spots: (() => void) | null): void {
  const boxes = scale < FAR ? [] : boxesWithin(picture, area);
  const far = spots !== null && (scale < FAR || (scale < NEAR && boxes.length > MOST_SHAPES));
  paintFrames(pen, picture, area);
  paintRoutes(pen, picture, area, far, scale);
  if (scale >= NEAR)
    eachFrame(picture, area, (group, { x, y }) =>
      paintHeader(pen, picture.plan, group, x, y, looks(picture), picture.controls),
    );
  if (far) spots();
  else paintBoxes(pen, picture, boxes, scale);
  pen.alpha(picture.places.arrowAlpha);
  if (scale >= NEAR) paintTexts(pen, picture, area);
  pen.alpha(1);
  paintMarks(pen, picture, area, scale);
  if (scale < NEAR) paintOverview(pen, picture, area, scale);
}

function looks({ plan, theme }: Picture) {
  return plan.looks[theme];
}

function boxRect({ plan, places }: Picture, box: number): Rect {
  return plan.boxRect(box, places.boxes);
}

function touches({ x, y, w, h }: Rect, { left, top, right, bottom }: Area): boolean {
  return x <= right && x + w >= left && y <= bottom && y + h >= top;
}

function eachFrame({ plan, places }: Picture, area: Area, paint: (group: number, rect: Rect) => void): void {
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

function paintFrames(pen: Pen, picture: Picture, area: Area): void {
  const { groups } = picture.plan.drawing.scene;
  eachFrame(picture, area, (group, rect) => {
    paintFrame(
      pen,
      groups[group]!,
      picture.plan.depths[group]!,
      rect,
      looks(picture),
      picture.emphasis.frames?.[group],
    );
  });
}

/** Arrows that stand back, all others, and those that are raised, one above the other. */
function paintRoutes(pen: Pen, picture: Picture, area: Area, far: boolean, scale: number): void {
  const { plan, places, raised } = picture;
  const { routeArrow } = plan.drawing.layout;
  const layers: [number[], number[], number[]] = [[], [], []];
  for (const route of plan.routesWithin(area)) {
    const arrow = routeArrow[route]!;
    layers[raised?.[arrow] === 1 ? 2 : standsBack(picture, arrow) ? 0 : 1].push(route);
  }
  layers.forEach((routes, layer) => {
    pen.alpha((layer === 0 ? PALE : 1) * places.arrowAlpha);
    paintArrows(pen, plan, routes, { theme: looks(picture), far, unit: 1 / scale, raised: layer === 2 });
  });
  pen.alpha(1);
}

/** Whether an arrow is pale: another is highlighted, or no gradient has come from where it starts. */
function standsBack({ plan, emphasis }: Picture, arrow: number): boolean {
  const { source } = plan.drawing.scene.arrows[arrow]!;
  return emphasis.dimArrows?.[arrow] === 1 || emphasis.progress?.[source] === 0;
}

/** The boxes in view. On their way they may be anywhere, but then there are not many. */
function boxesWithin(picture: Picture, area: Area): number[] {
  const { plan, places } = picture;
  if (places.boxes === plan.drawing.layout.boxes) return plan.boxes.within(area);
  return [...Array(plan.count).keys()].filter((box) => touches(boxRect(picture, box), area));
}

function paintBoxes(pen: Pen, picture: Picture, boxes: readonly number[], scale: number): void {
  const { plan, places, emphasis, theme } = picture;
  const detail: Detail = scale >= NEAR ? "all" : scale >= TITLES ? "title" : "shape";
  for (const index of boxes) {
    const box = plan.drawing.scene.boxes[index]!;
    const paint = boxPaint(box, index, plan.looks, theme, emphasis);
    const rect = boxRect(picture, index);
    const said = emphasis.replay?.said[index];
    const moment = emphasis.replay?.moment ?? 0;
    pen.open(() => [box.label, ...box.lines, ...box.badges].join("\n"));
    const opacity = places.boxAlpha?.[index] ?? 1;
    pen.alpha(opacity);
    paintBox(
      pen,
      {
        ...{ box, text: plan.text(index), paint, looks: plan.looks, theme, controls: picture.controls },
        dim: isPale(emphasis, index),
        untold: (text) => (said?.[text] ?? 0) > moment,
      },
      rect,
      detail,
      Math.max(1, 1 / scale),
    );
    const share = emphasis.progress?.[index] ?? 0;
    if (share > 0) paintProgress(pen, rect, share, paint, opacity);
    if (share > 0 && share < 1 && detail === "all") {
      const words = `${Math.round(share * box.nodes.length)} of ${box.nodes.length}`;
      paintTag(pen, rect, "bottom", words, plan.looks[theme].badge, plan.letterScale, 1);
    }
    pen.alpha(1);
    pen.close();
  }
}

function paintTexts(pen: Pen, picture: Picture, area: Area): void {
  const { plan, places, raised } = picture;
  const { labels, stubs } = plan.drawing.layout;
  const theme = looks(picture);
  const inView = (x: number, y: number) => touches({ x: x - 100, y: y - 12, w: 200, h: 24 }, area);
  const prepare = (arrow: number): boolean => {
    const isRaised = raised?.[arrow] === 1;
    pen.alpha((standsBack(picture, arrow) && !isRaised ? PALE : 1) * places.arrowAlpha);
    return isRaised;
  };
  for (let arrow = 0; 2 * arrow < labels.length; arrow++) {
    if (inView(labels[2 * arrow]!, labels[2 * arrow + 1]!)) paintLabel(pen, plan, arrow, theme, prepare(arrow));
  }
  stubs.forEach(({ arrow, x, y }, stub) => {
    if (inView(x, y)) paintStub(pen, plan, stub, theme, prepare(arrow));
  });
}

function paintMarks(pen: Pen, picture: Picture, area: Area, scale: number): void {
  const { found, selected, running, dimBoxes } = picture.emphasis;
  const unit = Math.max(1, 1 / scale);
  const theme = looks(picture);
  const wide = {
    left: area.left - 16 * unit,
    top: area.top - 16 * unit,
    right: area.right + 16 * unit,
    bottom: area.bottom + 16 * unit,
  };
  found?.forEach((mark, box) => {
    const rect = boxRect(picture, box);
    if (mark !== 1 || !touches(rect, wide)) return;
    pen.alpha(dimBoxes?.[box] === 1 ? PALE : 1);
    paintFound(pen, rect, theme, unit);
  });
  pen.alpha(1);
  selected?.forEach((mark, box) => {
    const rect = boxRect(picture, box);
    if (mark === 1 && touches(rect, wide)) paintSelected(pen, rect, theme, unit);
  });
  if (running < 0) return;
  paintRunning(pen, boxRect(picture, running), theme, unit);
  const fires = picture.emphasis.replay?.fires;
  if (fires) paintTag(pen, boxRect(picture, running), "top", fires, theme.hook, picture.plan.letterScale, unit);
}

/** Titles of large frames, where those on the title bars are too small to be read. */
function paintOverview(pen: Pen, picture: Picture, area: Area, scale: number): void {
  const { plan, places } = picture;
  const theme = looks(picture);
  for (const { depth, words, size, width, rect } of overviewTitles(plan, places.frames, area, scale)) {
    pen.beginPath();
    pen.roundRect(rect.x, rect.y, rect.w, rect.h, size / 3);
    pen.alpha(0.88);
    pen.fill(depth === 0 ? theme.paper : frameTone(depth - 1, theme));
    pen.alpha(1);
    const lettering = { text: words, size, bold: true, width };
    pen.write(lettering, rect.x + rect.w / 2, rect.y + rect.h / 2, theme.text);
  }
}
