// The camera: where it is and where it is going. Until somebody moves it, it shows the drawing as at first sight, whatever
// size the canvas gets meanwhile. What it brings into view it brings to where nothing lies over the canvas.

import type { Area } from "./grid.ts";
import { DURATION, eased } from "./motion.ts";
import { type CoveredCanvas, firstSightBeside, fittedBeside, revealingBeside } from "./room.ts";
import type { Rect } from "./shapes.ts";
import {
  between,
  held,
  type Point,
  panned,
  READABLE,
  type Size,
  sightOf,
  type Viewpoint,
  zoomed,
} from "./viewpoint.ts";

/** Where a label is to be read and cannot be (below READABLE), the camera zooms in to this scale. */
const LEGIBLE = 0.7;

export class Camera {
  view: Viewpoint = { x: 0, y: 0, scale: 1 };
  canvas: Size = { width: 0, height: 0 };
  /** What lies over the canvas, in its pixels; `whole`: while all of the drawing is in view. */
  overlays: (whole: boolean) => readonly Rect[] = () => [];
  #drawing: Size = { width: 0, height: 0 };
  /** Where the gradient starts, until somebody has moved the camera. */
  #first: Point | null = null;
  #travel: { readonly from: Viewpoint; readonly to: Viewpoint; readonly start: number } | null = null;
  readonly #moved: () => void;
  readonly #calm: () => boolean;

  /** `moved` is called after every change of the view; nothing travels while `calm` says so. */
  constructor(moved: () => void, calm: () => boolean) {
    this.#moved = moved;
    this.#calm = calm;
  }

  /** Where it is, or is on its way to. */
  get goal(): Viewpoint {
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
    const all = fittedBeside(this.#drawing, this.#covered(true));
    this.look(all.scale >= READABLE ? all : firstSightBeside(this.#drawing, this.#covered(), first));
    this.#first = first;
  }

  /** Goes somewhere at once. */
  look(view: Viewpoint): void {
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
    this.travel(fittedBeside(this.#drawing, this.#covered(true)));
  }

  /**
   * Brings an area into view, moving as little as needed. One that is to be `readable` comes to the middle if it is out of
   * sight, or too small to be read: then the camera zooms in.
   */
  reveal(area: Area, readable: boolean): void {
    const { goal } = this;
    const sight = sightOf(goal, this.canvas);
    const small = goal.scale < READABLE;
    const away =
      area.right < sight.left || area.left > sight.right || area.bottom < sight.top || area.top > sight.bottom;
    const x = (area.left + area.right) / 2;
    const y = (area.top + area.bottom) / 2;
    const middle = { x, y, scale: small ? LEGIBLE : goal.scale };
    this.travel(revealingBeside(readable && (small || away) ? middle : goal, this.#covered(), area));
  }

  #covered(whole = false): CoveredCanvas {
    return { canvas: this.canvas, overlays: this.overlays(whole) };
  }

  /** Goes somewhere in a moment. */
  travel(view: Viewpoint): void {
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
