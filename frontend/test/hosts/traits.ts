// anywidget's model, as far as the viewer uses it.

import type { Traits } from "../../src/hosts/sync.ts";

const FIRST: Readonly<Record<string, unknown>> = {
  selected: ["n1"],
  folds: {},
  color_by: "module",
  highlight: null,
  step: null,
  query: "",
  theme: "dark",
};

/** As anywidget's model: it tells of a change when it is set, whoever sets it. */
export class FakeTraits implements Traits {
  readonly values: Record<string, unknown> = { ...FIRST };
  readonly set_: string[] = [];
  saved = 0;
  readonly listeners = new Map<string, Set<() => void>>();

  get(name: string): unknown {
    return this.values[name];
  }
  set(name: string, value: unknown): void {
    this.set_.push(name);
    this.fromPython(name, value);
  }
  save_changes(): void {
    this.saved++;
  }
  on(event: string, listener: () => void): void {
    const known = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, known.add(listener));
  }
  off(event: string, listener: () => void): void {
    this.listeners.get(event)?.delete(listener);
  }
  fromPython(name: string, value: unknown): void {
    this.values[name] = value;
    for (const listener of this.listeners.get(`change:${name}`) ?? []) listener();
  }
}
