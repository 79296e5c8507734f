// The Details panel: makes elements of a sheet. It opens on a selection; the toolbar opens it for the whole graph.

import type { Viewpoint } from "../draw/viewpoint.ts";
import { differs } from "../state.ts";
import { grouped } from "../wording.ts";
import { copyAloud } from "./copying.ts";
import { describe } from "./describe.ts";
import { type Child, dotted, make, makeButton } from "./dom.ts";
import { tool } from "./icons.ts";
import type { Action, Entry, Link, Section, Sheet, Subject } from "./sheet.ts";
import type { Panel, View } from "./view.ts";
import { WAYS } from "./ways.ts";

const COPIED_FOR = 1500; // ms
const LONG = 100; // letters of a value that are more than about three lines

export class Details implements Panel {
  readonly element = make("aside", { class: "details", role: "region", "aria-label": "Details", hidden: true });
  readonly #view: View;
  /** The toolbar's button for it. */
  readonly #opener: HTMLElement;
  #shown: Subject | null = null;
  #ways: (readonly [Action, HTMLButtonElement])[] = [];
  /** What happens in the backward, and when. */
  #timed: (readonly [number, HTMLElement])[] = [];
  /** Stays open while nothing is selected. */
  #overview = false;
  /** Where the camera was before the panel opened, and after it: if nobody has moved it since, it goes back. */
  #moved: { readonly from: Viewpoint; readonly to: Viewpoint } | null = null;

  constructor(view: View, opener: HTMLElement) {
    this.#view = view;
    this.#opener = opener;
    this.element.tabIndex = -1;
    opener.addEventListener("click", () => this.toggle());
  }

  update(): void {
    const { controller } = this.#view;
    const { subject } = controller;
    if (subject === this.#shown) {
      this.#press();
      this.#keepTime();
    }
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

  /** Open or close; the drawing stays where it is, though its canvas becomes smaller or larger. */
  #open(open: boolean): void {
    if (this.element.hidden === !open) return;
    const { stage } = this.#view.controller;
    const { canvas } = stage;
    const [before, width, height] = [stage.view(), canvas.clientWidth, canvas.clientHeight];
    this.element.hidden = !open;
    this.#opener.setAttribute("aria-pressed", String(open));
    stage.resize();
    const shift = (size: number): number => size / 2 / before.scale; // the middle of the canvas has moved by half of it
    const still = {
      x: before.x - shift(width - canvas.clientWidth),
      y: before.y - shift(height - canvas.clientHeight),
      scale: before.scale,
    };
    const back = differs(before, this.#moved?.to) ? still : this.#moved!.from;
    stage.setView(open ? still : back);
    if (!open) return;
    this.#view.actions.showCursor(); // it may lie under the panel now
    this.#moved = { from: before, to: stage.view() };
  }

  #write(subject: Subject): void {
    const { activeElement } = this.element.getRootNode() as Document | ShadowRoot;
    const focused = this.element.contains(activeElement) ? nameOf(activeElement!) : null;
    const sheet = describe(this.#view.controller.model, subject);
    this.#timed = [];
    const close = tool("Close details", "close", () => this.toggle());
    const [title, subtitle] = [make("h2", { title: sheet.title }, sheet.title), make("p", {}, sheet.subtitle)];
    const head = make("header", {}, make("div", {}, title, subtitle), close);
    this.element.replaceChildren(head, ...this.#actions(sheet), ...sheet.sections.map((one) => this.#section(one)));
    this.element.scrollTop = 0;
    this.#keepTime();
    if (focused !== null) this.#refocus(focused);
  }

  /** The button that had the focus is gone: it goes to the one that took its place, else it stays in the panel. */
  #refocus(name: string): void {
    const alike = [...this.element.querySelectorAll("button")].find((button) => nameOf(button) === name);
    (alike ?? this.element).focus({ preventScroll: true });
  }

  #actions({ actions }: Sheet): HTMLElement[] {
    this.#ways = [];
    if (actions.length === 0) return [];
    const buttons = actions.map((action) => {
      const { name, title, act } = WAYS[action];
      return makeButton(name, () => act(this.#view), { class: "plain", title });
    });
    this.#ways = actions.map((action, place) => [action, buttons[place]!]);
    this.#press();
    return [make("div", { class: "actions", role: "group", "aria-label": "Actions" }, ...buttons)];
  }

  /** Which of the buttons are what stands out now. */
  #press(): void {
    for (const [action, button] of this.#ways) {
      const { highlight } = WAYS[action];
      if (highlight !== undefined) button.ariaPressed = String(this.#view.actions.highlights(highlight));
    }
  }

  /** While the backward is played, what happens now stands out, and what is still to come stands back. */
  #keepTime(): void {
    if (this.#timed.length === 0) return;
    const { stepping, controller } = this.#view;
    const now = controller.state.step === null ? null : stepping.moment;
    for (const [moment, element] of this.#timed) {
      element.classList.toggle("now", moment === now);
      element.classList.toggle("later", now !== null && moment > now);
    }
  }

  #section({ title, entries }: Section): HTMLElement {
    const section = make("section", {}, title === "" ? null : make("h3", {}, title));
    for (const entry of entries) {
      if (entry.is === "fact") {
        const last = section.lastElementChild;
        const facts = last instanceof HTMLDListElement ? last : make("dl");
        const value = make("dd", {}, this.#value(entry));
        if (entry.moment !== null) this.#timed.push([entry.moment, value]);
        facts.append(make("dt", {}, dotted(entry.name)), value);
        section.append(facts);
      } else section.append(this.#other(entry));
    }
    return section;
  }

  #value({ value, goal }: Extract<Entry, { is: "fact" }>): Child {
    if (goal === null) return value.length > LONG ? shortened(value) : value;
    return makeButton(value, () => this.#view.actions.go(goal), { class: "link" });
  }

  #other(entry: Exclude<Entry, { is: "fact" }>): HTMLElement {
    if (entry.is === "text") return make("p", {}, entry.text);
    if (entry.is === "expression") return this.#expression(entry.text);
    const items = entry.links.map((link) => make("li", {}, this.#link(link)));
    if (entry.more > 0) items.push(make("li", { class: "faint" }, `and ${grouped(entry.more)} more`));
    return make("ul", { "aria-label": entry.name }, ...items);
  }

  #link({ text, detail, goal }: Link): HTMLElement {
    const button = makeButton(dotted(text), () => this.#view.actions.go(goal), { class: "link row" });
    if (detail) button.append(" ", make("small", {}, detail));
    return button;
  }

  #expression(python: string): HTMLElement {
    const { signal } = this.#view;
    const button = makeButton("Copy expression", async () => {
      button.textContent = (await copyAloud(python, this.#view)) ? "Copied" : "Not allowed here";
      const timer = setTimeout(() => button.replaceChildren("Copy expression"), COPIED_FOR);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    });
    button.className = "plain";
    return make("div", { class: "expression" }, make("pre", { tabindex: "0" }, make("code", {}, python)), button);
  }
}

/** Two lines of a long text, and a way to the rest. */
function shortened(value: string): HTMLElement {
  const words = make("span", { class: "long" }, value);
  const show = (): void => {
    words.classList.remove("long");
    more.remove();
  };
  const more = makeButton("more", show, { class: "link" });
  return make("div", {}, words, more);
}

function nameOf(button: Element): string {
  return button.ariaLabel ?? button.textContent ?? "";
}
