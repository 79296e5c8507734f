// What a watch recorded, in the sheets: the gradients that arrived, what hooks did with them, where paths end, and events.

import { cutsAt, effectsOf, gradientsOf, normsOf, turnsAt } from "../backward.ts";
import type { Backward, Cut, Effect, Gradient, Turn } from "../model/backward.ts";
import type { Model } from "../model.ts";
import { momentOfEffect, momentOfNode, replayOf } from "../replay.ts";
import { count, grouped, ordinal, tensor } from "../wording.ts";
import { nodeLink } from "./links.ts";
import { type Entry, fact, links, type Section, section, text } from "./sheet.ts";

const MOST = 200; // events and hooks that are listed

/** When the engine runs a node; of a watched one, when it did. */
export function orderWords(model: Model, node: number): string {
  const { graph, backward } = model;
  if (backward === null) return `runs ${ordinal(graph.order[node]! + 1)} of ${grouped(graph.size)}`;
  const { rank, nodes } = replayOf(model);
  return rank[node] === 0 ? "did not run" : `ran ${ordinal(rank[node]!)} of ${grouped(nodes.length)}`;
}

/** The tensor of each slot, and what arrived there. */
export function arriving(model: Model, node: number): Entry[] {
  const sizes = new Map(gradientsOf(model, node).map((one) => [one.slot, one]));
  const moment = model.backward === null ? null : momentOfNode(replayOf(model), node);
  const slots = model.graph.slots[node]!;
  const entries = slots.flatMap((meta, slot) => [
    fact(`slot ${slot}`, tensor(meta)),
    ...(moment === null ? [] : [fact("gradient", sizeWords(sizes.get(slot)), null, moment)]),
  ]);
  // a leaf's node may have no slot that is known
  const others = [...sizes.values()].filter(({ slot }) => slot >= slots.length);
  return [...entries, ...others.map((one) => fact(`slot ${one.slot}`, sizeWords(one), null, moment))];
}

function sizeWords(gradient: Gradient | undefined): string {
  if (gradient === undefined) return "not recorded";
  const { norm, largest, zeros, nonfinite } = gradient;
  if (norm === null) return "no gradient arrived";
  const said = [`norm ${norm}`];
  if (largest !== null) said.push(`largest ${largest}`);
  if (zeros !== null) said.push(`${Math.round(Number(zeros) * 1000) / 10} % zeros`);
  if (nonfinite !== null) said.push(`${grouped(nonfinite)} not finite`);
  return said.join(", ");
}

/** What each edge added, where that was recorded. */
export function contributionEntries(model: Model, node: number): Entry[] {
  const all = gradientsOf(model, node).flatMap(({ slot, contributions }) =>
    contributions.map(({ source, norm }) => {
      const to = model.graph.slots[node]!.length > 1 ? ` to slot ${slot}` : "";
      return { ...nodeLink(model.graph, source), detail: `adds ${norm ?? "nothing"}${to}` };
    }),
  );
  return all.length === 0 ? [] : [links("Contributions", all)];
}

/** Every hook that ran at a node, in order. */
export function effectEntries(model: Model, node: number): Entry[] {
  return hookEntries(model, effectsOf(model, node));
}

function hookEntries(model: Model, effects: readonly Effect[]): Entry[] {
  const replay = replayOf(model);
  const places = new Map(replay.effects.map((effect, place) => [effect, place]));
  return effects.slice(0, MOST).map((effect, number) => {
    const { words, registered, returnedNone, reached } = effect;
    const said = [words, returnedNone && "returned None", registered && `registered at ${registered}`];
    const goal = reached.length > 0 ? ({ kind: "nodes", nodes: reached } as const) : null;
    return fact(
      ordinal(number + 1),
      said.filter(Boolean).join("; "),
      goal,
      momentOfEffect(replay, places.get(effect)!),
    );
  });
}

/** Where the gradient turns on its way to a node. */
export function turnEntries(model: Model, node: number): Entry[] {
  return turnsAt(model, node).flatMap((turn) => turnWords(model, turn));
}

function turnWords({ graph }: Model, { words, before, after, source }: Turn): Entry[] {
  const from = { ...nodeLink(graph, source), detail: `${before} arrived there, ${after} here` };
  return [text(`The gradient ${words}.`), links("Turns", [from])];
}

/** The cuts whose values came in at a node. */
export function cutEntries(model: Model, node: number): Entry[] {
  return cutsAt(model, node).map(({ words }) => text(sentence(words)));
}

/** The cuts that sever a parameter, by its place in the graph's leaves, and where their values came back in. */
export function severingEntries(model: Model, leaf: number): Entry[] {
  const found = (model.backward?.cuts ?? []).filter(({ leaves }) => leaves.includes(leaf));
  return found.flatMap((cut) => cutWithPlaces(model, cut));
}

function cutWithPlaces({ graph }: Model, { words, from }: Cut): Entry[] {
  const places = from.map((node) => nodeLink(graph, node, "where it comes in"));
  return [text(sentence(words)), ...(places.length > 0 ? [links("Cut", places)] : [])];
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** The gradients inside a part, in a line for each thing to know. */
export function flowOf(model: Model, nodes: readonly number[]): Entry[] {
  if (model.backward === null) return [];
  const norms = normsOf(model, nodes);
  const finite = norms.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const zeros = norms.filter((norm) => norm === 0).length;
  const { rank } = replayOf(model);
  const idle = nodes.filter((node) => rank[node] === 0).length;
  const none = nodes.flatMap((node) => gradientsOf(model, node)).filter(({ norm }) => norm === null).length;
  const entries = finite.length === 0 ? [] : [fact("norms", least === most ? `${least}` : `${least} … ${most}`)];
  if (zeros > 0) entries.push(fact("zero", grouped(zeros)));
  if (norms.length > finite.length) entries.push(fact("not finite", grouped(norms.length - finite.length)));
  if (none > 0) entries.push(fact("none arrived", grouped(none)));
  if (idle > 0) entries.push(fact("did not run", count(idle, "node")));
  return entries;
}

/** The sheet of a watched graph: its backward, and all that happened around it. */
export function describeBackward(model: Model): Section[] {
  const { backward, graph } = model;
  if (backward === null) return [];
  const turns = backward.turns.map(({ target, words }) => nodeLink(graph, target, words));
  return [
    section("Backward", head(backward, graph.size)),
    section("Turns", turns.length === 0 ? [] : [links("Turns", turns)]),
    section(
      "Cuts",
      backward.cuts.flatMap((cut) => cutWithPlaces(model, cut)),
    ),
    section("Hooks, in the order in which they ran", hookEntries(model, replayOf(model).effects)),
    section(
      "Events",
      backward.events.slice(0, MOST).map(({ where, words }) => fact(where ?? "", words)),
    ),
  ];
}

function head({ kind, where, executed, scale, createGraph, error }: Backward, size: number): Entry[] {
  const entries = [
    fact("call", [kind === "grad" ? "autograd.grad" : "backward", where].filter(Boolean).join(" at ")),
    fact("ran", `${grouped(executed.length)} of ${count(size, "node")}`),
  ];
  if (scale !== null) entries.push(fact("scale", scale));
  if (createGraph) entries.push(fact("create_graph", "True"));
  if (error !== null) entries.push(fact("raised", error));
  return entries;
}
