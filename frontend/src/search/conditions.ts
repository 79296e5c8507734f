// One word of a query -> a condition, which a node or a leaf that the graph does not reach (a ghost) meets or not.

import { bytesHeld, idOf, leafOf } from "../graph.ts";
import type { Graph, Hook, Leaf, Meta, Model } from "../model.ts";
import { ofAlike } from "./alike.ts";
import { type Fact, marksOf } from "./facts.ts";
import { gradientTest, hooksFired, type Test } from "./gradients.ts";
import type { Word } from "./words.ts";

export interface Condition extends Test {
  readonly negated: boolean;
}

const KINDS = ["custom", "view", "in-place", "checkpoint", "compiled", "remote"];
/** Bytes of each unit; by thousands, as in Python's labels. */
const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** The condition that a word means, or a sentence that says why it means none. */
export function conditionOf(model: Model, word: Word): Condition | string {
  const test = word.quoted ? null : special(model, word.text);
  if (typeof test === "string") return test;
  return { negated: word.negated, ...(test ?? text(model, word.text)) };
}

/** What a word means that is not merely text; null: it is. */
function special(model: Model, word: string): Test | string | null {
  return (
    gradientTest(model, word) ??
    comparison(model, word) ??
    valued(model, word) ??
    property(model, word) ??
    joined(model, word)
  );
}

/** "frozen,unreached" is no text either: shapes have commas, but properties are not parts of anything. */
function joined(model: Model, word: string): string | null {
  const parts = word.split(",").filter(Boolean);
  if (!word.includes(",") || !parts.every((part) => property(model, part) !== null)) return null;
  return `Words are joined by "and": write spaces instead of commas in "${word}" to find what matches all of them.`;
}

/**
 * Plain text: part of a node's id, operation, module or source line, of a shape or dtype, of the function of a hook, or of
 * a leaf's name.
 */
function text({ graph }: Model, word: string): Test {
  const has = containing(word);
  const hasMeta = (meta: Meta): boolean => has(meta.shape) || has(meta.dtype);
  const columns = [
    ofAlike(graph.op, (op) => hasOperation(op, word)),
    ofAlike(graph.module, has),
    ofAlike(graph.where, has),
    ofAlike(graph.slots, (slots) => slots.some(hasMeta)),
    ofAlike(graph.hooks, (hooks) => hooks.some((hook) => has(hook.name))),
  ];
  const ofLeaf = (leaf: Leaf): boolean => {
    return named(leaf, has) || hasMeta(leaf.meta) || leaf.hooks.some((hook) => has(hook.name));
  };
  const partOfId = /^n?\d+$/.test(word);
  return {
    node: (node) => {
      if (columns.some((holds) => holds(node)) || (partOfId && idOf(node).includes(word))) return true;
      return ofLeafAt(graph, node, ofLeaf);
    },
    ghost: (place) => ofLeaf(graph.leaves[place]!),
  };
}

/** Whether a text holds a word, in any case. */
function containing(word: string): (text: string | null) => boolean {
  return (text) => text?.toLowerCase().includes(word) ?? false;
}

/** Whether an operation's name holds a word. That of leaves, AccuMULateGrad, must begin with it: else "mul" finds them all. */
function hasOperation(op: string, word: string): boolean {
  const name = op.toLowerCase();
  return name === "accumulategrad" ? name.startsWith(word) : name.includes(word);
}

function named({ name, aliases }: Leaf, has: (text: string | null) => boolean): boolean {
  return has(name) || aliases.some(has);
}

function ofLeafAt(graph: Graph, node: number, holds: (leaf: Leaf) => boolean): boolean {
  if (graph.kind[node] !== "leaf") return false;
  const leaf = leafOf(graph, node);
  return leaf !== null && holds(leaf);
}

function property(model: Model, word: string): Test | null {
  const { graph } = model;
  const ofLeaf = (holds: (leaf: Leaf) => boolean): Test => ({
    node: (node) => ofLeafAt(graph, node, holds),
    ghost: (place) => holds(graph.leaves[place]!),
  });
  const ofNode = (fact: Fact): Test => {
    const marks = marksOf(model, fact);
    return { node: (node) => marks[node] === 1, ghost: () => false };
  };
  if (KINDS.includes(word)) {
    const kind = word.replace("-", "_");
    return { node: (node) => graph.kind[node] === kind, ghost: () => false };
  }
  switch (word) {
    case "leaf":
      return { node: (node) => graph.kind[node] === "leaf", ghost: () => true };
    case "parameter":
      return ofLeaf((leaf) => leaf.parameter);
    case "frozen":
      return ofLeaf((leaf) => !leaf.requiresGrad);
    case "untrained":
      return { ...ofLeaf((leaf) => !leaf.requiresGrad), ghost: () => true };
    case "unreached":
      return { node: () => false, ghost: (place) => graph.leaves[place]!.requiresGrad };
    case "hook":
      return { ...ofNode(word), ghost: (place) => graph.leaves[place]!.hooks.length > 0 };
    case "root":
    case "shared":
      return ofNode(word);
    case "dead-end":
      return ofNode("deadEnd");
    default:
      return null;
  }
}

/** A property with a value, `device:cuda`. Any other text may hold a colon too: it is looked for as it is. */
function valued(model: Model, word: string): Test | string | null {
  const { graph } = model;
  const colon = word.indexOf(":");
  const [name, value] = [word.slice(0, colon), word.slice(colon + 1)];
  const has = containing(value);
  const hasName = (leaf: Leaf): boolean => named(leaf, has);
  const ofMeta = (field: "shape" | "dtype" | "device"): Test => {
    const alike = ofAlike(graph.slots, (slots) => slots.some((meta) => has(meta[field])));
    const ofLeaf = (leaf: Leaf): boolean => has(leaf.meta[field]);
    return {
      node: (node) => alike(node) || ofLeafAt(graph, node, ofLeaf),
      ghost: (place) => ofLeaf(graph.leaves[place]!),
    };
  };
  const tests: Readonly<Record<string, () => Test>> = {
    op: () => ({ node: ofAlike(graph.op, (op) => hasOperation(op, value)), ghost: () => false }),
    module: () => {
      const madeIn = ofAlike(graph.module, has);
      return {
        node: (node) => madeIn(node) || ofLeafAt(graph, node, (leaf) => has(home(leaf))),
        ghost: (place) => has(home(graph.leaves[place]!)),
      };
    },
    hook: () => {
      const tells = ({ name, owner, where }: Hook): boolean => [name, owner, where].some(has);
      const alike = ofAlike(graph.hooks, (hooks) => hooks.some(tells));
      const ran = hooksFired(model, tells);
      return {
        node: (node) => alike(node) || ran(node) || ofLeafAt(graph, node, (leaf) => leaf.hooks.some(tells)),
        ghost: (place) => graph.leaves[place]!.hooks.some(tells),
      };
    },
    where: () => {
      const [line, called] = [ofAlike(graph.where, has), ofAlike(graph.function, has)];
      return { node: (node) => line(node) || called(node), ghost: () => false };
    },
    name: () => ({ node: (node) => ofLeafAt(graph, node, hasName), ghost: (place) => hasName(graph.leaves[place]!) }),
    shape: () => ofMeta("shape"),
    dtype: () => ofMeta("dtype"),
    device: () => ofMeta("device"),
  };
  if (colon < 0 || !Object.hasOwn(tests, name)) return null;
  return value === "" ? `Write what to look for behind "${word}".` : tests[name]!();
}

/** The path of the module that holds a leaf. */
function home({ name }: Leaf): string | null {
  return name?.includes(".") ? name.slice(0, name.lastIndexOf(".")) : null;
}

function comparison({ graph }: Model, word: string): Test | string | null {
  const [, name, sign, limit = ""] = /^(saved|order)([<>])(.*)$/.exec(word) ?? [];
  if (name === undefined) return null;
  const [, digits, unit = "b"] = /^(\d+(?:\.\d*)?|\.\d+)([kmgt]?b)?$/.exec(limit) ?? [];
  const wanted = Number(digits) * (name === "saved" ? UNITS[unit]! : 1);
  if (digits === undefined || (name === "order" && limit !== digits)) {
    const example = name === "saved" ? "a number of bytes, such as 1MB" : "a number, such as 100";
    return `"${limit}" in "${word}" is not ${example}.`;
  }
  const value = name === "saved" ? savedBy(graph) : (node: number) => graph.order[node]! + 1;
  return {
    node: (node) => (sign === ">" ? value(node) > wanted : value(node) < wanted),
    ghost: () => false,
  };
}

function savedBy(graph: Graph): (node: number) => number {
  return (node) => (graph.saved[node]!.length === 0 ? 0 : bytesHeld(graph.saved[node]!));
}
