// The form of a payload, as gradviz/view/payload writes it: tables are columns of integers (there it is told of what).

import type { Looks, Signals } from "../model.ts";

export type Column = readonly number[];
type Table<Name extends string> = Readonly<Record<Name, Column>>;

export interface Payload {
  readonly schema: string;
  readonly version: number;
  readonly title: string;
  readonly notes: readonly string[];
  readonly full: boolean;
  readonly looks: Omit<Looks, "signals">;
  readonly strings: readonly string[];
  readonly lists: readonly Column[];
  readonly metas: Table<"shape" | "dtype" | "device" | "layout">;
  readonly hooks: Table<"kind" | "owner" | "name" | "where">;
  readonly arguments: Table<"name" | "formula">;
  readonly saved: Table<"name" | "meta" | "bytes" | "state" | "hook">;
  readonly nodes: Table<
    "op" | "kind" | "module" | "inferred" | "where" | "function" | "arguments" | "slots" | "saved" | "hooks" | "order"
  >;
  readonly storages: Column;
  readonly edges: Table<"source" | "source_slot" | "target" | "target_slot" | "name">;
  readonly dead_ends: Table<"source" | "source_slot" | "name" | "tensor" | "why">;
  readonly leaves: Table<
    | "name"
    | "aliases"
    | "parameter"
    | "meta"
    | "is_leaf"
    | "requires_grad"
    | "retains_grad"
    | "grad"
    | "version"
    | "node"
    | "hooks"
  >;
  readonly roots: Table<"before" | "after" | "kind" | "node" | "slot" | "meta">;
  readonly modules: Table<"path" | "class">;
  readonly module_hooks: Column;
  readonly tape: Column;
  readonly items: Table<
    | "parent"
    | "kind"
    | "key"
    | "start"
    | "stop"
    | "times"
    | "round"
    | "open"
    | "role"
    | "label"
    | "lines"
    | "badges"
    | "frame"
    | "members"
  >;
  readonly members: Column;
  readonly backward?: BackwardForm;
}

/** Of a watched graph only. */
export interface BackwardForm {
  readonly kind: string;
  readonly where: string | null;
  readonly error: string | null;
  readonly create_graph: boolean;
  readonly scale: string | null;
  readonly event: number;
  readonly executed: Column;
  readonly gradients: Table<"node" | "slot" | "norm" | "largest" | "zeros" | "nonfinite" | "contributions">;
  readonly contributions: Table<"source" | "source_slot" | "norm">;
  readonly effects: Table<
    "hook" | "node" | "started" | "before" | "after" | "returned_none" | "removed" | "registered" | "reached" | "words"
  >;
  readonly turns: Table<"source" | "target" | "slot" | "before" | "after" | "words">;
  readonly cuts: Table<"from" | "leaves" | "words">;
  readonly events: Table<"kind" | "step" | "where" | "words">;
  readonly signals: Signals;
}
