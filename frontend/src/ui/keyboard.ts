// The keys of the drawing, and how the notebook around is kept from taking them.

import type { Help } from "./help.ts";
import type { Menu } from "./menu.ts";
import type { SearchBox } from "./search_box.ts";
import type { View } from "./view.ts";

/** What keys open. */
interface Reach {
  readonly search: SearchBox;
  readonly help: Help;
  readonly menu: Menu;
}

/** Listen to the keys of the drawing. */
export function listenToKeys(view: View, reach: Reach): void {
  const press = keysOf(view, reach);
  view.controller.stage.canvas.addEventListener("keydown", (event) => {
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function keysOf({ controller, actions, stepping }: View, reach: Reach): (event: KeyboardEvent) => boolean {
  const { stage } = controller;
  const leave = (): void => {
    if (!actions.escape()) stage.canvas.blur();
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowUp: (event) => actions.move("up", event.shiftKey),
    ArrowDown: (event) => actions.move("down", event.shiftKey),
    ArrowLeft: (event) => (event.altKey ? controller.travel(-1) : actions.move("left", event.shiftKey)),
    ArrowRight: (event) => (event.altKey ? controller.travel(1) : actions.move("right", event.shiftKey)),
    Enter: () => actions.toggleCursor(),
    " ": () => actions.keep(),
    Escape: leave,
    ContextMenu: () => reach.menu.openForSelection(),
    F10: (event) => event.shiftKey && reach.menu.openForSelection(),
    "/": () => reach.search.focus(),
    "?": () => reach.help.toggle(),
    "+": () => stage.zoom(1),
    "=": () => stage.zoom(1),
    "-": () => stage.zoom(-1),
    "0": () => stage.fit(),
    f: () => stage.fit(),
    "[": () => stepping.by(-1),
    "]": () => stepping.by(1),
  };
  return (event) => {
    const withCommand = event.ctrlKey || event.metaKey || (event.altKey && !event.key.startsWith("Arrow"));
    const act = withCommand || controller.drawing === null ? undefined : keys[event.key];
    act?.(event);
    return act !== undefined;
  };
}

/**
 * Keep plain keys that are pressed inside the view from the page around it: JupyterLab's command mode would take them, and
 * "d d" deletes the cell. Keys with Ctrl or Cmd go on (save, undo, the browser's own), and Tab always leaves.
 */
export function keepKeys(host: HTMLElement, root: HTMLElement, signal: AbortSignal): void {
  const isPlain = (event: KeyboardEvent): boolean => !event.ctrlKey && !event.metaKey && event.key !== "Tab";
  for (const kind of ["keydown", "keypress", "keyup"] as const) {
    root.addEventListener(kind, (event) => isPlain(event) && event.stopPropagation(), { signal });
  }
  // Lumino, which JupyterLab is built of, may listen to the document before anyone else (in the capture phase), where only
  // the window comes first; it leaves those alone that carry this attribute.
  const suppress = (event: KeyboardEvent): void => {
    if (event.composedPath().includes(root)) host.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
  };
  window.addEventListener("keydown", suppress, { capture: true, signal });
  signal.addEventListener("abort", () => host.removeAttribute("data-lm-suppress-shortcuts"));
}
