// Conditions on what a watch recorded; of a graph that was only traced nothing meets them.

import { cutsAt, effectsOf, gradientsOf, normsOf, turnsAt } from "../backward.ts";
import type { Hook, Model } from "../model.ts";

/** What a node or a leaf that the graph does not reach (a ghost, by its place in `graph.leaves`) meets or not. */
export interface Test {
  node(node: number): boolean;
  ghost(place: number): boolean;
}

/** What a word about gradients means, a sentence where that cannot be understood, null where it is about something else. */
export function gradientTest(model: Model, word: string): Test | string | null {
  const [, sign, limit = ""] = /^grad([<>:])(.*)$/.exec(word) ?? [];
  if (sign === ":") {
    const holds = KINDS[limit];
    return holds === undefined ? `"${word}" is none of ${NAMES}.` : ofNodes((node) => holds(model, node));
  }
  if (sign !== undefined) return compared(model, word, sign, limit);
  if (model.backward === null || !["cut", "did-not-run"].includes(word)) return null;
  if (word === "did-not-run") {
    const ran = new Set(model.backward.executed);
    return ofNodes((node) => !ran.has(node));
  }
  const severed = new Set(model.backward.cuts.flatMap((cut) => cut.leaves));
  return { node: (node) => cutsAt(model, node).length > 0, ghost: (place) => severed.has(place) };
}

const KINDS: Readonly<Record<string, (model: Model, node: number) => boolean>> = {
  zero: (model, node) => normsOf(model, [node]).includes(0),
  nan: (model, node) => normsOf(model, [node]).some((norm) => !Number.isFinite(norm)),
  none: (model, node) => gradientsOf(model, node).some(({ norm }) => norm === null),
  turn: (model, node) => turnsAt(model, node).length > 0,
};
const NAMES = Object.keys(KINDS)
  .map((name) => `grad:${name}`)
  .join(", ");

function compared(model: Model, word: string, sign: string, text: string): Test | string {
  const limit = Number(text);
  if (text === "" || Number.isNaN(limit)) return `"${text}" in "${word}" is not a number, such as 1e-6.`;
  return ofNodes((node) => normsOf(model, [node]).some((norm) => (sign === ">" ? norm > limit : norm < limit)));
}

const ofNodes = (node: Test["node"]): Test => ({ node, ghost: () => false });

/** Whether a hook ran at a node that holds. */
export function hooksFired(model: Model, holds: (hook: Hook) => boolean): (node: number) => boolean {
  return (node) => effectsOf(model, node).some(({ hook }) => holds(hook));
}
