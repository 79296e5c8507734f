// The stage: one canvas, one camera, one drawing on it. It draws only when something has changed, at most once for each
// frame of the screen; all that it holds is freed by `destroy`.

import { Camera } from "./camera.ts";
import { toPng, toSvg } from "./export.ts";
import { Gestures, type Hands } from "./gestures.ts";
import { targetAt } from "./hits.ts";
import { letterScaleOf } from "./letters.ts";
import { Minimap } from "./minimap.ts";
import { Motion, restingPlaces } from "./motion.ts";
import type { ThemeName } from "./paints.ts";
import { CanvasPen } from "./pen.ts";
import { type Places, paintPicture, type Sheet } from "./picture.ts";
import { Plan } from "./plan.ts";
import { Spots } from "./spots.ts";
import { Surface } from "./surface.ts";
import type { Drawing, Emphasis, StageEvents, StageOptions, Target } from "./types.ts";
import { type Point, revealing, type Size, sightOf, toDrawing, toScreen, type View } from "./view.ts";

const SPOT = 1.5; // pixels that a box takes at least
const PLAIN: Emphasis = {
  ...{ paints: null, dimBoxes: null, dimArrows: null, selected: null, found: null, progress: null, running: -1 },
};

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly minimap: HTMLCanvasElement;
  readonly letterScale: number;
  readonly #options: StageOptions;
  readonly #events: StageEvents;
  readonly #surface: Surface;
  readonly #pen: CanvasPen;
  readonly #map: Minimap;
  readonly #camera: Camera;
  readonly #ending = new AbortController();
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #theme: ThemeName;
  #emphasis = PLAIN;
  #plan: Plan | null = null;
  #places: Places | null = null;
  #motion: Motion | null = null;
  /** Null after a change of the drawing or of its looks: these and the minimap have to be made again. */
  #spots: Spots | null = null;
  #frame = 0;

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
    this.#map = new Minimap(
      parent.ownerDocument,
      (place) => this.#camera.look({ ...place, scale: this.#camera.view.scale }),
      signal,
    );
    this.minimap = this.#map.canvas;
    new Gestures(this.canvas, options.wheel, this.#hands(), signal);
  }

  show(drawing: Drawing, keep: string | null): void {
    const before = this.#plan;
    const plan = new Plan(drawing, this.#options.looks, this.letterScale);
    this.#plan = plan;
    this.#emphasis = PLAIN;
    this.#motion = null;
    this.#places = restingPlaces(plan);
    if (before === null || keep === null || !this.#camera.canvas.width) this.#camera.meet(plan.size, plan.loss());
    else this.#keep(before, plan, keep);
    this.#changed();
  }

  /** Leaves what has the key where it is on the screen, and lets everything else move from there. */
  #keep(before: Plan, after: Plan, key: string): void {
    const [from, to] = [before.anchor(key), after.anchor(key)];
    const shift = from && to ? { x: to.x - from.x, y: to.y - from.y } : { x: 0, y: 0 };
    this.#camera.follow(after.size, shift);
    this.#motion = this.#calm.matches ? null : Motion.between(before, after, shift);
    if (this.#motion) this.#places = this.#motion.at(performance.now());
  }

  emphasize(emphasis: Emphasis): void {
    this.#emphasis = emphasis;
    this.#changed();
  }

  setTheme(theme: ThemeName): void {
    this.#theme = theme;
    this.#changed();
  }

  fit(): void {
    this.#camera.fit();
  }

  zoom(factor: number): void {
    this.#camera.zoomSlowly(factor);
  }

  pan(dx: number, dy: number): void {
    this.#camera.pan(dx, dy);
  }

  center(box: number): void {
    const { goal, canvas } = this.#camera;
    if (this.#plan) this.#camera.travel(revealing(goal, canvas, this.#plan.boxArea(box)));
  }

  screenOf(box: number): Point {
    const places = this.#places?.boxes;
    const place = { x: places?.[2 * box] ?? 0, y: places?.[2 * box + 1] ?? 0 };
    return this.#toClient(toScreen(this.#camera.view, this.#camera.canvas, place));
  }

  view(): View {
    return this.#camera.goal;
  }

  setView(view: View): void {
    this.#camera.look(view);
  }

  svg(): string {
    return toSvg(this.#sheet());
  }

  /** Twice as large as on the screen, smaller where browsers have no canvas of that size (see export.ts). */
  async png(): Promise<Blob> {
    return toPng(this.#sheet(), this.canvas.ownerDocument);
  }

  destroy(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = -1; // no frame is asked for any more
    this.#map.destroy();
    this.#surface.destroy();
    this.#plan = this.#places = this.#spots = this.#motion = null;
  }

  /** All as it will rest: files do not show things on their way. */
  #sheet(): Sheet {
    if (this.#plan === null) throw new Error("Nothing is drawn yet.");
    return { plan: this.#plan, places: restingPlaces(this.#plan), theme: this.#theme, emphasis: this.#emphasis };
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
    this.#spots = null;
    this.#camera.resize(size);
    cancelAnimationFrame(this.#frame);
    this.#draw(performance.now());
  }

  #changed(): void {
    this.#spots = null;
    this.#redraw();
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
    const spots = this.#prepared(plan);
    const { view, canvas } = this.#camera;
    const pixels = view.scale * density;
    const [left, top] = [this.canvas.width / 2 - view.x * pixels, this.canvas.height / 2 - view.y * pixels];
    context.setTransform(pixels, 0, 0, pixels, left, top);
    const area = sightOf(view, canvas);
    const sheet = { plan, places, theme: this.#theme, emphasis: this.#emphasis };
    paintPicture(this.#pen, sheet, area, view.scale, () => spots.paint(context, places.boxes, area, SPOT / view.scale));
    this.#map.paint(area, density);
  }

  #placesAt(now: number, plan: Plan): Places {
    if (this.#motion === null) {
      this.#places ??= restingPlaces(plan);
      return this.#places;
    }
    this.#places = this.#motion.at(now);
    if (this.#motion.isOver(now)) this.#motion = null;
    this.#redraw();
    return this.#places;
  }

  #prepared(plan: Plan): Spots {
    if (this.#spots !== null) return this.#spots;
    this.#spots = new Spots(plan, this.#theme, this.#emphasis);
    this.#map.prepare(plan, this.#spots, this.#options.looks[this.#theme], this.#emphasis, this.#surface.density);
    return this.#spots;
  }
}

/** A toggle or button: a second click on it is another click, not a double click. */
function isPressed(target: Target): boolean {
  return "on" in target && (target.on === "toggle" || target.on === "unroll");
}
