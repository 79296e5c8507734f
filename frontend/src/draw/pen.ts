// What paints: the little of a canvas that a drawing needs. The screen and files are painted by the same code through two
// pens, so that they cannot differ. Texts stand on their alphabetic baseline: other baselines are not the same everywhere.

import { FONT, type Lettering } from "../layout/measure.ts";

/** Traces an outline. A canvas' context is one. */
export interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  closePath(): void;
}

export interface Pen extends Path {
  beginPath(): void;
  fill(color: string): void;
  stroke(color: string, width: number, dash?: readonly number[]): void;
  /** Writes centred at `x`, or from there on, in the middle of the height `y`; a wider font is squeezed into the width. */
  write(text: Lettering, x: number, y: number, color: string, from?: "left"): void;
  /** How opaque all that follows is. */
  alpha(share: number): void;
  /** All until `close` is one thing, which says this when it is pointed at. */
  open(tip: () => string): void;
  close(): void;
}

/** How far the baseline lies below the middle of a letter's height, for each unit of the font's size. */
export const BASELINE = 0.35;
export const SOLID: readonly number[] = [];

export class CanvasPen implements Pen {
  readonly #context: CanvasRenderingContext2D;
  #font = "";
  #align = "";

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  moveTo(x: number, y: number): void {
    this.#context.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.#context.lineTo(x, y);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#context.bezierCurveTo(x1, y1, x2, y2, x, y);
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    if (radius > 0) this.#context.roundRect(x, y, width, height, radius);
    else this.#context.rect(x, y, width, height);
  }

  closePath(): void {
    this.#context.closePath();
  }

  beginPath(): void {
    this.#context.beginPath();
  }

  fill(color: string): void {
    this.#context.fillStyle = color;
    this.#context.fill();
  }

  stroke(color: string, width: number, dash = SOLID): void {
    this.#context.strokeStyle = color;
    this.#context.lineWidth = width;
    this.#context.setLineDash(dash as number[]);
    this.#context.stroke();
  }

  write(text: Lettering, x: number, y: number, color: string, from?: "left"): void {
    const font = `${text.bold ? "bold " : ""}${text.size}px ${FONT}`;
    const align = from ?? "center";
    if (font !== this.#font) this.#context.font = this.#font = font;
    if (align !== this.#align) this.#context.textAlign = this.#align = align;
    this.#context.fillStyle = color;
    this.#context.fillText(text.text, x, y + BASELINE * text.size, text.width + 1);
  }

  alpha(share: number): void {
    this.#context.globalAlpha = share;
  }

  open(_tip: () => string): void {}

  close(): void {}

  /** Setting the size of a canvas resets its context. */
  forget(): void {
    this.#font = this.#align = "";
  }
}
