// The Scene: what is shown, free of colours and coordinates. The same boxes, arrows and groups as Python's Scene.

import type { ItemKind, Role } from "../model.ts";

/** What an item is besides what the tree says of it at first: parts by key. A repeat may be *unrolled* into its rounds. */
export type Fold = "open" | "closed" | "unrolled";

/** One box. `nodes` are those it stands for, its own first; empty for dead ends and ghosts. */
export interface Box {
  readonly key: string;
  readonly item: number;
  readonly kind: ItemKind;
  readonly role: Role;
  readonly label: string;
  readonly lines: readonly string[];
  readonly badges: readonly string[];
  readonly nodes: readonly number[];
  /** Place in `groups`, -1 at the top. */
  readonly group: number;
  /** Whether it can be opened. */
  readonly opens: boolean;
}

/** `edges` edges of the graph drawn as one; 0 to a dead end. `again`: into the next round of a repeat, against the flow. */
export interface Arrow {
  /** Places in `boxes`. */
  readonly source: number;
  readonly target: number;
  readonly label: string;
  readonly edges: number;
  readonly again: boolean;
  /** The first few of its edges. */
  readonly sample: readonly number[];
}

/** An open part: a frame around boxes. Parents come before children. */
export interface Group {
  readonly key: string;
  readonly item: number;
  readonly kind: ItemKind;
  /** Place in `groups`, -1 at the top. */
  readonly parent: number;
  readonly title: string;
  /** Rounds, if it is a repeat drawn as its first one. */
  readonly times: number;
  /** A repeat whose rounds are all shown. */
  readonly unrolled: boolean;
}

export interface Scene {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly groups: readonly Group[];
  /** The arrow of each edge of the graph, -1 for an edge that lies inside a closed box. */
  readonly arrowOf: Int32Array;
}
