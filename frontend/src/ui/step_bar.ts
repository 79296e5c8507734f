// The bar below the drawing while the backward is played: of a watched graph as it really ran, with its hooks, of any
// other in the order in which the engine will run it.

import { nodeAt } from "../replay.ts";
import { make } from "./dom.ts";
import { icon, tool } from "./icons.ts";
import { momentSentence } from "./replay_words.ts";
import { paceWords, SPEEDS } from "./stepping.ts";
import type { Panel, View } from "./view.ts";

export class StepBar implements Panel {
  readonly element = make("div", { class: "steps", role: "group", "aria-label": "Steps of backward", hidden: true });
  readonly #view: View;
  readonly #slider: HTMLInputElement;
  readonly #said = make("span", { class: "at" });
  readonly #play: HTMLButtonElement;
  readonly #speed = make("select", { "aria-label": "Speed", title: "Speed" });
  #shown: string | null = null;
  #heard: string | null = null;

  constructor(view: View) {
    this.#view = view;
    const { stepping } = view;
    this.#slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "Step" });
    this.#slider.addEventListener("input", () => stepping.to(this.#slider.valueAsNumber));
    this.#play = tool("Play", "play", () => stepping.togglePlay());
    const previous = tool("Previous step", "back", () => stepping.by(-1), "Previous step ([)");
    const next = tool("Next step", "forward", () => stepping.by(1), "Next step (])");
    this.#speed.append(...SPEEDS.map((speed) => make("option", { value: speed }, `${fraction(speed)}×`)));
    this.#speed.addEventListener("change", () => {
      stepping.speed = Number(this.#speed.value);
    });
    const close = tool("End stepping", "close", () => stepping.toggle());
    this.element.append(this.#play, previous, next, this.#slider, this.#said, this.#speed, close);
  }

  update(): void {
    const { stepping, controller } = this.#view;
    const { step, fired } = controller.state;
    const shown = `${step} ${fired} ${stepping.playing} ${stepping.speed}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.hidden = step === null;
    if (step === null) {
      this.#heard = null;
      return;
    }
    const { replay, moment } = stepping;
    const { words, hook } = momentSentence(controller.model, moment);
    this.#slider.max = String(replay.last);
    this.#slider.value = String(moment);
    this.#slider.setAttribute("aria-valuetext", words);
    this.#said.textContent = words;
    this.#said.title = words;
    this.#said.classList.toggle("fires", hook);
    this.#pace();
    if (words === this.#heard) return;
    this.#view.say(words);
    this.#heard = words;
    const node = moment === 0 ? null : nodeAt(replay, moment);
    if (node !== null) this.#view.actions.follow(node);
  }

  #pace(): void {
    const { playing, speed, replay } = this.#view.stepping;
    const name = playing ? "Pause" : "Play";
    this.#play.replaceChildren(icon(playing ? "pause" : "play"));
    this.#play.setAttribute("aria-label", name);
    this.#play.title = `${name} (p): ${paceWords(replay.last, speed)}`;
    this.#speed.value = String(speed);
  }
}

/** "⅛", "½", "2". */
function fraction(speed: number): string {
  return { 0.125: "⅛", 0.25: "¼", 0.5: "½" }[speed] ?? String(speed);
}
