// The viewer: everything around the drawing is put together here, and taken apart again by `destroy`.

import { Stage } from "./draw/stage.ts";
import type { Target } from "./draw/types.ts";
import type { Model } from "./model.ts";
import type { Store } from "./state.ts";
import { Actions } from "./ui/actions.ts";
import { Controller } from "./ui/controller.ts";
import { Cover } from "./ui/cover.ts";
import detailsStyle from "./ui/details.css";
import { Details } from "./ui/details.ts";
import { make } from "./ui/dom.ts";
import floatsStyle from "./ui/floats.css";
import { keepKeys, keysOf } from "./ui/keyboard.ts";
import { Legend } from "./ui/legend.ts";
import { Menu } from "./ui/menu.ts";
import { applyPalette } from "./ui/palette.ts";
import { probe } from "./ui/probe.ts";
import { Screen } from "./ui/screen.ts";
import { Searching } from "./ui/searching.ts";
import { drawingName, selectionSentence } from "./ui/sentences.ts";
import { StepBar } from "./ui/step_bar.ts";
import { Stepping } from "./ui/stepping.ts";
import style from "./ui/style.css";
import { decideTheme, surroundings, type ThemeName, watchTheme } from "./ui/theme.ts";
import toolbarStyle from "./ui/toolbar.css";
import { Toolbar } from "./ui/toolbar.ts";
import { Tooltip } from "./ui/tooltip.ts";
import type { Panel, View } from "./ui/view.ts";

export interface ViewerOptions {
  readonly store: Store;
  /** Whether a wheel without Ctrl zooms: always (a page of its own), or only while the view has the focus (a notebook). */
  readonly wheel: "always" | "focused";
  /** A length of CSS ("500px", "100%"). */
  readonly height: string;
}

export interface Viewer {
  readonly store: Store;
  /** Frees everything that the viewer holds, and empties the element. */
  destroy(): void;
}

/** Show a model inside an element, in a shadow root. */
export function mount(element: HTMLElement, model: Model, options: ViewerOptions): Viewer {
  const { store } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const shell = makeShell(element, options.height);
  const themeNow = (): ThemeName => decideTheme(surroundings(element, store.state.theme));
  const cover = new Cover(() => controller.cancelLayout());
  const stage = new Stage(
    shell.paper,
    { looks: model.looks, theme: themeNow(), wheel: options.wheel },
    {
      pick: (target, add) => whenShown(() => actions.pick(target, add)),
      activate: (target) => whenShown(() => actions.activate(target)),
      hover: (target, x, y) => tooltip.hover(target, x, y),
      menu: (target, x, y) => whenShown(() => menu.open(target, x, y)),
      moved: () => tooltip.hide(),
    },
  );
  const controller = new Controller(model, store, stage, new Screen(model, stage, cover), themeNow());
  const say = (sentence: string): void => {
    shell.status.textContent = sentence;
  };
  const actions = new Actions(controller, say);
  const stepping = new Stepping(store, model.graph.size, () => update());
  const view: View = { controller, actions, searching: new Searching(model), stepping, say, signal };
  const [tooltip, menu] = [new Tooltip(view), new Menu(view)];
  const toolbar = new Toolbar(view);
  const [details, legend, steps] = [new Details(view, toolbar.details), new Legend(view), new StepBar(view)];
  const panels: readonly Panel[] = [toolbar, details, legend, steps];

  shell.paper.append(
    legend.element,
    make("div", { class: "minimap" }, stage.minimap),
    cover.element,
    tooltip.element,
    menu.element,
  );
  shell.main.append(details.element, toolbar.help.element);
  shell.root.prepend(toolbar.element);
  shell.root.append(steps.element, shell.status);

  let said = controller.subject;
  const update = (): void => {
    for (const panel of panels) panel.update();
    nameDrawing(controller);
    if (controller.subject !== said && controller.subject.kind !== "graph")
      say(selectionSentence(model, controller.subject));
    said = controller.subject;
  };
  const retheme = (): void => {
    applyPalette(shell.root, model.looks, themeNow());
    controller.setTheme(themeNow());
  };
  const whenShown = (act: () => void): void => {
    if (controller.drawing !== null) act();
  };
  controller.updated = update;
  const unsubscribe = store.subscribe((state, before) => state.theme !== before.theme && retheme());
  watchTheme(element, retheme, signal);
  watchVisibility(element, (visible) => stepping.setVisible(visible), signal);
  listenToKeys(element, shell.root, view, {
    search: toolbar.search,
    help: () => toolbar.help.toggle(),
    menu: () => openMenu(view, menu),
  });
  retheme();
  update();
  const unprobe = probe(element, controller);
  void controller.start();

  return {
    store,
    destroy() {
      ending.abort();
      unsubscribe();
      unprobe();
      stepping.destroy();
      controller.destroy();
      stage.destroy();
      element.shadowRoot?.replaceChildren();
    },
  };
}

/** Show a sentence where a view should be: for hosts that could not read what they were given. */
export function showProblem(element: HTMLElement, sentence: string): void {
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.replaceChildren(
    make("p", { role: "alert", style: "padding: 16px; font: 13px system-ui, sans-serif" }, sentence),
  );
}

function makeShell(element: HTMLElement, height: string) {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  const paper = make("div", { class: "paper" });
  const main = make("div", { class: "main" }, paper);
  const root = make("div", { class: "view" }, main);
  root.style.height = height;
  const status = make("div", { class: "heard", role: "status", "aria-live": "polite" });
  shadow.replaceChildren(make("style", {}, style, toolbarStyle, floatsStyle, detailsStyle), root);
  return { root, main, paper, status };
}

function nameDrawing({ model, drawing, stage }: Controller): void {
  const { canvas } = stage;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  const name = drawingName(model, drawing?.scene.boxes.length ?? 0);
  if (canvas.ariaLabel !== name) canvas.ariaLabel = name;
}

function listenToKeys(element: HTMLElement, root: HTMLElement, view: View, reach: Parameters<typeof keysOf>[1]): void {
  const press = keysOf(view, reach);
  view.controller.stage.canvas.addEventListener("keydown", (event) => {
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  keepKeys(element, root, view.signal);
}

/** The menu key opens the menu where the selected box is. */
function openMenu({ controller }: View, menu: Menu): void {
  const { drawing, stage, subject, state } = controller;
  if (drawing === null) return;
  const group = drawing.scene.groups.findIndex(({ item }) => subject.kind === "part" && item === subject.item);
  const box = drawing.scene.boxes.findIndex(({ nodes }) => nodes.some((node) => state.selected[0] === `n${node}`));
  const { left, top, width, height } = stage.canvas.getBoundingClientRect();
  const middle = { x: left + width / 2, y: top + height / 2 };
  const { x, y } = box >= 0 ? stage.screenOf(box) : middle;
  const target: Target | null =
    box >= 0
      ? { kind: "box", index: box, on: "body" }
      : group >= 0
        ? { kind: "group", index: group, on: "title" }
        : null;
  menu.open(target, x, y);
}

function watchVisibility(element: HTMLElement, changed: (visible: boolean) => void, signal: AbortSignal): void {
  let inSight = true;
  const tell = (): void => changed(inSight && !document.hidden);
  const observer = new IntersectionObserver((entries) => {
    inSight = entries.at(-1)!.isIntersecting;
    tell();
  });
  observer.observe(element);
  document.addEventListener("visibilitychange", tell, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
