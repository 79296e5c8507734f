// What the status line says: one sentence for those who hear the view instead of seeing it.

import { idOf, neighbours } from "../graph.ts";
import type { Model } from "../model.ts";
import { isUnrolled } from "../scene/folds.ts";
import { nodesOf } from "../scene/nodes.ts";
import type { Scene } from "../scene/types.ts";
import type { FoldState } from "../state.ts";
import { count, grouped } from "../wording.ts";
import { headingOf } from "./heading.ts";
import { kindOf, nameOf, shapeOf } from "./known.ts";
import { MOST_SELECTED } from "./selection.ts";
import type { Subject } from "./sheet.ts";

/** What is selected, "" where nothing is. */
export function selectionSentence(model: Model, subject: Subject): string {
  if (subject.kind === "graph") return "";
  if (subject.kind === "node") return nodeSentence(model, subject.node);
  const { title, subtitle } = headingOf(model, subject);
  const nodes = subject.kind === "part" ? nodesOf(model, subject.item).length : 0;
  return `${title}, ${subtitle}. ${mostSentence(nodes)}`.trim();
}

/** That not all nodes are selected, "" where they are. */
export function mostSentence(nodes: number): string {
  if (nodes <= MOST_SELECTED) return "";
  return `Only the first ${grouped(MOST_SELECTED)} of ${grouped(nodes)} nodes are selected.`;
}

function nodeSentence({ graph }: Model, node: number): string {
  const { upstream, downstream } = neighbours(graph, node);
  const name = nameOf(graph, node);
  const facts = [
    name === graph.op[node] ? `${name} ${idOf(node)}` : `${graph.op[node]} ${idOf(node)} of ${name}`,
    kindOf(graph, node),
    shapeOf(graph, node),
    graph.module[node] ? `in ${graph.module[node]}` : "",
    `${grouped(upstream.length)} upstream and ${count(downstream.length, "downstream neighbor")}`,
  ];
  return `${facts.filter(Boolean).join(", ")}.`;
}

/** How a search went; `at` counts from 0, -1 before the first match was visited. */
export function matchSentence(query: string, found: number, at: number): string {
  if (query.trim() === "") return "";
  if (found === 0) return `Nothing matches “${query}”.`;
  return at < 0
    ? `${count(found, "match", "matches")} for “${query}”.`
    : `Match ${grouped(at + 1)} of ${grouped(found)}.`;
}

/** The name of the drawing: what it is of, in numbers, and how many boxes it has now. */
export function drawingName({ graph }: Model, boxes: number): string {
  const sizes = `${count(graph.size, "node")}, ${count(graph.source.length, "edge")}`;
  const named = graph.title.startsWith("Backward graph") ? graph.title : `Backward graph: ${graph.title || sizes}`;
  const title = /\bnodes?\b/.test(named) ? named : `${named}: ${sizes}`;
  return `${title}; ${count(boxes, "box", "boxes")} shown`;
}

/** What a change of the folds did, and what is still drawn as one. */
export function foldSentence(words: string, { boxes }: Scene, still: readonly string[] = []): string {
  return `${[`${words}: ${count(boxes.length, "box", "boxes")} shown`, ...still].join("; ")}.`;
}

/** What a scene still draws as one though all of it was to be unfolded. */
export function stillAsOne({ boxes, groups }: Scene): string[] {
  const rounds = groups.filter(({ times }) => times > 1).map(({ times }) => times);
  const [first] = rounds;
  const closed = boxes.filter((box) => box.opens).length;
  const said: string[] = [];
  if (rounds.length === 1) said.push(`${grouped(first!)} equal rounds are shown as one`);
  if (rounds.length > 1) said.push(`the rounds of each of ${grouped(rounds.length)} repeats are shown as one`);
  if (closed > 0) said.push(`${count(closed, "part stays", "parts stay")} folded: there would be too many boxes`);
  return said;
}

/** What turning the rounds of a repeat does. */
export function roundsSentence(model: Model, folds: FoldState, item: number): string {
  const words = isUnrolled(model, folds, item) ? "Showing all rounds of" : "Showing one round of";
  return `${words} ${model.tree.label[item]}`;
}

/** Why something went wrong: errors of the view are sentences for people. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
