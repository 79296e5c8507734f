// What the Details panel says, as data: `describe*.ts` write it, `details.ts` makes elements of it.

import type { Arrow } from "../scene/types.ts";

/** What the panel can be about. */
export type Subject =
  | { readonly kind: "graph" }
  /**
   * `alike`: the same operation in the other rounds of a repeat, for which its box stands too; `repeat`: the item of that
   * repeat, -1 where the box stands for itself.
   */
  | { readonly kind: "node"; readonly node: number; readonly alike: readonly number[]; readonly repeat: number }
  | { readonly kind: "nodes"; readonly nodes: readonly number[] }
  /** A closed box or an open frame. */
  | { readonly kind: "part"; readonly item: number; readonly open: boolean }
  /** Places in `graph.leaves`. */
  | { readonly kind: "ghost"; readonly leaves: readonly number[] }
  /** A place in `graph.deadEnds`. */
  | { readonly kind: "dead_end"; readonly end: number }
  /** `source` and `target`: the labels of its ends. */
  | { readonly kind: "arrow"; readonly arrow: Arrow; readonly source: string; readonly target: string };

/** Where a link leads: to nodes that are selected and shown, to a part of the fold tree, or to the module of a node. */
export type Goal =
  | { readonly kind: "nodes"; readonly nodes: readonly number[] }
  | { readonly kind: "item"; readonly item: number }
  | { readonly kind: "module"; readonly node: number };

export interface Link {
  readonly text: string;
  readonly detail: string;
  readonly goal: Goal;
}

export type Entry =
  /** `moment`: when it happens in the backward (replay.ts), null where it is no matter of time. */
  | {
      readonly is: "fact";
      readonly name: string;
      readonly value: string;
      readonly goal: Goal | null;
      readonly moment: number | null;
    }
  | { readonly is: "text"; readonly text: string }
  /** Python that can be copied. */
  | { readonly is: "expression"; readonly text: string }
  /** `name`: what the list is called, for those who hear it. `more`: how many were left out. */
  | { readonly is: "links"; readonly name: string; readonly links: readonly Link[]; readonly more: number };

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** A button below the heading; see ways.ts. */
export type Action = "upstream" | "downstream" | "toLoss" | "through" | "pathTo" | "unfold" | "fold" | "rounds";

export interface Heading {
  readonly title: string;
  readonly subtitle: string;
}

export interface Sheet extends Heading {
  readonly actions: readonly Action[];
  readonly sections: readonly Section[];
}

export function fact(name: string, value: string, goal: Goal | null = null, moment: number | null = null): Entry {
  return { is: "fact", name, value, goal, moment };
}

export function text(words: string): Entry {
  return { is: "text", text: words };
}

export function links(name: string, all: readonly Link[], most = 50): Entry {
  return { is: "links", name, links: all.slice(0, most), more: Math.max(0, all.length - most) };
}

/** A section, left out by `filled` where it has no entries. */
export function section(title: string, entries: readonly Entry[]): Section {
  return { title, entries };
}

export function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ entries }) => entries.length > 0);
}
