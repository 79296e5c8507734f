// The legend: the roles on the screen, or what the colours mean now; and what is no box, in words.

import { colorLegend } from "../emphasis.ts";
import type { Role, ThemeName } from "../model.ts";
import type { Scene } from "../scene/types.ts";
import type { ColorBy } from "../state.ts";
import { make, makeButton } from "./dom.ts";
import { swatch } from "./swatch.ts";
import type { Panel, View } from "./view.ts";

/** The size from which on the legend is open at first: in less room it would hide what it explains. */
const ROOMY = { width: 820, height: 540 } as const;

export class Legend implements Panel {
  readonly element = make("div", { class: "legend", role: "region", "aria-label": "Legend", hidden: true });
  readonly #view: View;
  readonly #list = make("ul", {});
  readonly #button: HTMLButtonElement;
  /** What its rows follow from. */
  #shown: { readonly scene: Scene; readonly theme: ThemeName; readonly colorBy: ColorBy } | null = null;

  constructor(view: View) {
    this.#view = view;
    this.#button = makeButton("Legend", () => this.#open(this.#list.hidden === true), { "aria-expanded": "true" });
    this.element.append(this.#list, this.#button);
  }

  update(): void {
    const { drawing, state, theme, stage } = this.#view.controller;
    if (drawing === null) return;
    const { scene } = drawing;
    const { colorBy } = state;
    const before = this.#shown;
    if (before?.scene === scene && before.theme === theme && before.colorBy === colorBy) return;
    if (before === null)
      this.#open(stage.canvas.clientWidth >= ROOMY.width && stage.canvas.clientHeight >= ROOMY.height);
    this.#shown = { scene, theme, colorBy };
    const rows = colorBy === "role" ? this.#roles(scene) : this.#colors(scene);
    const words = wordRows(scene);
    const explained = words.map(([sample, kind, explanation]) =>
      make("li", {}, make("span", { class: `sample ${kind}` }, sample), explanation),
    );
    this.#list.replaceChildren(...rows.map(([name, picture]) => make("li", {}, picture(), name)), ...explained);
    this.element.hidden = rows.length === 0;
  }

  #open(open: boolean): void {
    this.#list.hidden = !open;
    this.#button.setAttribute("aria-expanded", String(open));
  }

  #roles(scene: Scene): [string, () => HTMLElement][] {
    const { model, theme } = this.#view.controller;
    const present = new Set(scene.boxes.map((box) => box.role));
    return (Object.keys(model.looks.roles) as Role[])
      .filter((role) => present.has(role))
      .map((role) => {
        const { name, shape, line, ...paints } = model.looks.roles[role];
        return [name, () => swatch(shape, line, paints[theme])];
      });
  }

  #colors(scene: Scene): [string, () => HTMLElement][] {
    const { model, theme, state } = this.#view.controller;
    const rows = colorLegend(model, scene, state.colorBy, theme);
    return rows.map(({ label, paint }) => [label, () => swatch("round", "solid", paint)]);
  }
}

/** Sample, its class, and what it means: only of what occurs. */
function wordRows(scene: Scene): (readonly [string, string, string])[] {
  const badge = (part: string): boolean => scene.boxes.some((box) => box.badges.some((one) => one.includes(part)));
  const rows: (readonly [boolean, string, string, string])[] = [
    [badge("hook"), "hook", "hook", "your code runs on this gradient"],
    [badge("dead end"), "dead end", "end", "arguments without gradient"],
    [scene.arrows.some((arrow) => arrow.label.includes("×")), "×2", "faint", "edges drawn as one arrow"],
    [scene.arrows.some((arrow) => arrow.again), "⇢", "accent", "to the next round of a repeat"],
  ];
  return rows.filter(([occurs]) => occurs).map(([, ...row]) => row);
}
