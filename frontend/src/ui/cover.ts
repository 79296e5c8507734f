// What lies over the drawing while there is something to say instead of it: a note of progress, or a plain sentence.

import { make, makeButton } from "./dom.ts";

export class Cover {
  readonly element = make("div", { class: "cover", hidden: true });
  readonly #cancel: () => void;
  #said = false;

  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }

  working(words: string): void {
    const button = makeButton("Cancel layout", this.#cancel, { class: "plain" });
    this.#fill(make("span", { class: "spinner", "aria-hidden": "true" }), make("p", { role: "alert" }, words), button);
  }

  /** Say something that stays until something else is shown. */
  say(sentence: string): void {
    this.#fill(make("p", { role: "alert" }, sentence));
    this.#said = true;
  }

  /** The work is over: its note goes, a sentence stays. */
  idle(): void {
    if (!this.#said) this.clear();
  }

  clear(): void {
    this.#said = false;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  #fill(...content: Node[]): void {
    this.element.replaceChildren(make("div", { class: "note" }, ...content));
    this.element.hidden = false;
  }
}
