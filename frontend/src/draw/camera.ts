// The camera: where it is and where it is going. Until somebody moves it, it shows the drawing as at first sight, whatever
// size the canvas gets meanwhile.

import { DURATION, eased } from "./motion.ts";
import { between, firstSight, fitted, held, type Point, panned, type Size, type View, zoomed } from "./view.ts";

export class Camera {
  view: View = { x: 0, y: 0, scale: 1 };
  canvas: Size = { width: 0, height: 0 };
  #drawing: Size = { width: 0, height: 0 };
  /** Where the gradient starts, until somebody has moved the camera. */
  #first: Point | null = null;
  #travel: { readonly from: View; readonly to: View; readonly start: number } | null = null;
  readonly #moved: () => void;
  readonly #calm: () => boolean;

  /** `moved` is called after every change of the view; nothing travels while `calm` says so. */
  constructor(moved: () => void, calm: () => boolean) {
    this.#moved = moved;
    this.#calm = calm;
  }

  /** Where it is, or is on its way to. */
  get goal(): View {
    return this.#travel?.to ?? this.view;
  }

  get middle(): Point {
    return { x: this.canvas.width / 2, y: this.canvas.height / 2 };
  }

  /** A drawing to be seen for the first time. */
  meet(drawing: Size, loss: Point): void {
    this.#drawing = drawing;
    this.#first = loss;
    this.#lookFirst();
  }

  /** Another drawing, in which what is to stay in place on the screen lies elsewhere. */
  follow(drawing: Size, shift: Point): void {
    this.#drawing = drawing;
    const { x, y, scale } = this.goal;
    this.look({ x: x + shift.x, y: y + shift.y, scale });
  }

  resize(canvas: Size): void {
    this.canvas = canvas;
    this.#lookFirst();
  }

  #lookFirst(): void {
    if (this.#first === null || this.canvas.width === 0 || this.canvas.height === 0) return;
    const first = this.#first;
    this.look(firstSight(this.#drawing, this.canvas, first));
    this.#first = first;
  }

  /** Goes somewhere at once. */
  look(view: View): void {
    this.#first = null;
    this.#travel = null;
    this.view = held(view, this.canvas, this.#drawing);
    this.#moved();
  }

  pan(dx: number, dy: number): void {
    this.look(panned(this.view, dx, dy));
  }

  /** Zooms around a pixel of the canvas at once. */
  zoom(factor: number, at: Point): void {
    this.look(zoomed(this.view, this.canvas, this.#drawing, at, factor));
  }

  zoomSlowly(factor: number): void {
    this.travel(zoomed(this.goal, this.canvas, this.#drawing, this.middle, factor));
  }

  fit(): void {
    this.travel(fitted(this.#drawing, this.canvas));
  }

  /** Goes somewhere in a moment. */
  travel(view: View): void {
    if (this.#calm()) {
      this.look(view);
      return;
    }
    this.#first = null;
    this.#travel = { from: this.view, to: held(view, this.canvas, this.#drawing), start: performance.now() };
    this.#moved();
  }

  /** Goes on to where it should be by now. True while it is on its way. */
  step(now: number): boolean {
    if (this.#travel === null) return false;
    const { from, to, start } = this.#travel;
    const t = Math.min(1, Math.max(0, (now - start) / DURATION));
    this.view = between(from, to, eased(t));
    if (t === 1) this.#travel = null;
    this.#moved();
    return t < 1;
  }
}
