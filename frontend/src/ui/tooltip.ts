// The tooltip: what lies under a resting mouse, in two or three lines. Not on touch, where nothing hovers.

import type { Target } from "../draw/types.ts";
import { count } from "../wording.ts";
import { make } from "./dom.ts";
import type { View } from "./view.ts";

const REST = 300; // ms
const AWAY = 14; // pixels from the pointer

export class Tooltip {
  readonly element = make("div", { class: "tooltip", hidden: true, "aria-hidden": "true" });
  readonly #view: View;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: View) {
    this.#view = view;
    view.signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  hover(target: Target | null, x: number, y: number): void {
    this.hide();
    if (target === null || !matchMedia("(hover: hover)").matches) return;
    this.#timer = setTimeout(() => this.#show(target, x, y), REST);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }

  #show(target: Target, x: number, y: number): void {
    const [title, ...lines] = this.#lines(target);
    if (!title) return;
    this.element.replaceChildren(make("b", {}, title), ...lines.filter(Boolean).map((line) => make("div", {}, line)));
    this.element.hidden = false;
    placeWithin(this.element, x, y, AWAY);
  }

  #lines(target: Target): string[] {
    const drawing = this.#view.controller.drawing;
    if (drawing === null) return [];
    const { scene, layout } = drawing;
    if (target.kind === "group") {
      const group = scene.groups[target.index]!;
      if (target.on === "toggle") return [`Fold ${group.title}`];
      if (target.on === "unroll") return [group.unrolled ? "Show one round for all" : `Show all ${group.times} rounds`];
      return [group.title, "Double click folds it"];
    }
    if (target.kind === "box") {
      const box = scene.boxes[target.index]!;
      if (target.on === "toggle") return [`Unfold ${box.label}`];
      const flow = box.lines.slice(2).filter((line) => line.startsWith("grad "));
      return [box.label, ...box.lines.slice(0, 2), ...flow, box.badges.join(" · ")];
    }
    const arrow = scene.arrows[target.kind === "arrow" ? target.index : layout.stubs[target.index]!.arrow]!;
    const ends = `${scene.boxes[arrow.source]!.label} → ${scene.boxes[arrow.target]!.label}`;
    const click = target.kind === "stub" ? "Click goes to the other end" : "";
    return [
      ends,
      [arrow.label, arrow.edges > 0 ? count(arrow.edges, "edge") : "no gradient"].filter(Boolean).join(" · "),
      click,
    ];
  }
}

/** Puts an element of the view beside a point of the window, on the side where there is room for it. */
export function placeWithin(element: HTMLElement, x: number, y: number, away: number): void {
  const around = (element.offsetParent ?? element).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const [left, top] = [x - around.left, y - around.top];
  const fits = (from: number, size: number, room: number): number => {
    const after = from + away + size <= room ? from + away : from - away - size;
    return Math.max(4, Math.min(after, room - size - 4));
  };
  element.style.left = `${fits(left, width, around.width)}px`;
  element.style.top = `${fits(top, height, around.height)}px`;
}
