// Goes through what a search found, one match after the other. The matches themselves are marked by emphasis.

import type { Model } from "../model.ts";
import { search } from "../search.ts";
import type { Goal } from "./sheet.ts";

export class Searching {
  readonly #model: Model;
  #query = "";
  #goals: readonly Goal[] = [];
  error: string | null = null;
  /** The match that was visited last, -1 before the first. */
  at = -1;

  constructor(model: Model) {
    this.#model = model;
  }

  get found(): number {
    return this.#goals.length;
  }

  /** Take over a query; true where it is a new one. */
  update(query: string): boolean {
    if (query === this.#query) return false;
    this.#query = query;
    this.at = -1;
    const { nodes, ghosts, error } =
      query.trim() === "" ? { nodes: [], ghosts: [], error: null } : search(this.#model, query);
    this.error = error;
    const shown = new Set(ghosts.map((leaf) => this.#itemOf(leaf)));
    shown.delete(-1);
    const items = [...shown].map((item): Goal => ({ kind: "item", item }));
    this.#goals = [...nodes.map((node): Goal => ({ kind: "nodes", nodes: [node] })), ...items];
    return true;
  }

  /** The next match (1) or the one before (-1), around the ends; null where nothing was found. */
  next(by: 1 | -1): Goal | null {
    if (this.found === 0) return null;
    this.at = this.at < 0 && by < 0 ? this.found - 1 : (this.at + by + this.found) % this.found;
    return this.#goals[this.at]!;
  }

  #itemOf(leaf: number): number {
    const { kind, members } = this.#model.tree;
    return kind.findIndex((one, item) => one === "ghost" && members[item]!.includes(leaf));
  }
}
