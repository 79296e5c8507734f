// All panels of a view, put into their places.

import { Chip } from "./chip.ts";
import { Details } from "./details.ts";
import { make } from "./dom.ts";
import { leaveAfterClick } from "./keyboard.ts";
import { Legend } from "./legend.ts";
import { Menu } from "./menu.ts";
import { drawingName, selectionSentence } from "./sentences.ts";
import type { Subject } from "./sheet.ts";
import type { Shell } from "./shell.ts";
import { StepBar } from "./step_bar.ts";
import { Toolbar } from "./toolbar.ts";
import { Tooltip } from "./tooltip.ts";
import type { View } from "./view.ts";

export class Panels {
  readonly toolbar: Toolbar;
  readonly tooltip: Tooltip;
  readonly menu: Menu;
  readonly #view: View;
  readonly #all;
  readonly #chip: Chip;
  #subject: Subject;
  #said = "";

  constructor(view: View, { root, main, paper, status }: Shell, cover: HTMLElement) {
    const { stage } = view.controller;
    const { canvas, minimap } = stage;
    this.#view = view;
    this.#subject = view.controller.subject;
    this.toolbar = new Toolbar(view);
    this.tooltip = new Tooltip(view);
    this.menu = new Menu(view);
    const details = new Details(view, this.toolbar.details);
    const [legend, steps] = [new Legend(view), new StepBar(view)];
    this.#chip = new Chip(view);
    this.#all = [this.toolbar, details, legend, steps];
    for (const { element } of [this.toolbar, legend, steps]) leaveAfterClick(element, canvas);
    stage.cover(legend.element, this.#chip.element);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    const map = make("div", { class: "minimap" }, minimap);
    paper.append(this.#chip.element, legend.element, map, cover, this.tooltip.element, this.menu.element);
    main.append(details.element, this.toolbar.help.element);
    root.prepend(this.toolbar.element);
    root.append(steps.element, status);
  }

  /** Show what the state is now, and say what is selected and what stands out where that is something new. */
  update(): void {
    const { model, drawing, stage } = this.#view.controller;
    for (const panel of this.#all) panel.update();
    const name = drawingName(model, drawing?.scene.boxes.length ?? 0);
    if (stage.canvas.ariaLabel !== name) stage.canvas.ariaLabel = name;
    this.#saySelection();
    this.#chip.update();
  }

  #saySelection(): void {
    const { model, subject } = this.#view.controller;
    if (subject === this.#subject) return;
    this.#subject = subject;
    const sentence = selectionSentence(model, subject);
    if (sentence !== this.#said && sentence !== "") this.#view.say(sentence);
    this.#said = sentence;
  }
}
