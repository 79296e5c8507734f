// Recorded backwards for tests, written as plain values.

import type { Backward, Effect, Gradient } from "../src/model/backward.ts";

/** A hook that ran at a node when so many nodes had started, and made 1 to 2. */
export const effect = (node: number | null, started: number, name: string, facts: Partial<Effect> = {}): Effect => ({
  hook: { kind: "tensor", owner: "w", name, where: "train.py:3" },
  node,
  started,
  before: ["1"],
  after: ["2"],
  returnedNone: false,
  removed: false,
  registered: null,
  reached: [],
  words: `hook ${name}: 1 → 2, replaced`,
  ...facts,
});

export const gradient = (node: number, norm: string | null, slot = 0, facts: Partial<Gradient> = {}): Gradient => ({
  ...{ node, slot, norm, largest: null, zeros: null, nonfinite: null, contributions: [] },
  ...facts,
});

export function recorded({ nodes, ...facts }: { nodes: readonly number[] } & Partial<Backward>): Backward {
  return {
    kind: "backward",
    where: "train.py:9",
    error: null,
    createGraph: false,
    scale: null,
    executed: Int32Array.from(nodes),
    gradients: [],
    effects: [],
    turns: [],
    cuts: [],
    events: [],
    event: 0,
    ...facts,
  };
}
