// The stage: one canvas, one camera, one drawing on it. It draws only when something has changed, at most once for each
// frame of the screen; all that it holds is freed by `destroy`.

import type { ThemeName } from "../model.ts";
import { Afar } from "./afar.ts";
import { Camera } from "./camera.ts";
import { type Shot, toPng, toSvg } from "./export.ts";
import { Gestures, type Hands } from "./gestures.ts";
import { isPressed, targetAt } from "./hits.ts";
import { letterScaleOf } from "./letter_scale.ts";
import { Motion } from "./motion.ts";
import { Overlays } from "./overlays.ts";
import { PLAIN } from "./paints.ts";
import { CanvasPen } from "./pen.ts";
import { paintPicture } from "./picture.ts";
import { type Places, Plan } from "./plan.ts";
import { raisedArrows } from "./raised.ts";
import { Surface } from "./surface.ts";
import type { Drawing, Emphasis, StageEvents, StageOptions, Target } from "./types.ts";
import { type Point, type Size, sightOf, toDrawing, toScreen, type Viewpoint } from "./viewpoint.ts";

const ZOOM = 1.3; // of one step
const SPOT = 1.5; // pixels that a box takes at least

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly minimap: HTMLCanvasElement;
  readonly letterScale: number;
  readonly #options: StageOptions;
  readonly #events: StageEvents;
  readonly #surface: Surface;
  readonly #pen: CanvasPen;
  readonly #afar: Afar;
  readonly #camera: Camera;
  readonly #overlays: Overlays;
  readonly #ending = new AbortController();
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #theme: ThemeName;
  #emphasis = PLAIN;
  #plan: Plan | null = null;
  #places: Places | null = null;
  #motion: Motion | null = null;
  #frame = 0;
  #hovered: Target | null = null;

  /** `parent` must be positioned: the canvas fills it. */
  constructor(parent: HTMLElement, options: StageOptions, events: StageEvents) {
    const { signal } = this.#ending;
    this.#options = options;
    this.#events = events;
    this.#theme = options.theme;
    this.#surface = new Surface(parent, (size) => this.#resize(size), signal);
    this.canvas = this.#surface.canvas;
    this.#pen = new CanvasPen(this.#surface.context);
    this.letterScale = letterScaleOf(this.#surface.context);
    this.#camera = new Camera(
      () => {
        this.#redraw();
        this.#events.moved();
      },
      () => this.#calm.matches,
    );
    this.#afar = new Afar(
      parent.ownerDocument,
      (place) => this.#camera.look({ ...place, scale: this.#camera.view.scale }),
      signal,
    );
    this.minimap = this.#afar.minimap.canvas;
    this.#overlays = new Overlays(this.canvas, this.minimap, () => this.#resize(this.#camera.canvas), signal);
    this.#camera.overlays = (whole) => this.#overlays.rects(whole);
    new Gestures(this.canvas, options.wheel, this.#hands(), signal);
  }

  show(drawing: Drawing, keep: string | null): void {
    const [before, drawn] = [this.#plan, this.#places];
    const plan = new Plan(drawing, this.#options.looks, this.letterScale);
    this.#plan = plan;
    this.#emphasis = PLAIN;
    this.#hovered = null; // it belongs to the drawing before
    this.#motion = null;
    this.#places = plan.resting;
    if (before === null || drawn === null || keep === null || !this.#camera.canvas.width)
      this.#camera.meet(plan.size, plan.loss());
    else this.#keep(before, drawn, plan, keep);
    this.#redraw();
  }

  /** Leaves what has the key where it is on the screen now (`drawn`), and lets everything else move from where it is. */
  #keep(before: Plan, drawn: Places, after: Plan, key: string): void {
    const [from, to] = [before.anchor(key, drawn), after.anchor(key, after.resting)];
    const shift = from && to ? { x: to.x - from.x, y: to.y - from.y } : { x: 0, y: 0 };
    this.#camera.follow(after.size, shift);
    this.#motion = this.#calm.matches ? null : Motion.between(before, drawn, after, shift);
    if (this.#motion) this.#places = this.#motion.at(performance.now());
  }

  emphasize(emphasis: Emphasis): void {
    this.#emphasis = emphasis;
    this.#redraw();
  }

  setTheme(theme: ThemeName): void {
    this.#theme = theme;
    this.#redraw();
  }

  /** Take over a new size at once, and not when the browser tells of it: what is asked for meanwhile would be off. */
  resize(): void {
    this.#surface.fill();
  }

  fit(): void {
    this.#camera.fit();
  }

  /** So many steps in, or out where it is negative. */
  zoom(steps: number): void {
    this.#camera.zoomSlowly(ZOOM ** steps);
  }

  pan(dx: number, dy: number): void {
    this.#camera.pan(dx, dy);
  }

  /** Brings a box into view, moving as little as needed; zooms in where its label is to be `readable` and is not. */
  center(box: number, readable = false): void {
    if (this.#plan) this.#camera.reveal(this.#plan.boxArea(box), readable);
  }

  /** What lies over the canvas: what is brought into view must not lie under it. The minimap is known. */
  cover(...elements: readonly HTMLElement[]): void {
    this.#overlays.add(...elements);
  }

  screenOf(box: number): Point {
    const places = this.#places?.boxes;
    const place = { x: places?.[2 * box] ?? 0, y: places?.[2 * box + 1] ?? 0 };
    return this.#toClient(toScreen(this.#camera.view, this.#camera.canvas, place));
  }

  view(): Viewpoint {
    return this.#camera.goal;
  }

  setView(view: Viewpoint): void {
    this.#camera.look(view);
  }

  svg(): string {
    return toSvg(this.#shot());
  }

  /** Twice as large as on the screen, smaller where browsers have no canvas of that size (see export.ts). */
  async png(): Promise<Blob> {
    return toPng(this.#shot(), this.canvas.ownerDocument);
  }

  destroy(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = -1; // no frame is asked for any more
    this.#afar.destroy();
    this.#surface.destroy();
    this.#plan = this.#places = this.#motion = null;
  }

  #shot(): Shot {
    if (this.#plan === null) throw new Error("Nothing is drawn yet.");
    return { plan: this.#plan, theme: this.#theme, emphasis: this.#emphasis };
  }

  #toClient({ x, y }: Point): Point {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: left + x, y: top + y };
  }

  #hands(): Hands {
    return {
      pan: (dx, dy) => this.#camera.pan(dx, dy),
      zoom: (factor, at) => this.#camera.zoom(factor, at),
      click: (at, add, count) => {
        const target = this.#targetAt(at);
        if (count === 2 && target !== null && !isPressed(target)) this.#events.activate(target);
        else this.#events.pick(target, add);
      },
      hover: (at) => {
        const target = at && this.#targetAt(at);
        const { x, y } = this.#toClient(at ?? { x: 0, y: 0 });
        if (target?.kind !== this.#hovered?.kind || target?.index !== this.#hovered?.index) this.#redraw();
        this.#hovered = target;
        this.#events.hover(target, x, y);
        return target !== null;
      },
      menu: (at) => {
        const { x, y } = this.#toClient(at);
        this.#events.menu(this.#targetAt(at), x, y);
      },
    };
  }

  #targetAt(at: Point): Target | null {
    const { view, canvas } = this.#camera;
    return this.#plan && targetAt(this.#plan, toDrawing(view, canvas, at), view.scale);
  }

  #resize(size: Size): void {
    this.#pen.forget();
    this.#camera.resize(size);
    cancelAnimationFrame(this.#frame);
    this.#draw(performance.now());
  }

  #redraw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    this.#frame = 0;
    this.#camera.step(now);
    this.#surface.clear(this.#options.looks[this.#theme].paper);
    const [plan, { context, density }] = [this.#plan, this.#surface];
    if (plan === null || this.canvas.width === 0) return;
    const places = this.#placesAt(now, plan);
    const { view, canvas } = this.#camera;
    const pixels = view.scale * density;
    const [left, top] = [this.canvas.width / 2 - view.x * pixels, this.canvas.height / 2 - view.y * pixels];
    context.setTransform(pixels, 0, 0, pixels, left, top);
    const area = sightOf(view, canvas);
    const [theme, emphasis] = [this.#theme, this.#emphasis];
    const spots = this.#afar.spots({ plan, theme, emphasis, density });
    const raised = raisedArrows(plan.drawing, emphasis, this.#hovered);
    const picture = { plan, places, theme, emphasis, raised, controls: true };
    paintPicture(this.#pen, picture, area, view.scale, () =>
      spots.paint(context, places.boxes, area, SPOT / view.scale),
    );
    this.#afar.minimap.paint(area, density);
  }

  #placesAt(now: number, plan: Plan): Places {
    if (this.#motion === null) {
      this.#places ??= plan.resting;
      return this.#places;
    }
    this.#places = this.#motion.at(now);
    if (this.#motion.isOver(now)) this.#motion = null;
    this.#redraw();
    return this.#places;
  }
}
