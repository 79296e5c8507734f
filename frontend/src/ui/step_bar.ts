// The bar below the drawing while the backward pass is stepped through, in the order in which the engine runs it.

import { nodesByOrder } from "../graph.ts";
import { make } from "./dom.ts";
import { icon, tool } from "./icons.ts";
import { stepSentence } from "./sentences.ts";
import { paceWords } from "./stepping.ts";
import type { Panel, View } from "./view.ts";

export class StepBar implements Panel {
  readonly element = make("div", { class: "steps", role: "group", "aria-label": "Steps of backward", hidden: true });
  readonly #view: View;
  readonly #slider: HTMLInputElement;
  readonly #said = make("span", { class: "at" });
  readonly #play: HTMLButtonElement;
  #shown: string | null = null;
  #heard: string | null = null;

  constructor(view: View) {
    this.#view = view;
    const { stepping, controller } = view;
    this.#slider = make("input", {
      type: "range",
      min: 0,
      max: controller.model.graph.size,
      value: 0,
      "aria-label": "Step",
    });
    this.#slider.addEventListener("input", () => stepping.to(this.#slider.valueAsNumber));
    this.#play = tool("Play", "play", () => stepping.togglePlay());
    const previous = tool("Previous step", "back", () => stepping.by(-1), "Previous step ([)");
    const next = tool("Next step", "forward", () => stepping.by(1), "Next step (])");
    const close = tool("End stepping", "close", () => stepping.toggle());
    this.element.append(this.#play, previous, next, this.#slider, this.#said, close);
  }

  update(): void {
    const { stepping, controller } = this.#view;
    const { step } = controller.state;
    const shown = `${step} ${stepping.playing}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.hidden = step === null;
    if (step === null) {
      this.#heard = null;
      return;
    }
    const { model } = controller;
    const node = step === 0 ? null : nodesByOrder(model.graph)[step - 1]!;
    const words = stepSentence(model, step, node);
    this.#slider.value = String(step);
    this.#slider.setAttribute("aria-valuetext", words);
    this.#said.textContent = words;
    this.#said.title = words;
    if (words !== this.#heard) this.#view.say(words);
    this.#heard = words;
    const name = stepping.playing ? "Pause" : "Play";
    this.#play.replaceChildren(icon(stepping.playing ? "pause" : "play"));
    this.#play.setAttribute("aria-label", name);
    this.#play.title = `${name} (${paceWords(model.graph.size)})`;
    if (node !== null) this.#view.actions.follow(node);
  }
}
