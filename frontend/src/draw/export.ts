// What is on the screen as a file: the whole drawing in full detail, by the same painters.

import type { ThemeName } from "../model.ts";
import type { Area } from "./grid.ts";
import { CanvasPen } from "./pen.ts";
import { type Picture, paintPicture } from "./picture.ts";
import type { Plan } from "./plan.ts";
import { raisedArrows } from "./raised.ts";
import { SvgPen } from "./svg_pen.ts";
import type { Emphasis } from "./types.ts";

const MARGIN = 16;
const PNG_SCALE = 2;
// Browsers give up on larger canvases, some silently; a picture beyond that gets a smaller scale instead.
const MOST_SIDE = 32_000;
const MOST_PIXELS = 50_000_000;

const EVERYTHING: Area = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** A drawing as it looks now. */
export interface Shot {
  readonly plan: Plan;
  readonly theme: ThemeName;
  readonly emphasis: Emphasis;
}

/** All as it rests, not on its way; without what can be pressed, and whatever the pointer is at. */
function pictureOf(shot: Shot): Picture {
  const { plan, emphasis } = shot;
  const raised = raisedArrows(plan.drawing, emphasis, null);
  return { ...shot, places: plan.resting, raised, controls: false };
}

export function toSvg(shot: Shot): string {
  const { plan, theme } = shot;
  const pen = new SvgPen();
  paintPicture(pen, pictureOf(shot), EVERYTHING, 1, null);
  const { scene, model } = plan.drawing;
  return pen.file({
    ...{ width: plan.size.width, height: plan.size.height, margin: MARGIN, paper: plan.looks[theme].paper },
    title: model.graph.title,
    about: `${scene.boxes.length} boxes and ${scene.arrows.length} arrows; the gradient flows down.`,
  });
}

/** Twice as large as on the screen, as far as the limits above allow. */
export function pngScale(width: number, height: number): number {
  const side = MOST_SIDE / Math.max(width, height);
  return Math.min(PNG_SCALE, side, Math.sqrt(MOST_PIXELS / (width * height)));
}

export async function toPng(shot: Shot, document: Document): Promise<Blob> {
  const { plan, theme } = shot;
  const [width, height] = [plan.size.width + 2 * MARGIN, plan.size.height + 2 * MARGIN];
  const scale = pngScale(width, height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  try {
    const context = canvas.getContext("2d")!;
    context.fillStyle = plan.looks[theme].paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(scale, 0, 0, scale, MARGIN * scale, MARGIN * scale);
    paintPicture(new CanvasPen(context), pictureOf(shot), EVERYTHING, 1, null);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("This browser could not make a PNG of the drawing. Save it as SVG instead.");
    return blob;
  } finally {
    canvas.width = canvas.height = 0;
  }
}
