// The search: its matches are marked while it is typed, and visited with Enter and Shift+Enter.

import { grouped } from "../wording.ts";
import { make } from "./dom.ts";
import { icon, tool } from "./icons.ts";
import { matchSentence, selectionSentence } from "./sentences.ts";
import type { Panel, View } from "./view.ts";

export class SearchBox implements Panel {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #input = make("input", {
    type: "search",
    "aria-label": "Search",
    placeholder: "Search",
    title: "Search by name, operation, module, shape or property ( / )",
    spellcheck: "false",
    autocomplete: "off",
  });
  readonly #count = make("span", { class: "count", "aria-hidden": "true" });
  readonly #moves: HTMLElement;

  constructor(view: View) {
    this.#view = view;
    const previous = tool("Previous match", "up", () => this.#visit(-1), "Previous match (Shift+Enter)");
    const next = tool("Next match", "down", () => this.#visit(1), "Next match (Enter)");
    this.#moves = make("span", { class: "group", hidden: true }, this.#count, previous, next);
    this.element = make("div", { class: "search" }, icon("search"), this.#input, this.#moves);
    this.#input.addEventListener("input", () => view.controller.change({ query: this.#input.value }));
    this.#input.addEventListener("keydown", (event) => this.#press(event));
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  update(): void {
    const { searching, controller, say } = this.#view;
    const { query } = controller.state;
    const isNew = searching.update(query);
    if (this.#input.value !== query) this.#input.value = query;
    const { at, found, error } = searching;
    this.#moves.hidden = query.trim() === "";
    this.#count.textContent =
      error !== null ? "?" : at < 0 ? grouped(found) : `${grouped(at + 1)} of ${grouped(found)}`;
    this.#count.title = error ?? "";
    this.element.classList.toggle("missed", query.trim() !== "" && found === 0);
    if (isNew) say(error ?? matchSentence(query, found, at));
  }

  #visit(by: 1 | -1): void {
    const { searching, actions, controller, say } = this.#view;
    const goal = searching.next(by);
    if (goal !== null) actions.go(goal);
    this.update();
    const { model, state, subject } = controller;
    const place = matchSentence(state.query, searching.found, searching.at);
    say(goal === null ? (searching.error ?? place) : `${place} ${selectionSentence(model, subject)}`.trim());
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Enter") this.#visit(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      const { controller, actions } = this.#view;
      if (controller.state.query === "") actions.escape();
      else controller.change({ query: "" });
      controller.stage.canvas.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
  }
}
