// The minimap: all boxes as spots, painted once for each drawing and look of it, and the rectangle that is in view.
// Clicking or dragging on it moves the camera there. It hides itself while everything is in view.

import type { Theme } from "../model.ts";
import { paintFrame } from "./frames.ts";
import type { Area } from "./grid.ts";
import { CanvasPen } from "./pen.ts";
import type { Plan } from "./plan.ts";
import type { Spots } from "./spots.ts";
import type { Emphasis } from "./types.ts";
import type { Point } from "./viewpoint.ts";

const MOST = { width: 168, height: 168 } as const; // CSS pixels
const LEAST = 36;
const INSET = 4;

export class Minimap {
  readonly canvas: HTMLCanvasElement;
  readonly #backdrop: HTMLCanvasElement;
  #plan: Plan | null = null;
  #scale = 1;
  #left = 0;
  #top = 0;
  #theme: Theme | null = null;

  constructor(document: Document, move: (place: Point) => void, signal: AbortSignal) {
    this.canvas = document.createElement("canvas");
    this.#backdrop = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    Object.assign(this.canvas.style, { display: "none", touchAction: "none", cursor: "pointer" });
    const follow = (event: PointerEvent): void => {
      if (event.type === "pointerdown") this.canvas.setPointerCapture(event.pointerId);
      else if (!this.canvas.hasPointerCapture(event.pointerId)) return;
      event.preventDefault();
      const { left, top } = this.canvas.getBoundingClientRect();
      move({
        x: (event.clientX - left - this.canvas.clientLeft - this.#left) / this.#scale,
        y: (event.clientY - top - this.canvas.clientTop - this.#top) / this.#scale,
      });
    };
    this.canvas.addEventListener("pointerdown", follow, { signal });
    this.canvas.addEventListener("pointermove", follow, { signal });
  }

  /** Paints the backdrop: needed after a change of the drawing, of colours or of marks, not of the camera. */
  prepare(plan: Plan, spots: Spots, theme: Theme, emphasis: Emphasis, density: number): void {
    this.#plan = plan;
    this.#theme = theme;
    const { width, height } = plan.size;
    this.#scale = Math.min((MOST.width - 2 * INSET) / width, (MOST.height - 2 * INSET) / height, 0.5);
    const [w, h] = [width, height].map((side) => Math.max(LEAST, Math.round(side * this.#scale) + 2 * INSET)) as [
      number,
      number,
    ];
    this.#left = (w - width * this.#scale) / 2;
    this.#top = (h - height * this.#scale) / 2;
    for (const canvas of [this.canvas, this.#backdrop])
      [canvas.width, canvas.height] = [Math.round(w * density), Math.round(h * density)];
    Object.assign(this.canvas.style, { width: `${w}px`, height: `${h}px` });
    const context = this.#backdrop.getContext("2d")!;
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, this.#backdrop.width, this.#backdrop.height);
    this.#toDrawing(context, density);
    this.#paint(context, plan, spots, theme, emphasis);
  }

  #toDrawing(context: CanvasRenderingContext2D, density: number): void {
    const scale = this.#scale * density;
    context.setTransform(scale, 0, 0, scale, this.#left * density, this.#top * density);
  }

  #paint(context: CanvasRenderingContext2D, plan: Plan, spots: Spots, theme: Theme, emphasis: Emphasis): void {
    const { layout, scene, sizes } = plan.drawing;
    const pen = new CanvasPen(context);
    const least = 1.2 / this.#scale;
    scene.groups.forEach((group, index) => {
      const [x, y, w, h] = layout.groups.subarray(4 * index) as unknown as [number, number, number, number];
      if (w > 4 * least) paintFrame(pen, group, plan.depths[index]!, { x, y, w, h }, theme);
    });
    const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    spots.paint(context, layout.boxes, all, least);
    for (const [marks, color, dim] of [
      [emphasis.found, theme.hook.line, emphasis.dimBoxes],
      [emphasis.selected, theme.accent, null],
    ] as const) {
      context.fillStyle = color;
      marks?.forEach((mark, box) => {
        if (mark !== 1 || dim?.[box] === 1) return;
        const [w, h] = [Math.max(3.5 * least, sizes[2 * box]!), Math.max(3.5 * least, sizes[2 * box + 1]!)];
        context.fillRect(layout.boxes[2 * box]! - w / 2, layout.boxes[2 * box + 1]! - h / 2, w, h);
      });
    }
  }

  /** Paints the rectangle of what is in view upon the backdrop. */
  paint(sight: Area, density: number): void {
    if (this.#plan === null || this.#theme === null) return;
    const { width, height } = this.#plan.size;
    const all = sight.left <= 1 && sight.top <= 1 && sight.right >= width - 1 && sight.bottom >= height - 1;
    this.canvas.style.display = all ? "none" : "block";
    if (all) return;
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#backdrop, 0, 0);
    this.#toDrawing(context, density);
    const unit = 1 / this.#scale;
    const [left, top] = [Math.max(-unit, sight.left), Math.max(-unit, sight.top)];
    const [right, bottom] = [Math.min(width + unit, sight.right), Math.min(height + unit, sight.bottom)];
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.fillStyle = context.strokeStyle = this.#theme.accent;
    context.globalAlpha = 0.14;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5 * unit;
    context.stroke();
  }

  destroy(): void {
    for (const canvas of [this.canvas, this.#backdrop]) canvas.width = canvas.height = 0;
    this.canvas.remove();
  }
}
