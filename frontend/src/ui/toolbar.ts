// The toolbar: search first, then what is seen and how, then what leaves the view.

import type { ColorBy } from "../state.ts";
import { make, makeButton } from "./dom.ts";
import { Help } from "./help.ts";
import { icon, tool } from "./icons.ts";
import { savePng, saveSvg } from "./saving.ts";
import { SearchBox } from "./search_box.ts";
import type { Panel, View } from "./view.ts";

const COLORS: readonly (readonly [ColorBy, string])[] = [
  ["role", "Color: role"],
  ["module", "Color: module"],
  ["device", "Color: device"],
  ["dtype", "Color: dtype"],
  ["saved", "Color: bytes saved"],
];
/** Of what was watched. */
const GRADIENT = ["gradient", "Color: gradient size"] as const;

export class Toolbar implements Panel {
  readonly element: HTMLElement;
  readonly search: SearchBox;
  /** Opens and closes the Details panel. */
  readonly details = tool("Show details", "details", () => {});
  readonly help: Help;
  readonly #view: View;
  readonly #colors = make("select", { "aria-label": "Color by", title: "Color by" });
  readonly #back: HTMLButtonElement;
  readonly #forward: HTMLButtonElement;
  readonly #step: HTMLButtonElement;

  constructor(view: View) {
    this.#view = view;
    const { controller, actions, stepping } = view;
    const { stage } = controller;
    this.search = new SearchBox(view);
    this.help = new Help((query) => this.#find(query), stage.canvas, view.signal);
    this.#back = tool("Back", "back", () => controller.travel(-1), "Back (Alt+Left)");
    this.#forward = tool("Forward", "forward", () => controller.travel(1), "Forward (Alt+Right)");
    this.#step = tool("Step through backward", "step", () => stepping.toggle());
    const colors = controller.model.backward === null ? COLORS : [...COLORS, GRADIENT];
    this.#colors.append(...colors.map(([value, words]) => make("option", { value }, words)));
    this.#colors.addEventListener("change", () => controller.change({ colorBy: this.#colors.value as ColorBy }));
    this.element = make(
      "div",
      { class: "toolbar", role: "group", "aria-label": "View" },
      this.search.element,
      this.#colors,
      group(this.#back, this.#forward),
      group(
        tool("Fold all", "foldAll", () => actions.foldAll()),
        tool("Unfold all", "unfoldAll", () => actions.unfoldAll()),
      ),
      group(
        tool("Zoom out", "zoomOut", () => stage.zoom(-1), "Zoom out (−)"),
        tool("Fit", "fit", () => stage.fit(), "Fit (f)"),
        tool("Zoom in", "zoomIn", () => stage.zoom(1), "Zoom in (+)"),
      ),
      group(this.#step, this.details),
      group(
        saver("SVG", () => saveSvg(view)),
        saver("PNG", () => savePng(view)),
      ),
      group(this.help.button),
    );
  }

  #find(query: string): void {
    this.#view.controller.change({ query });
    this.search.focus();
  }

  update(): void {
    const { controller } = this.#view;
    this.search.update();
    this.#back.disabled = !controller.canGoBack;
    this.#forward.disabled = !controller.canGoForward;
    this.#step.setAttribute("aria-pressed", String(controller.state.step !== null));
    this.#colors.value = controller.state.colorBy;
  }
}

function group(...buttons: HTMLElement[]): HTMLElement {
  return make("div", { class: "group" }, ...buttons);
}

function saver(format: string, press: () => void): HTMLButtonElement {
  const name = `Save ${format}`;
  const button = makeButton(icon("save"), press, {
    "aria-label": name,
    title: `${name} of what is drawn`,
    class: "tool saver",
  });
  button.append(format);
  return button;
}
