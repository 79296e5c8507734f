// The keys of the view, and how the notebook around is kept from taking them.

import { Diving } from "./diving.ts";
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

/**
 * Listen to the keys: inside the view, and with `everywhere` (a page of its own) wherever on the page they are typed. A
 * control that has the focus keeps the keys that it is worked with.
 */
export function listenToKeys(view: View, reach: Reach, root: HTMLElement, everywhere: boolean): void {
  const press = keysOf(view, reach);
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || belongsToControl(event) || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("keydown", listen);
  // Those of the view do not come that far (see `keepKeys`).
  if (everywhere) document.addEventListener("keydown", listen, { signal: view.signal });
}

/** After a click on one of its buttons the keys are the drawing's again. Who came there by Tab stays there. */
export function leaveAfterClick(element: HTMLElement, canvas: HTMLElement): void {
  element.addEventListener("click", (event) => {
    const { activeElement } = element.getRootNode() as Document | ShadowRoot;
    const stays = activeElement !== null && !(activeElement instanceof HTMLButtonElement); // it opened something else
    const byMouse = event.detail > 0;
    if (byMouse && !stays && event.composedPath().some(isButton)) canvas.focus({ preventScroll: true });
  });
}

const isButton = (target: EventTarget): boolean => target instanceof HTMLButtonElement;

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

function belongsToControl(event: KeyboardEvent): boolean {
  const control = event.composedPath()[0];
  if (!(control instanceof HTMLElement)) return false;
  const kind = control instanceof HTMLInputElement ? control.type : control.localName;
  if (["search", "text", "textarea"].includes(kind) || control.isContentEditable) return true;
  const presses = [" ", "Enter"].includes(event.key);
  const moves = ARROWS.includes(event.key);
  if (kind === "select" || kind === "range") return presses || (moves && !event.altKey);
  return kind === "button" ? presses : kind === "pre" && moves;
}

function keysOf(view: View, reach: Reach): (event: KeyboardEvent) => boolean {
  const { controller, actions, stepping } = view;
  const { stage } = controller;
  const diving = new Diving(controller, actions, view.say);
  const leave = (): void => {
    if (!actions.escape()) stage.canvas.blur();
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowUp: (event) => actions.move("up", event.shiftKey),
    ArrowDown: (event) => actions.move("down", event.shiftKey),
    ArrowLeft: (event) => (event.altKey ? controller.travel(-1) : actions.move("left", event.shiftKey)),
    ArrowRight: (event) => (event.altKey ? controller.travel(1) : actions.move("right", event.shiftKey)),
    Enter: (event) => (event.shiftKey ? diving.foldAround() : diving.enter()),
    r: () => diving.turnRounds(),
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
    p: () => stepping.togglePlay(),
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
