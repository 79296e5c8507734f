// Search: which nodes, and which parameters that the graph does not reach, have everything that a query asks for.

import { kept } from "./kept.ts";
import type { Model } from "./model.ts";
import { type Condition, conditionOf } from "./search/conditions.ts";
import { wordsOf } from "./search/words.ts";

export { PROPERTIES } from "./search/properties.ts";

interface Matches {
  readonly nodes: readonly number[];
  /** Places in `graph.leaves` of leaves that the graph does not reach. */
  readonly ghosts: readonly number[];
  /** What cannot be understood, in a sentence; nothing is found then. */
  readonly error: string | null;
}

const NOTHING: Matches = { nodes: [], ghosts: [], error: null };
/** Panels and the drawing ask for the same query in turn. */
const latest = kept((_: Model) => ({ query: "", matches: NOTHING }));

/**
 * What matches a query: words that must all match, in any order and case.
 *
 * A word is part of a node's id, operation, leaf name, module, shape, dtype, source line or hook; or a property (`frozen`), a
 * property with a value (`device:cuda`) or a comparison (`saved>1MB`). A "-" in front turns it round, quotes keep spaces
 * together and make text of what would be a property.
 */
export function search(model: Model, query: string): Matches {
  const known = latest(model);
  if (known.query !== query) Object.assign(known, { query, matches: found(model, query) });
  return known.matches;
}

function found(model: Model, query: string): Matches {
  const conditions: Condition[] = [];
  for (const word of wordsOf(query)) {
    const condition = conditionOf(model, word);
    if (typeof condition === "string") return { ...NOTHING, error: condition };
    conditions.push(condition);
  }
  if (conditions.length === 0) return NOTHING;
  const nodes: number[] = [];
  for (let node = 0; node < model.graph.size; node++) {
    if (conditions.every((condition) => condition.node(node) !== condition.negated)) nodes.push(node);
  }
  const ghosts = [...model.graph.leaves.keys()].filter((place) => {
    if (model.graph.leaves[place]!.node !== null) return false;
    return conditions.every((condition) => condition.ghost(place) !== condition.negated);
  });
  return { nodes, ghosts, error: null };
}
