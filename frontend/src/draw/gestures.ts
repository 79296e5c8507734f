// Mouse, touch and wheel on the canvas, in words of the camera: pan, zoom, click, double click, menu.
//
// A notebook around the view keeps what is its own: a plain wheel and one finger scroll the page until the canvas has the
// focus (unless `wheel` is "always"); Ctrl with the wheel, a pinch and two fingers always belong to the view.

import type { Point } from "./viewpoint.ts";

const CLICK = 4; // pixels that a pointer may move during a click
const AGAIN = 350; // milliseconds between the clicks of a double click
const LONG = 550; // milliseconds of a long press
const WHEEL = { plain: 0.0015, pinch: 0.01, most: 240, pinchMost: 40 } as const;
const LINE = 16; // pixels of a line, for wheels that count in them

/** What gestures do. Points are CSS pixels of the canvas. */
export interface Hands {
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** `count` is 2 for the second click of a double click. */
  click(at: Point, add: boolean, count: number): void;
  /** True over something that can be clicked. */
  hover(at: Point | null): boolean;
  menu(at: Point): void;
}

interface Finger {
  x: number;
  y: number;
}

export class Gestures {
  readonly #canvas: HTMLCanvasElement;
  readonly #hands: Hands;
  readonly #always: boolean;
  readonly #fingers = new Map<number, Finger>();
  #start: Point = { x: 0, y: 0 };
  /** Still a click, or a press: not moved, one finger. */
  #still = false;
  #press: ReturnType<typeof setTimeout> | undefined;
  #last: { at: Point; time: number } | null = null;

  constructor(canvas: HTMLCanvasElement, wheel: "always" | "focused", hands: Hands, signal: AbortSignal) {
    this.#canvas = canvas;
    this.#hands = hands;
    this.#always = wheel === "always";
    this.#chooseTouch(false);
    const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void): void => {
      canvas.addEventListener(name, act, { signal, passive: false });
    };
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => this.#cancel(event));
    on("pointerleave", () => hands.hover(null));
    on("contextmenu", (event) => this.#contextMenu(event));
    on("wheel", (event) => this.#wheel(event));
    on("focus", () => this.#chooseTouch(true));
    on("blur", () => this.#chooseTouch(false));
    // Two fingers belong to the view even where one scrolls the page.
    const keepTwo = (event: TouchEvent): void => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    };
    on("touchstart", keepTwo);
    on("touchmove", keepTwo);
    signal.addEventListener("abort", () => clearTimeout(this.#press));
  }

  #chooseTouch(focused: boolean): void {
    this.#canvas.style.touchAction = this.#always || focused ? "none" : "pan-x pan-y";
  }

  #pointOf(event: MouseEvent): Point {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button > 1) return;
    const at = this.#pointOf(event);
    this.#canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { ...at });
    this.#still = this.#fingers.size === 1 && event.button === 0;
    this.#start = at;
    clearTimeout(this.#press);
    if (this.#still && event.pointerType === "touch") {
      this.#press = setTimeout(() => {
        this.#still = false;
        this.#hands.menu(at);
      }, LONG);
    }
  }

  #move(event: PointerEvent): void {
    const at = this.#pointOf(event);
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) {
      if (event.pointerType !== "touch") this.#canvas.style.cursor = this.#hands.hover(at) ? "pointer" : "";
      return;
    }
    if (this.#still && Math.hypot(at.x - this.#start.x, at.y - this.#start.y) <= CLICK) return;
    this.#end();
    const other = [...this.#fingers.values()].find((each) => each !== finger);
    if (other) this.#pinch(finger, at, other);
    else this.#hands.pan(at.x - finger.x, at.y - finger.y);
    [finger.x, finger.y] = [at.x, at.y];
    this.#canvas.style.cursor = "grabbing";
  }

  /** It is no click and no press any more. */
  #end(): void {
    if (this.#still) this.#hands.hover(null);
    this.#still = false;
    clearTimeout(this.#press);
  }

  /** One of two fingers moved: their middle pans, their distance zooms. */
  #pinch(before: Point, after: Point, other: Point): void {
    this.#hands.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
    const distance = Math.hypot(before.x - other.x, before.y - other.y);
    const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 };
    if (distance > 1) this.#hands.zoom(Math.hypot(after.x - other.x, after.y - other.y) / distance, middle);
  }

  #up(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) return;
    this.#canvas.style.cursor = "";
    if (this.#still) {
      this.#still = false;
      const at = this.#pointOf(event);
      const { timeStamp: time } = event;
      const again = this.#last !== null && time - this.#last.time < AGAIN && distance(at, this.#last.at) < 2 * CLICK;
      this.#last = again ? null : { at, time };
      this.#hands.click(at, event.shiftKey || event.ctrlKey || event.metaKey, again ? 2 : 1);
    }
    this.#end();
  }

  #cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#canvas.style.cursor = "";
    this.#end();
  }

  #contextMenu(event: MouseEvent): void {
    event.preventDefault();
    // Where a finger brings it, the long press has come or will come by itself.
    if ((event as PointerEvent).pointerType === "touch") return;
    this.#end(); // on a Mac, Ctrl and a click bring it while the button is down: that is no click as well
    this.#hands.menu(this.#pointOf(event));
  }

  #wheel(event: WheelEvent): void {
    const pinch = event.ctrlKey || event.metaKey;
    if (!pinch && !this.#always && !this.#focused()) return;
    event.preventDefault();
    const unit = [1, LINE, this.#canvas.clientHeight][event.deltaMode] ?? 1;
    const most = pinch ? WHEEL.pinchMost : WHEEL.most;
    const delta = Math.min(most, Math.max(-most, event.deltaY * unit));
    this.#hands.zoom(Math.exp(-delta * (pinch ? WHEEL.pinch : WHEEL.plain)), this.#pointOf(event));
  }

  #focused(): boolean {
    return (this.#canvas.getRootNode() as Document | ShadowRoot).activeElement === this.#canvas;
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
