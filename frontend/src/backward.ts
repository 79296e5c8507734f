// Look-ups in a recorded backward, by node. All are empty of a graph that was only traced.

import { kept } from "./kept.ts";
import type { Backward, Cut, Effect, Gradient, Turn } from "./model/backward.ts";
import type { Model } from "./model.ts";

interface ByNode {
  readonly gradients: ReadonlyMap<number, readonly Gradient[]>;
  readonly effects: ReadonlyMap<number, readonly Effect[]>;
  readonly turns: ReadonlyMap<number, readonly Turn[]>;
  readonly cuts: ReadonlyMap<number, readonly Cut[]>;
}

const byNode = kept(({ gradients, effects, turns, cuts }: Backward): ByNode => {
  const cutsAt = cuts.flatMap((cut) => cut.from.map((node) => [node, cut] as const));
  return {
    gradients: grouped([...gradients].sort(bySlot).map((one) => [one.node, one])),
    effects: grouped(effects.map((one) => [one.node, one])),
    turns: grouped(turns.map((one) => [one.target, one])),
    cuts: grouped(cutsAt),
  };
});

const bySlot = (one: Gradient, other: Gradient): number => one.slot - other.slot;

function grouped<Value>(pairs: readonly (readonly [number | null, Value])[]): ReadonlyMap<number, readonly Value[]> {
  const found = new Map<number, Value[]>();
  for (const [node, value] of pairs) {
    if (node === null) continue;
    const list = found.get(node);
    if (list === undefined) found.set(node, [value]);
    else list.push(value);
  }
  return found;
}

function at<Part extends keyof ByNode>(part: Part) {
  return ({ backward }: Model, node: number): NonNullable<ReturnType<ByNode[Part]["get"]>> => {
    const found = backward === null ? undefined : byNode(backward)[part].get(node);
    return (found ?? []) as NonNullable<ReturnType<ByNode[Part]["get"]>>;
  };
}

/** What arrived at a node, by slot. */
export const gradientsOf = at("gradients");
/** The hooks that ran at a node, in order. */
export const effectsOf = at("effects");
/** What becomes of the gradient on its way to a node. */
export const turnsAt = at("turns");
/** The cuts whose values came in at a node. */
export const cutsAt = at("cuts");

/** A size as a picture shows it: "0.408", "none". */
export function gradientWords({ norm }: Gradient): string {
  return norm ?? "none";
}

/** A size as a number. */
export function numberIn(norm: string): number {
  if (norm === "inf") return Number.POSITIVE_INFINITY;
  return norm === "nan" ? Number.NaN : Number(norm);
}

/** The sizes of all gradients that arrived at these nodes. */
export function normsOf(model: Model, nodes: Iterable<number>): number[] {
  const found: number[] = [];
  for (const node of nodes) {
    for (const { norm } of gradientsOf(model, node)) if (norm !== null) found.push(numberIn(norm));
  }
  return found;
}
