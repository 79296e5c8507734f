// What lies over the canvas, measured when it is asked for: the minimap, and what the UI names (the legend).

import type { Rect } from "./shapes.ts";

export class Overlays {
  readonly #canvas: HTMLElement;
  readonly #minimap: HTMLElement;
  readonly #resizes: ResizeObserver;
  #others: readonly HTMLElement[] = [];

  /** `resized` is called before the next frame where one of them appears, goes or changes its size. */
  constructor(canvas: HTMLElement, minimap: HTMLElement, resized: () => void, signal: AbortSignal) {
    [this.#canvas, this.#minimap] = [canvas, minimap];
    this.#resizes = new ResizeObserver(resized);
    this.#resizes.observe(minimap);
    signal.addEventListener("abort", () => this.#resizes.disconnect());
  }

  add(...elements: readonly HTMLElement[]): void {
    this.#others = [...this.#others, ...elements];
    for (const element of elements) this.#resizes.observe(element);
  }

  /** In pixels of the canvas. The minimap hides itself while the `whole` drawing is in view. */
  rects(whole: boolean): Rect[] {
    const canvas = this.#canvas.getBoundingClientRect();
    return [...this.#others, ...(whole ? [] : [this.#minimap])]
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, width, height }) => ({ x: x - canvas.x, y: y - canvas.y, w: width, h: height }));
  }
}
