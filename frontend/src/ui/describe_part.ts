// The sheets of what holds nodes: closed boxes, open frames, several selected nodes.

import type { Graph, Model, Tree } from "../model.ts";
import { drawnChildren } from "../scene/children.ts";
import { nodesOf } from "../scene/nodes.ts";
import { grouped, several } from "../wording.ts";
import { flowOf } from "./describe_flow.ts";
import { hookEntry, placedLink, roundsEntry } from "./describe_node.ts";
import { heldWords, hooksOf, known, moduleWords, nodesIn } from "./known.ts";
import { nodeLink } from "./links.ts";
import { commonModule, pathOf } from "./parts.ts";
import { repeatAround } from "./selection.ts";
import { type Entry, fact, type Link, links, type Section, section, text } from "./sheet.ts";

const MOST_HOOKS = 20;
const MOST_OPERATIONS = 8;

export function describePart(model: Model, item: number): Section[] {
  const { graph, tree } = model;
  const nodes = nodesOf(model, item);
  const times = tree.times[item]!;
  const path = pathOf(model, item) === "" ? commonModule(graph, nodes) : ""; // the heading says it
  const place = path ? [fact("module", moduleWords(graph, path), { kind: "nodes", nodes: nodesIn(graph, path) })] : [];
  const around = repeatAround(tree, item);
  const rounds =
    times > 1
      ? [text(`${grouped(times)} equal rounds; where one is drawn for all, it is the one nearest the loss.`)]
      : [];
  if (around >= 0) rounds.push(roundsEntry(roundsAround(tree, item)));
  return [
    section("", [...rounds, ...place]),
    ...contents(model, nodes),
    section("Inside", [
      links(
        "Inside",
        [...drawnChildren(tree, item, false)].map((child) => itemLink(tree, child)),
      ),
    ]),
  ];
}

/** How many rounds are drawn as the one that an item lies in; repeats inside repeats multiply. */
function roundsAround(tree: Tree, item: number): number {
  let rounds = 1;
  for (let around = repeatAround(tree, item); around >= 0; around = repeatAround(tree, around)) {
    rounds *= tree.times[around]!;
  }
  return rounds;
}

export function describeNodes(model: Model, nodes: readonly number[]): Section[] {
  const { graph } = model;
  const all = nodes.map((node) => placedLink(graph, node));
  return [...contents(model, nodes), section("Selected", [links("Selected", all)])];
}

/** What these nodes are, need and lack, in numbers. */
function contents(model: Model, nodes: readonly number[]): Section[] {
  const { graph } = model;
  const operations = nodes.filter((node) => graph.kind[node] !== "leaf");
  const leaves = nodes.filter((node) => graph.kind[node] === "leaf");
  const hooks = nodes.flatMap((node) => hooksOf(graph, node));
  const ends = nodes.flatMap((node) => known(graph).deadEnds.get(node) ?? []);
  const summary = [fact("operations", grouped(operations.length)), fact("leaves", grouped(leaves.length))];
  const bytes = heldWords(graph, nodes);
  if (bytes) summary.push(fact("saved", bytes));
  if (ends.length > 0) summary.push(fact("dead ends", endWords(ends.map((end) => end.why ?? "reason not known"))));
  const leafLinks = leaves.map((node) => nodeLink(graph, node));
  return [
    section("Contents", summary),
    section("Gradients", flowOf(model, nodes)),
    section("Operations", [...operationCounts(graph, operations)]),
    section("Leaves", leaves.length === 0 ? [] : [links("Leaves", leafLinks, 20)]),
    section("Hooks", limited(hooks.map(hookEntry), MOST_HOOKS)),
  ];
}

function operationCounts(graph: Graph, operations: readonly number[]): Entry[] {
  return ranked(
    operations.map((node) => graph.op[node]!),
    MOST_OPERATIONS,
  );
}

/** How often each text occurs, the most common first, equally common ones by name. */
export function ranked(texts: readonly string[], most: number): Entry[] {
  const counts = new Map<string, number>();
  for (const one of texts) counts.set(one, (counts.get(one) ?? 0) + 1);
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return limited(
    order.map(([name, number]) => fact(grouped(number), name)),
    most,
  );
}

function limited(entries: readonly Entry[], most: number): Entry[] {
  const more = entries.length - most;
  return more > 0 ? [...entries.slice(0, most), text(`and ${grouped(more)} more`)] : [...entries];
}

function endWords(reasons: readonly string[]): string {
  return `${grouped(reasons.length)} (${several([...new Set(reasons)])})`;
}

function itemLink(tree: Tree, item: number): Link {
  return { text: tree.label[item]!, detail: tree.lines[item]![0] ?? "", goal: { kind: "item", item } };
}
