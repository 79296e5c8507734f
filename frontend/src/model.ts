// What the viewer knows: a Graph with its fold tree, as `payload.ts` reads them. Plain data, the same that Python has.
//
// Nodes, edges, items and leaves are numbers here (places in these arrays). A node's id is "n" and its number. Every
// text has already been made visible by Python (no control characters, no change of reading direction); it is still
// user's text: it goes on a page by textContent and fillText only.

import type { Backward } from "./model/backward.ts";
import type { Hook } from "./model/hook.ts";

export type { Hook } from "./model/hook.ts";

/** Shape ("(64, 32)", "" where it is not known), dtype, device and layout (null: strided or not known). */
export interface Meta {
  readonly shape: string;
  readonly dtype: string;
  readonly device: string;
  readonly layout: string | null;
}

export interface Argument {
  readonly name: string;
  readonly formula: string;
}

/** A saved tensor; equal `storage` is the same memory. States: held, hooked, freed, stale, absent, unknown. */
export interface Saved {
  readonly name: string;
  readonly meta: Meta | null;
  readonly bytes: number | null;
  readonly storage: number | null;
  readonly state: string;
  readonly hook: string | null;
}

export interface DeadEnd {
  readonly source: number;
  readonly slot: number;
  readonly name: string | null;
  readonly tensor: string | null;
  readonly why: string | null;
}

/** A leaf; `node` is null where the graph does not reach it. */
export interface Leaf {
  readonly name: string | null;
  readonly aliases: readonly string[];
  readonly parameter: boolean;
  readonly meta: Meta;
  readonly isLeaf: boolean;
  readonly requiresGrad: boolean;
  readonly retainsGrad: boolean;
  readonly grad: Meta | null;
  readonly version: number | null;
  readonly node: number | null;
  readonly hooks: readonly Hook[];
}

/** A traced output: `before`root`after` is the Python that reaches it. */
export interface Root {
  readonly before: string;
  readonly after: string;
  readonly kind: "tensor" | "leaf" | "edge" | "node";
  readonly node: number;
  readonly slot: number;
  readonly meta: Meta | null;
}

/** The nodes, a column for each fact, and the edges, ordered by source and then by slot. */
export interface Graph {
  readonly title: string;
  readonly notes: readonly string[];
  readonly size: number;
  readonly op: readonly string[];
  readonly kind: readonly string[];
  readonly module: readonly (string | null)[];
  readonly inferred: readonly boolean[];
  readonly where: readonly (string | null)[];
  /** The function in which that line stands. */
  readonly function: readonly (string | null)[];
  readonly args: readonly (readonly Argument[])[];
  readonly slots: readonly (readonly Meta[])[];
  readonly saved: readonly (readonly Saved[])[];
  readonly hooks: readonly (readonly Hook[])[];
  /** When the engine runs each node, 0 first. */
  readonly order: Int32Array;
  readonly source: Int32Array;
  readonly sourceSlot: Int32Array;
  readonly target: Int32Array;
  readonly targetSlot: Int32Array;
  readonly edgeName: readonly (string | null)[];
  readonly deadEnds: readonly DeadEnd[];
  readonly leaves: readonly Leaf[];
  readonly roots: readonly Root[];
  /** Class name by module path, the model itself at "". */
  readonly modules: ReadonlyMap<string, string>;
  /** Hooks of modules. */
  readonly moduleHooks: readonly Hook[];
}

export type ItemKind = "operation" | "chain" | "module" | "repeat" | "section" | "leaf" | "dead_end" | "ghost";

export type Role =
  | "root"
  | "op"
  | "view"
  | "in_place"
  | "custom"
  | "checkpoint"
  | "compiled"
  | "remote"
  | "parameter"
  | "input"
  | "frozen"
  | "unreached"
  | "dead_end"
  | "module"
  | "repeat"
  | "section";

/**
 * The fold tree: everything that can be drawn as one box, a column for each fact, parents before children, the children
 * of one parent in drawing order. Item 0 is the whole graph.
 *
 * Children of an operation are its leaf boxes and dead ends, in the order of its slots. A *repeat* has children twice:
 * those of its drawn round (`round` 0), which stand for all rounds, and its single rounds (`round` 1, 2, …), shown
 * instead where it is unrolled.
 */
export interface Tree {
  readonly size: number;
  readonly parent: Int32Array;
  readonly kind: readonly ItemKind[];
  /** Unique among the items that can be on the screen together, and equal for equal graphs. */
  readonly key: readonly string[];
  /** The positions of the tape that an item reaches over; a repeat's over all its rounds. Empty for leaf boxes and below. */
  readonly start: Int32Array;
  readonly stop: Int32Array;
  /** Rounds of a repeat, else 1. */
  readonly times: Int32Array;
  readonly round: Int32Array;
  /** Whether it is open at first sight. */
  readonly open: readonly boolean[];
  /** The label while it is one box. */
  readonly role: readonly Role[];
  readonly label: readonly string[];
  readonly lines: readonly (readonly string[])[];
  readonly badges: readonly (readonly string[])[];
  /** The title of its frame while it is open, "" where it cannot be opened. */
  readonly frame: readonly string[];
  /** Leaf boxes: their nodes. Ghosts: places in `graph.leaves`. Dead ends: places in `graph.deadEnds`. Else empty. */
  readonly members: readonly (readonly number[])[];
}

export interface Paint {
  readonly fill: string;
  readonly line: string;
  readonly text: string;
}

export type Shape = "round" | "box" | "hexagon" | "component" | "cylinder" | "note" | "cut" | "tab" | "folder";
export type Line = "solid" | "dashed" | "dotted" | "bold" | "double";

/** How a role looks, in words for the legend, by shape and line, and in both themes. */
export interface Look {
  readonly name: string;
  readonly shape: Shape;
  readonly line: Line;
  readonly light: Paint;
  readonly dark: Paint;
}

export interface Theme {
  readonly paper: string;
  readonly text: string;
  readonly faint: string;
  readonly arrow: string;
  readonly accent: string;
  readonly hook: Paint;
  readonly badge: Paint;
  readonly frames: readonly [string, string];
  readonly frameLine: string;
}

export type ThemeName = "light" | "dark";

export interface Looks {
  readonly roles: Readonly<Record<Role, Look>>;
  readonly light: Theme;
  readonly dark: Theme;
  /** How badges that name a role end, in the singular ("dead end"), and that role. */
  readonly badges: readonly (readonly [string, Role])[];
  /** Of a watched graph: what its badges warn of. */
  readonly signals: Signals | null;
}

export type Signal = "zero" | "nonfinite" | "missing";

/** How badges that warn of gradients end, in the singular ("zero grad"), and the colours of each warning. */
export interface Signals {
  readonly words: readonly (readonly [string, Signal])[];
  readonly light: Readonly<Record<Signal, Paint>>;
  readonly dark: Readonly<Record<Signal, Paint>>;
}

export interface Model {
  readonly graph: Graph;
  readonly tree: Tree;
  /** The node at each position of the tape: operations in an order in which backward may run them. */
  readonly tape: Int32Array;
  readonly looks: Looks;
  /** The graph is small: nothing was folded, and dead ends get boxes. */
  readonly inFull: boolean;
  /** What a watch recorded of the backward; null of a graph that was only traced. */
  readonly backward: Backward | null;
}
