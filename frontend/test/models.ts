// Small models for tests, written as plain values: operations by name, edges by number, parts nested as they are drawn.

import type { Graph, ItemKind, Leaf, Meta, Model, Role, Saved, Tree } from "../src/model.ts";

export interface Part {
  readonly kind: ItemKind;
  readonly key: string;
  readonly inside: readonly Child[];
  readonly open: boolean;
  readonly times: number;
  /** Of a repeat: its single rounds. */
  readonly rounds: readonly Child[];
  readonly members: readonly number[];
}

/** A position of the tape, or a part. */
export type Child = number | Part;

const PLAIN = { open: false, times: 1, rounds: [], members: [], inside: [] };

export const module = (key: string, inside: readonly Child[], open = false): Part => {
  return { ...PLAIN, kind: "module", key, inside, open };
};

export const repeat = (key: string, times: number, inside: readonly Child[], rounds: readonly Child[]): Part => {
  return { ...PLAIN, kind: "repeat", key, times, inside, rounds };
};

/** A parameter that the graph does not reach; `place` is that in `leaves`. */
export const ghost = (place: number): Part => ({ ...PLAIN, kind: "ghost", key: `ghost${place}`, members: [place] });

export const meta = (shape: string, dtype = "float32", device = "cpu"): Meta => ({
  shape,
  dtype,
  device,
  layout: null,
});

export const leaf = (name: string, node: number | null, facts: Partial<Leaf> = {}): Leaf => ({
  name,
  node,
  aliases: [],
  parameter: true,
  meta: meta("(3,)"),
  isLeaf: true,
  requiresGrad: true,
  retainsGrad: false,
  grad: null,
  version: 0,
  hooks: [],
  ...facts,
});

export const saved = (bytes: number, storage: number | null): Saved => {
  return { name: "self", meta: null, bytes, storage, state: "held", hook: null };
};

/** Operations, one for each node, and edges by source: [source, target] or [source, target, argument]. */
export function graphOf(
  op: readonly string[],
  edges: readonly (readonly [number, number, string?])[],
  facts: Partial<Graph> = {},
): Graph {
  const each = <Value>(value: Value): Value[] => op.map(() => value);
  const slots = new Map<number, number>();
  const sourceSlot = edges.map(([source]) => {
    const slot = slots.get(source) ?? 0;
    slots.set(source, slot + 1);
    return slot;
  });
  return {
    title: "",
    notes: [],
    size: op.length,
    op,
    kind: op.map((name) => (name === "AccumulateGrad" ? "leaf" : "op")),
    module: each(null),
    inferred: each(false),
    where: each(null),
    function: each(null),
    args: each([]),
    slots: each([meta("(2, 3)")]),
    saved: each([]),
    hooks: each([]),
    order: Int32Array.from(op.keys()),
    source: Int32Array.from(edges, ([source]) => source),
    sourceSlot: Int32Array.from(sourceSlot),
    target: Int32Array.from(edges, ([, target]) => target),
    targetSlot: new Int32Array(edges.length),
    edgeName: edges.map(([, , name]) => name ?? null),
    deadEnds: [],
    leaves: [],
    roots: [{ before: "", after: "", kind: "tensor", node: 0, slot: 0, meta: null }],
    modules: new Map(),
    moduleHooks: [],
    ...facts,
  };
}

/** The model of a graph, folded so; the tape is its nodes but leaves, in the order of their numbers. */
export function modelOf(graph: Graph, top: readonly Child[], inFull = false): Model {
  const tape = Int32Array.from([...graph.op.keys()].filter((node) => graph.kind[node] !== "leaf"));
  return { graph, tape, tree: treeOf(graph, tape, top), looks: {} as Model["looks"], inFull, backward: null };
}

interface Row {
  readonly parent: number;
  readonly part: Part;
  readonly start: number;
  readonly stop: number;
  readonly round: number;
}

function treeOf(graph: Graph, tape: Int32Array, top: readonly Child[]): Tree {
  const rows: Row[] = [];
  const add = (parent: number, child: Child, round: number, shifts: readonly number[]): void => {
    const operation = typeof child === "number";
    const part: Part = operation ? { ...PLAIN, kind: "operation", key: `n${tape[child]}` } : child;
    const [start, stop] = [startOf(child), stopOf(child)];
    const place = rows.push({ parent, part, start, stop, round }) - 1;
    if (operation) for (const beside of besideOf(graph, tape, child, shifts)) add(place, beside, 0, [0]);
    const period = (stop - start) / part.times;
    const inner = shifts.flatMap((shift) => [...Array(part.times).keys()].map((number) => shift + period * number));
    for (const one of part.inside) add(place, one, 0, inner);
    part.rounds.forEach((one, number) => {
      add(place, one, number + 1, shifts);
    });
  };
  add(-1, { ...PLAIN, kind: "module", key: "g0", inside: top, open: true }, 0, [0]);
  return {
    size: rows.length,
    parent: Int32Array.from(rows, (row) => row.parent),
    kind: rows.map((row) => row.part.kind),
    key: rows.map((row) => row.part.key),
    start: Int32Array.from(rows, (row) => row.start),
    stop: Int32Array.from(rows, (row) => row.stop),
    times: Int32Array.from(rows, (row) => row.part.times),
    round: Int32Array.from(rows, (row) => row.round),
    open: rows.map((row) => row.part.open),
    role: rows.map((): Role => "op"),
    label: rows.map((row) => row.part.key),
    lines: rows.map(() => []),
    badges: rows.map(() => []),
    frame: rows.map((row) => (["module", "repeat", "section"].includes(row.part.kind) ? row.part.key : "")),
    members: rows.map((row) => row.part.members),
  };
}

/** The leaves of an operation, in all rounds that it stands for, and its dead ends. */
function besideOf(graph: Graph, tape: Int32Array, position: number, shifts: readonly number[]): Part[] {
  const byRound = shifts.map((shift) => {
    const node = tape[position + shift]!;
    const targets = [...graph.target].filter((target, edge) => graph.source[edge] === node && isLeaf(graph, target));
    return [...new Set(targets)];
  });
  const key = `n${tape[position]}`;
  const leaves = byRound[0]!.map((first, place): Part => {
    return { ...PLAIN, kind: "leaf", key: `${key}:n${first}`, members: byRound.map((round) => round[place]!) };
  });
  const ends = graph.deadEnds.flatMap((end, place): Part[] => {
    return end.source === tape[position]
      ? [{ ...PLAIN, kind: "dead_end", key: `${key}:${end.slot}`, members: [place] }]
      : [];
  });
  return [...leaves, ...ends];
}

const isLeaf = (graph: Graph, node: number): boolean => graph.kind[node] === "leaf";

function startOf(child: Child): number {
  if (typeof child === "number") return child;
  return child.inside.length === 0 ? 0 : startOf(child.inside[0]!);
}

function stopOf(child: Child): number {
  if (typeof child === "number") return child + 1;
  const last = child.inside.findLast((inner) => typeof inner === "number" || inner.kind !== "ghost");
  if (last === undefined) return 0;
  const start = startOf(child);
  return start + (stopOf(last) - start) * child.times;
}
