// The help: keys, and the properties that a search understands.

import { PROPERTIES } from "../search.ts";
import { type Child, make, makeButton } from "./dom.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓", "to the upstream or downstream neighbor"],
  ["← →", "to the next box of the row"],
  ["Enter", "unfold, and go inside"],
  ["Shift+Enter", "fold what is around"],
  ["r", "all rounds of a repeat, or one for all"],
  ["Space", "keep selected, then select more"],
  ["/", "search; Enter and Shift+Enter visit the matches"],
  ["f, +, −, 0", "fit, zoom in, zoom out, fit"],
  ["[ ] p", "step back and forth through backward; play or pause"],
  ["Alt+← Alt+→", "back and forward through views"],
  ["Esc", "clear the highlight, then the selection, then leave"],
  ["Tab", "leaves the drawing"],
];
const MOUSE: readonly (readonly [string, string])[] = [
  ["Click", "everything known about a box, frame title or arrow"],
  ["Double click, + or −", "unfold or fold"],
  ["Shift+click", "select more"],
  ["Right click", "more to do with it"],
  ["Drag, wheel", "move and zoom; in a notebook click first, or hold Ctrl"],
];

export class Help {
  readonly button: HTMLButtonElement;
  readonly #canvas: HTMLElement;
  readonly element = make("div", { class: "help", role: "dialog", "aria-label": "Keys and search", hidden: true });

  /** `use` puts an example into the search. */
  constructor(use: (example: string) => void, canvas: HTMLElement, signal: AbortSignal) {
    this.#canvas = canvas;
    this.button = makeButton("?", () => this.toggle(), {
      "aria-label": "Help",
      title: "Help (?)",
      class: "tool",
      "aria-expanded": "false",
    });
    this.element.append(
      make("div", {}, table("Keys", KEYS), table("Mouse", MOUSE)),
      table(
        "Search",
        PROPERTIES.map(([example, meaning]) => [this.#example(example, use), meaning] as const),
      ),
    );
    this.element.tabIndex = -1;
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "?") return;
      event.preventDefault();
      this.toggle(false);
    });
    const away = (event: Event): void => {
      const path = event.composedPath();
      if (!this.element.hidden && !path.includes(this.element) && !path.includes(this.button)) this.toggle(false);
    };
    document.addEventListener("pointerdown", away, { signal });
  }

  toggle(shows = this.element.hidden): void {
    this.element.hidden = !shows;
    this.button.setAttribute("aria-expanded", String(shows));
    (shows ? this.element : this.#canvas).focus({ preventScroll: true });
  }

  #example(example: string, use: (example: string) => void): HTMLElement {
    const press = (): void => {
      this.toggle(false);
      use(example);
    };
    return makeButton(example, press, { class: "link" });
  }
}

function table(title: string, rows: readonly (readonly [Child, string])[]): HTMLElement {
  const list = make("dl", {}, ...rows.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, words)]));
  return make("section", {}, make("h3", {}, title), list);
}
