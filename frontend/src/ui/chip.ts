// Says over the drawing what stands out, and ends that.

import type { Highlight } from "../state.ts";
import { make } from "./dom.ts";
import { highlightWords } from "./highlighting.ts";
import { tool } from "./icons.ts";
import type { Panel, View } from "./view.ts";

export class Chip implements Panel {
  readonly element = make("div", { class: "chip", role: "group", "aria-label": "Highlight", hidden: true });
  readonly #view: View;
  readonly #words = make("span", {});
  #shown: Highlight | null = null;

  constructor(view: View) {
    const { controller } = view;
    this.#view = view;
    const clear = (): void => {
      controller.change({ highlight: null });
      controller.stage.canvas.focus({ preventScroll: true }); // the button is gone
    };
    this.element.append(this.#words, tool("Clear highlight", "close", clear, "Clear highlight (Esc)"));
  }

  update(): void {
    const { model, drawing, state } = this.#view.controller;
    const { highlight } = state;
    if (highlight === this.#shown || drawing === null) return;
    this.#shown = highlight;
    const words = highlightWords(model, drawing.scene, state);
    this.element.hidden = words === "";
    this.#words.textContent = words;
    this.#words.title = words;
    this.#view.say(words === "" ? "Nothing is highlighted." : `${words}.`);
  }
}
