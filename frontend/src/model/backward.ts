// What a watch recorded of one run of the engine: what flowed, what hooks did, where paths end. Plain data, as Python has.
//
// Sizes are 2-norms as texts that are ready to show ("0.0234", "nan"); null: none arrived, or it was not recorded. Nodes
// are numbers, as everywhere.

import type { Hook } from "./hook.ts";

/** What one edge added to the gradient at a slot. */
export interface Contribution {
  readonly source: number;
  readonly sourceSlot: number;
  readonly norm: string | null;
}

/** What arrived at a slot of a node, after tensor hooks and before the node's own; `norm` null: no gradient. */
export interface Gradient {
  readonly node: number;
  readonly slot: number;
  readonly norm: string | null;
  readonly largest: string | null;
  /** The share of zeros, "0.25". */
  readonly zeros: string | null;
  readonly nonfinite: number | null;
  readonly contributions: readonly Contribution[];
}

/** One call of one hook. `started`: how many nodes had begun before it. `words`: the line that pictures show. */
export interface Effect {
  readonly hook: Hook;
  readonly node: number | null;
  readonly started: number;
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[];
  readonly returnedNone: boolean;
  readonly removed: boolean;
  readonly registered: string | null;
  readonly reached: readonly number[];
  readonly words: string;
}

/** Where the gradient first becomes zero or non-finite, or changes by orders of magnitude. */
export interface Turn {
  readonly source: number;
  readonly target: number;
  readonly slot: number;
  readonly before: string;
  readonly after: string;
  readonly words: string;
}

/** Where history ended. `from`: nodes at which the value came back in; `leaves`: places in `graph.leaves`, severed. */
export interface Cut {
  readonly from: readonly number[];
  readonly leaves: readonly number[];
  readonly words: string;
}

export interface Event {
  readonly kind: string;
  /** Optimizer steps that were finished before it. */
  readonly step: number;
  readonly where: string | null;
  readonly words: string;
}

export interface Backward {
  readonly kind: string;
  readonly where: string | null;
  readonly error: string | null;
  readonly createGraph: boolean;
  readonly scale: string | null;
  /** The nodes in the order in which the engine started them; others did not run. */
  readonly executed: Int32Array;
  readonly gradients: readonly Gradient[];
  /** In true order. */
  readonly effects: readonly Effect[];
  readonly turns: readonly Turn[];
  readonly cuts: readonly Cut[];
  readonly events: readonly Event[];
  /** The place of this backward in `events`. */
  readonly event: number;
}
