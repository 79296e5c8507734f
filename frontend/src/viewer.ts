// The viewer: everything around the drawing is put together here, and taken apart again by `destroy`.

import { Stage } from "./draw/stage.ts";
import type { StageEvents } from "./draw/types.ts";
import type { Model, ThemeName } from "./model.ts";
import { replayOf } from "./replay.ts";
import type { Store } from "./state.ts";
import { Actions } from "./ui/actions.ts";
import { Controller } from "./ui/controller.ts";
import { Cover } from "./ui/cover.ts";
import { keepKeys, listenToKeys } from "./ui/keyboard.ts";
import { applyPalette } from "./ui/palette.ts";
import { Panels } from "./ui/panels.ts";
import { probe } from "./ui/probe.ts";
import { Screen } from "./ui/screen.ts";
import { Searching } from "./ui/searching.ts";
import { reasonOf } from "./ui/sentences.ts";
import { makeShell, putSentence, type Shell } from "./ui/shell.ts";
import { Stepping } from "./ui/stepping.ts";
import { decideTheme, surroundings, watchTheme } from "./ui/theme.ts";
import type { View } from "./ui/view.ts";
import { watchVisibility } from "./ui/visibility.ts";

export interface ViewerOptions {
  readonly store: Store;
  /**
   * Whether a wheel without Ctrl zooms: always (a page of its own, where all keys are the view's as well), or only while
   * the view has the focus (a notebook).
   */
  readonly wheel: "always" | "focused";
  /** A length of CSS ("500px", "100%"). */
  readonly height: string;
  /** Names the files that are saved. */
  readonly title?: string;
}

export interface Viewer {
  readonly store: Store;
  /** Frees everything that the viewer holds, and empties the element. */
  destroy(): void;
}

/** Show a model inside an element, in a shadow root. Where that fails half-way, nothing is left of it. */
export function mount(element: HTMLElement, model: Model, options: ViewerOptions): Viewer {
  const ending = new AbortController();
  try {
    assemble(element, model, options, ending.signal);
  } catch (error) {
    ending.abort();
    throw error;
  }
  return {
    store: options.store,
    destroy() {
      ending.abort();
      element.shadowRoot?.replaceChildren();
    },
  };
}

/** Puts it together; all parts end with the signal. */
function assemble(element: HTMLElement, model: Model, options: ViewerOptions, signal: AbortSignal): void {
  const { store, wheel, height, title = "" } = options;
  const ends = (part: { destroy(): void }): void => signal.addEventListener("abort", () => part.destroy());
  const shell = makeShell(element, height);
  const themeNow = (): ThemeName => decideTheme(surroundings(element, store.state.theme));
  const cover = new Cover(() => controller.cancelLayout());
  // The stage is told whom to tell before they exist: it tells nothing until a drawing is shown.
  const stage = new Stage(
    shell.paper,
    { looks: model.looks, theme: themeNow(), wheel },
    eventsFor(() => parts),
  );
  ends(stage);
  const controller = new Controller(model, store, stage, new Screen(model, stage, cover), themeNow());
  ends(controller);
  const say = (sentence: string): void => {
    shell.status.textContent = sentence;
  };
  const actions = new Actions(controller, say);
  const stepping = new Stepping(
    store,
    () => replayOf(model),
    () => panels.update(),
  );
  ends(stepping);
  const view: View = { controller, actions, searching: new Searching(model), stepping, title, say, signal };
  const panels = new Panels(view, shell, cover.element);
  const parts: Parts = { view, panels };
  controller.updated = () => panels.update();

  followTheme(element, shell, view, themeNow);
  watchVisibility(element, (visible) => stepping.setVisible(visible), signal);
  listenToKeys(view, { ...panels.toolbar, menu: panels.menu }, shell.root, wheel === "always");
  keepKeys(element, shell.root, signal);
  panels.update();
  probe(element, controller, signal);
  controller.start();
}

/** Say what went wrong where a view should be: for hosts that could not read what they were given. */
export function showProblem(element: HTMLElement, error: unknown): void {
  putSentence(element, reasonOf(error));
}

interface Parts {
  readonly view: View;
  readonly panels: Panels;
}

function eventsFor(parts: () => Parts): StageEvents {
  const whenShown = (act: (parts: Parts) => void): void => {
    if (parts().view.controller.drawing !== null) act(parts());
  };
  return {
    pick: (target, add) => whenShown(({ view }) => view.actions.pick(target, add)),
    activate: (target) => whenShown(({ view }) => view.actions.activate(target)),
    hover: (target, x, y) => parts().panels.tooltip.hover(target, x, y),
    menu: (target, x, y) => whenShown(({ panels }) => panels.menu.open(target, x, y)),
    moved: () => parts().panels.tooltip.hide(),
  };
}

/** Keep the colors in step with the state and with the page around. */
function followTheme(element: HTMLElement, shell: Shell, view: View, themeNow: () => ThemeName): void {
  const { controller, signal } = view;
  let shown: ThemeName | null = null;
  const follow = (): void => {
    const theme = themeNow();
    if (theme === shown) return; // anything may have changed on the page around
    shown = theme;
    applyPalette(shell.root, controller.model.looks, theme);
    controller.setTheme(theme);
  };
  const unsubscribe = controller.store.subscribe((state, before) => state.theme !== before.theme && follow());
  signal.addEventListener("abort", unsubscribe);
  watchTheme(element, follow, signal);
  follow();
}
