// The canvas itself: as large as its parent, with as many pixels as the screen has there, whatever becomes of either.

import type { Size } from "./viewpoint.ts";

export class Surface {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** Pixels of the screen for each one of CSS. */
  density = 1;
  readonly #resizes: ResizeObserver;
  readonly #resized: (size: Size) => void;
  #size: Size | null = null;

  /** `resized` gets the size in CSS pixels, and has to paint at once: resizing a canvas empties it. */
  constructor(parent: HTMLElement, resized: (size: Size) => void, signal: AbortSignal) {
    this.canvas = parent.ownerDocument.createElement("canvas");
    Object.assign(this.canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
    parent.append(this.canvas);
    this.context = this.canvas.getContext("2d", { alpha: false })!;
    this.#resized = resized;
    this.#resizes = new ResizeObserver(() => this.fill());
    this.#resizes.observe(this.canvas);
    this.#watchDensity(signal);
  }

  /** Takes over the size that the canvas has now. */
  fill(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const density = devicePixelRatio || 1;
    if (width === this.#size?.width && height === this.#size.height && density === this.density) return;
    this.#size = { width, height };
    this.density = density;
    this.canvas.width = Math.round(width * this.density);
    this.canvas.height = Math.round(height * this.density);
    this.#resized(this.#size);
  }

  /** Zooming the page or moving it to another screen changes the density, mostly without changing the size. */
  #watchDensity(signal: AbortSignal): void {
    const changed = (): void => {
      this.fill();
      this.#watchDensity(signal);
    };
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", changed, { once: true, signal });
  }

  /** Paints all of it, and leaves the context with nothing but that done. */
  clear(paper: string): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.globalAlpha = 1;
    this.context.fillStyle = paper;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  destroy(): void {
    this.#resizes.disconnect();
    this.canvas.width = this.canvas.height = 0;
    this.canvas.remove();
  }
}
