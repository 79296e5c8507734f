// Keeps a Store and the traits of a widget's model in step, both ways.
//
// No loops: what came from one side goes to the other only where it differs there (compared as JSON). A burst of changes
// is sent once per frame; Python gets the last of each.

import { differs, type State, Store } from "../state.ts";

/** What is used of anywidget's model: traits by name. */
export interface Traits {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

/** What is picked on the screen (`focus`) is no trait: Python has its nodes, `selected`; nor are hooks between steps. */
const TRAITS: Readonly<Record<Exclude<keyof State, "focus" | "fired">, string>> = {
  selected: "selected",
  folds: "folds",
  colorBy: "color_by",
  highlight: "highlight",
  step: "step",
  query: "query",
  theme: "theme",
};
const KEYS = Object.keys(TRAITS) as (keyof typeof TRAITS)[];

/** A store that begins as the traits are, and follows them as they follow it, until `stop`. */
export function inStep(traits: Traits, nextFrame: (act: () => void) => void): { store: Store; stop: () => void } {
  const store = new Store(read(traits));
  let [waiting, setting] = [false, false];
  const send = (): void => {
    if (!waiting) return; // `stop` was faster than the frame
    waiting = false;
    traits.save_changes();
  };
  const unsubscribe = store.subscribe((state) => {
    const changed = KEYS.filter((key) => differs(traits.get(TRAITS[key]), state[key]));
    setting = true;
    for (const key of changed) traits.set(TRAITS[key], state[key]);
    setting = false;
    if (changed.length === 0 || waiting) return;
    waiting = true;
    nextFrame(send);
  });
  // All at once: one change of Python's may touch several traits, and each of them tells of it. While they are set here,
  // one by one, those to come still have their old values.
  const follow = (): void => {
    if (!setting) store.set(read(traits));
  };
  for (const key of KEYS) traits.on(`change:${TRAITS[key]}`, follow);
  const stop = (): void => {
    unsubscribe();
    for (const key of KEYS) traits.off(`change:${TRAITS[key]}`, follow);
    send();
  };
  return { store, stop };
}

function read(traits: Traits): Partial<State> {
  return Object.fromEntries(KEYS.map((key) => [key, traits.get(TRAITS[key])]));
}
