// Goes through what a search found, one match after the other. The matches themselves are marked by emphasis.

import type { Model } from "../model.ts";
import { search } from "../search.ts";
import { ghostItems } from "./parts.ts";
import type { Goal } from "./sheet.ts";

export class Searching {
  readonly #model: Model;
  #query = "";
  #nodes: readonly number[] = [];
  /** The boxes of parameters that were found, but that the graph does not reach. */
  #items: readonly number[] = [];
  error: string | null = null;
  /** The match that was visited last, -1 before the first. */
  at = -1;

  constructor(model: Model) {
    this.#model = model;
  }

  get found(): number {
    return this.#nodes.length + this.#items.length;
  }

  /** Take over a query; true where it is a new one. */
  update(query: string): boolean {
    if (query === this.#query) return false;
    this.#query = query;
    this.at = -1;
    const { nodes, ghosts, error } = search(this.#model, query);
    this.error = error;
    this.#nodes = nodes;
    this.#items =
      ghosts.length === 0 ? [] : [...new Set(ghosts.flatMap((leaf) => ghostItems(this.#model.tree).get(leaf) ?? []))];
    return true;
  }

  /** The next match (1) or the one before (-1), around the ends; null where nothing was found. */
  next(by: 1 | -1): Goal | null {
    if (this.found === 0) return null;
    this.at = this.at < 0 && by < 0 ? this.found - 1 : (this.at + by + this.found) % this.found;
    const item = this.#items[this.at - this.#nodes.length];
    return item === undefined ? { kind: "nodes", nodes: [this.#nodes[this.at]!] } : { kind: "item", item };
  }
}
