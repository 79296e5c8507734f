// The Details panel: makes elements of a sheet. It opens on a selection; the toolbar opens it for the whole graph.

import { copy } from "./clipboard.ts";
import { describe } from "./describe.ts";
import { type Child, make, makeButton } from "./dom.ts";
import type { Action, Entry, Link, Section, Sheet, Subject } from "./sheet.ts";
import { tool } from "./toolbar.ts";
import type { Panel, View } from "./view.ts";
import { grouped } from "./wording.ts";

const COPIED_FOR = 1500; // ms

export class Details implements Panel {
  readonly element = make("aside", { class: "details", role: "region", "aria-label": "Details", hidden: true });
  readonly #view: View;
  /** The toolbar's button for it. */
  readonly #opener: HTMLElement;
  #shown: Subject | null = null;
  /** Stays open while nothing is selected. */
  #overview = false;

  constructor(view: View, opener: HTMLElement) {
    this.#view = view;
    this.#opener = opener;
    opener.addEventListener("click", () => this.toggle());
  }

  update(): void {
    const { controller } = this.#view;
    const { subject } = controller;
    if (subject === this.#shown || controller.drawing === null) return;
    this.#shown = subject;
    if (subject.kind === "graph") this.#open(this.#overview);
    else this.#open(true);
    if (!this.element.hidden) this.#write(subject);
  }

  /** Open the panel where nothing is selected too: it is about the whole graph then. */
  toggle(): void {
    this.#overview = this.element.hidden === true;
    this.#open(this.#overview);
    if (this.#overview) this.#write(this.#view.controller.subject);
    else this.#view.controller.stage.canvas.focus({ preventScroll: true });
  }

  /** Open or close; the drawing stays where it is, though its canvas becomes smaller or larger, and is in view. */
  #open(open: boolean): void {
    if (this.element.hidden === !open) return;
    const { stage } = this.#view.controller;
    const { canvas } = stage;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    this.element.hidden = !open;
    this.#opener.setAttribute("aria-pressed", String(open));
    stage.pan((width - canvas.clientWidth) / 2, (height - canvas.clientHeight) / 2);
    // The stage learns of its new size before the next frame is painted; what is selected may lie outside it now.
    if (open) requestAnimationFrame(() => requestAnimationFrame(() => this.#view.actions.showCursor()));
  }

  #write(subject: Subject): void {
    const sheet = describe(this.#view.controller.model, subject);
    const close = tool("Close details", "close", () => this.toggle());
    const head = make("header", {}, make("div", {}, make("h2", {}, sheet.title), make("p", {}, sheet.subtitle)), close);
    this.element.replaceChildren(
      head,
      ...this.#actions(sheet, subject),
      ...sheet.sections.map((one) => this.#section(one)),
    );
    this.element.scrollTop = 0;
  }

  #actions({ actions }: Sheet, subject: Subject): HTMLElement[] {
    if (actions.length === 0) return [];
    const buttons = actions.map((action) => {
      const [name, title] = ACTION_WORDS[action];
      return makeButton(name, () => this.#act(action, subject), { class: "plain", title });
    });
    return [make("div", { class: "actions", role: "group", "aria-label": "Actions" }, ...buttons)];
  }

  #act(action: Action, subject: Subject): void {
    const { actions } = this.#view;
    if (action === "upstream" || action === "toLoss") actions.highlight("upstream");
    else if (action === "downstream") actions.highlight("downstream");
    else if (action === "through") actions.highlight("both");
    else if (action === "pathTo") actions.startPath();
    else if (subject.kind === "part") actions.toggle(subject.item);
  }

  #section({ title, entries }: Section): HTMLElement {
    const section = make("section", {}, title === "" ? null : make("h3", {}, title));
    for (const entry of entries) {
      if (entry.is === "fact") {
        const last = section.lastElementChild;
        const facts = last instanceof HTMLDListElement ? last : make("dl");
        facts.append(make("dt", {}, entry.name), make("dd", {}, this.#value(entry)));
        section.append(facts);
      } else section.append(this.#other(entry));
    }
    return section;
  }

  #value({ value, goal }: Extract<Entry, { is: "fact" }>): Child {
    return goal === null ? value : makeButton(value, () => this.#view.actions.go(goal), { class: "link" });
  }

  #other(entry: Exclude<Entry, { is: "fact" }>): HTMLElement {
    if (entry.is === "text") return make("p", {}, entry.text);
    if (entry.is === "expression") return this.#expression(entry.text);
    const items = entry.links.map((link) => make("li", {}, this.#link(link)));
    if (entry.more > 0) items.push(make("li", { class: "faint" }, `and ${grouped(entry.more)} more`));
    return make("ul", { "aria-label": entry.name }, ...items);
  }

  #link({ text, detail, goal }: Link): HTMLElement {
    const button = makeButton(make("span", {}, text), () => this.#view.actions.go(goal), { class: "link row" });
    if (detail) button.append(" ", make("small", {}, detail));
    return button;
  }

  #expression(python: string): HTMLElement {
    const { say, signal } = this.#view;
    const button = makeButton("Copy expression", async () => {
      const done = await copy(python);
      button.textContent = done ? "Copied" : "Not allowed here";
      say(done ? "Copied." : "The browser does not allow to copy here.");
      const timer = setTimeout(() => button.replaceChildren("Copy expression"), COPIED_FOR);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    });
    button.className = "plain";
    return make("div", { class: "expression" }, make("pre", { tabindex: "0" }, make("code", {}, python)), button);
  }
}

const ACTION_WORDS: Readonly<Record<Action, readonly [string, string]>> = {
  upstream: ["Upstream", "Highlight all that its gradient comes through"],
  downstream: ["Downstream", "Highlight all that its gradient reaches"],
  toLoss: ["All paths to the loss", "Highlight every path from the loss to it"],
  through: ["All paths through", "Highlight every path from the loss through it to the leaves"],
  pathTo: ["Path to…", "Highlight the paths to what is picked next"],
  unfold: ["Unfold", "Show what is inside (Enter)"],
  fold: ["Fold", "Show it as one box (Enter)"],
};
