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

/** The searches that find the boxes of a role. */
const FOUND: Partial<Readonly<Record<Role, string>>> = {
  view: "view",
  in_place: "in-place",
  custom: "custom",
  checkpoint: "checkpoint",
  compiled: "compiled",
  remote: "remote",
  parameter: "parameter",
  frozen: "frozen",
  unreached: "unreached",
  dead_end: "dead-end",
};

/** Name, picture, and the search that finds it. */
type Row = readonly [string, () => HTMLElement, (string | undefined)?];

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
    const explained = wordRows(scene).map(([sample, kind, explanation, query]) =>
      this.#row(make("span", { class: `sample ${kind}` }, sample), explanation, query),
    );
    const named = rows.map(([name, picture, query]) => {
      return this.#row(picture(), make("span", { class: "name", title: name }, name), query);
    });
    this.#list.replaceChildren(...named, ...explained);
    this.element.hidden = rows.length === 0;
  }

  /** A row; where a search finds what it explains, it is a button for that. */
  #row(sample: HTMLElement, words: HTMLElement | string, query: string | undefined): HTMLElement {
    if (query === undefined) return make("li", {}, sample, words);
    const find = (): void => this.#view.controller.change({ query });
    const button = makeButton(sample, find, { class: "find", title: `Search for ${query}` });
    button.append(words);
    return make("li", {}, button);
  }

  #open(open: boolean): void {
    this.#list.hidden = !open;
    this.#button.setAttribute("aria-expanded", String(open));
  }

  #roles(scene: Scene): Row[] {
    const { model, theme } = this.#view.controller;
    const present = new Set(scene.boxes.map((box) => box.role));
    return (Object.keys(model.looks.roles) as Role[])
      .filter((role) => present.has(role))
      .map((role) => {
        const { name, shape, line, ...paints } = model.looks.roles[role];
        return [name, () => swatch(shape, line, paints[theme]), FOUND[role]];
      });
  }

  #colors(scene: Scene): Row[] {
    const { model, theme, state } = this.#view.controller;
    const rows = colorLegend(model, scene, state.colorBy, theme);
    return rows.map(({ label, paint }) => [label, () => swatch("round", "solid", paint)]);
  }
}

/** Sample, its class, what it means, and the search that finds it: only of what occurs. */
function wordRows(scene: Scene): (readonly [string, string, string, string?])[] {
  const badge = (part: string): boolean => scene.boxes.some((box) => box.badges.some((one) => one.includes(part)));
  const rows: (readonly [boolean, string, string, string, string?])[] = [
    [badge("hook"), "hook", "hook", "your code runs on this gradient", "hook"],
    [badge("dead end"), "dead end", "end", "arguments without gradient", "dead-end"],
    [scene.arrows.some((arrow) => arrow.label.includes("×")), "×2", "faint", "edges drawn as one arrow"],
    [scene.arrows.some((arrow) => arrow.again), "⇢", "accent", "to the next round of a repeat"],
  ];
  return rows.filter(([occurs]) => occurs).map(([, ...row]) => row);
}
