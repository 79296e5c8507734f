// The backward as a sequence of moments: each node that starts, and between them each hook that runs.
//
// Of a watched graph that is what the engine really did; of one that was only traced, the order in which it will run the
// nodes. A moment is told by how many nodes have started (`State.step`) and how many of the hooks have run that come
// before the next one (`State.fired`). Moment 0: nothing has run.

import { nodesByOrder } from "./graph.ts";
import { kept } from "./kept.ts";
import type { Effect } from "./model/backward.ts";
import type { Model } from "./model.ts";
import type { State } from "./state.ts";

export interface Replay {
  /** What runs, in order. */
  readonly nodes: Int32Array;
  /** When each node starts, counted from 1; 0: it does not run. */
  readonly rank: Int32Array;
  /** The hooks, in order. */
  readonly effects: readonly Effect[];
  /** The number of moments after the first. */
  readonly last: number;
  /** The moment at which so many nodes have started, 0 first; at its end one more than the last. */
  readonly starts: Int32Array;
}

export const replayOf = kept(({ graph, backward }: Model): Replay => {
  const nodes = backward?.executed ?? nodesByOrder(graph);
  const rank = new Int32Array(graph.size);
  nodes.forEach((node, place) => {
    rank[node] = place + 1;
  });
  const timed = (backward?.effects ?? []).map((effect) => ({ effect, started: clamped(effect.started, nodes.length) }));
  timed.sort((one, other) => one.started - other.started); // they are: a replay that goes back would be none
  const starts = new Int32Array(nodes.length + 2);
  let next = 0;
  for (let step = 0; step < starts.length; step++) {
    while (next < timed.length && timed[next]!.started < step) next++;
    starts[step] = step + next;
  }
  const effects = timed.map(({ effect }) => effect);
  return { nodes, rank, effects, last: nodes.length + effects.length, starts };
});

export type Place = Pick<State, "step" | "fired">;

/** The moment that a state is at: all hooks have run that come before the next node, where it does not say how many. */
export function momentOf({ nodes, starts }: Replay, { step, fired }: Place): number {
  const at = clamped(step ?? 0, nodes.length);
  const all = starts[at + 1]! - starts[at]! - 1;
  return starts[at]! + Math.max(0, Math.min(fired ?? all, all));
}

/** The state at a moment; one before the first or after the last is taken for that. */
export function placeAt(replay: Replay, moment: number): Place {
  const at = clamped(moment, replay.last);
  const step = stepAt(replay, at);
  const fired = at - replay.starts[step]!;
  return { step, fired: at + 1 === replay.starts[step + 1] ? null : fired };
}

/** How many nodes have started at a moment. */
function stepAt({ starts, nodes }: Replay, moment: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The hook that runs at a moment; null where a node starts. */
export function effectAt(replay: Replay, moment: number): Effect | null {
  const step = stepAt(replay, moment);
  const place = moment - step; // as many moments before it are hooks
  return moment === replay.starts[step] ? null : (replay.effects[place - 1] ?? null);
}

/** The node at which something happens at a moment: that starts, or whose hook runs; null before the first. */
export function nodeAt(replay: Replay, moment: number): number | null {
  return effectAt(replay, moment)?.node ?? replay.nodes[stepAt(replay, moment) - 1] ?? null;
}

/** The moment at which a node starts; one that is never reached where it does not run. */
export function momentOfNode({ rank, starts, last }: Replay, node: number): number {
  return rank[node] === 0 ? last + 1 : starts[rank[node]!]!;
}

/** The moment at which a hook runs, by its place in `effects`. */
export function momentOfEffect({ effects, nodes }: Replay, place: number): number {
  return place + 1 + clamped(effects[place]!.started, nodes.length);
}

function clamped(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
