// The sheet of one node: everything that is known of it, what a person asks first on top.

import { expression, idOf, leafOf, type Neighbour, neighbours } from "../graph.ts";
import type { Argument, DeadEnd, Graph, Hook, Leaf, Model, Saved } from "../model.ts";
import { count, several, size, tensor } from "../wording.ts";
import { arriving, contributionEntries, cutEntries, effectEntries, orderWords, turnEntries } from "./describe_flow.ts";
import { heldWords, hooksOf, known, moduleWords, rootName, rootWords } from "./known.ts";
import { nodeLink } from "./links.ts";
import { type Entry, fact, type Link, links, type Section, section, text } from "./sheet.ts";

export function describeNode(model: Model, node: number, alike: readonly number[]): Section[] {
  const { graph } = model;
  const leaf = leafOf(graph, node);
  const around = neighbours(graph, node);
  return [
    section("", [...rounds(graph, alike), ...place(model, node)]),
    section("Leaf", leaf === null ? [] : [...leafEntries(leaf), ...uses(around.upstream.length)]),
    section("No gradient", (known(graph).deadEnds.get(node) ?? []).map(deadEndEntry)),
    section("Arriving gradients", arriving(model, node)),
    section("Contributions", contributionEntries(model, node)),
    section("What hooks did", effectEntries(model, node)),
    section("Turns", turnEntries(model, node)),
    section("Cuts", cutEntries(model, node)),
    section(savedTitle(graph, node), savedEntries(graph, node)),
    section("Derivatives", derivatives(graph.args[node]!)),
    section("Hooks", hooksOf(graph, node).map(hookEntry)),
    section("Upstream", neighbourEntries(graph, "Upstream", around.upstream)),
    section("Downstream", neighbourEntries(graph, "Downstream", around.downstream)),
    section("Reached by", [{ is: "expression", text: expression(graph, node, rootName(graph)) }]),
  ];
}

/** Arguments with one formula are said together. */
function derivatives(args: readonly Argument[]): Entry[] {
  const names = new Map<string, string[]>();
  for (const { name, formula } of args) names.set(formula, [...(names.get(formula) ?? []), name]);
  return [...names].map(([formula, all]) => fact(all.join(", "), formula));
}

function savedTitle(graph: Graph, node: number): string {
  const held = graph.saved[node]!.length > 1 ? heldWords(graph, [node]) : "";
  return ["Saved for backward", held].filter(Boolean).join(" · ");
}

/** What is known of a leaf, reached or not. */
export function leafEntries(leaf: Leaf): Entry[] {
  const state = !leaf.requiresGrad
    ? "frozen: requires_grad is False"
    : leaf.node === null
      ? "requires grad, but this graph does not reach it"
      : "requires grad";
  const entries = [fact("kind", leaf.parameter ? "parameter" : "tensor"), fact("tensor", tensor(leaf.meta))];
  if (leaf.aliases.length > 0) entries.push(fact("shared", `also called ${several(leaf.aliases, 8)}`));
  entries.push(fact("state", state), fact("grad", leaf.grad === null ? "None" : tensor(leaf.grad)));
  if (!leaf.isLeaf) entries.push(fact("is_leaf", "False"));
  if (leaf.retainsGrad) entries.push(fact("retains_grad", "True"));
  // To fill a parameter for the first time changes it in place already.
  if ((leaf.version ?? 0) > (leaf.parameter ? 1 : 0))
    entries.push(fact("version", `changed in place ${count(leaf.version!, "time")}`));
  return entries;
}

function uses(number: number): Entry[] {
  return number > 1 ? [fact("used by", `${count(number, "operation")}; drawn at each of them`)] : [];
}

export function hookEntry({ kind, owner, name, where }: Hook): Entry {
  return fact(
    kind.replaceAll("_", " "),
    [name, `on ${owner || "the model"}`, where && `at ${where}`].filter(Boolean).join(" "),
  );
}

export function deadEndEntry({ slot, name, tensor: given, why }: DeadEnd): Entry {
  return fact(name ?? `argument ${slot}`, [given, why ?? "no gradient is computed"].filter(Boolean).join(": "));
}

/** The same with the module of an operation, where many of one name are listed. */
export function placedLink(graph: Graph, node: number): Link {
  const link = nodeLink(graph, node);
  const module = leafOf(graph, node)?.name == null ? graph.module[node] : null; // a leaf's name has it
  return module ? { ...link, text: `${link.text} · ${module}` } : link;
}

/** That one box is many. */
export function roundsEntry(number: number): Entry {
  return text(`Stands for ${count(number, "round")}: one box is drawn for all of them.`);
}

function rounds(graph: Graph, alike: readonly number[]): Entry[] {
  if (alike.length === 0) return [];
  const all = alike.map((node) => placedLink(graph, node));
  return [roundsEntry(alike.length + 1), links("Other rounds", all, 12)];
}

function place(model: Model, node: number): Entry[] {
  const { graph } = model;
  const [module, where] = [graph.module[node]!, graph.where[node]];
  const entries: Entry[] = [];
  if (module) {
    const words = moduleWords(graph, module) + (graph.inferred[node] ? " (inferred)" : "");
    entries.push(fact("module", words, { kind: "module", node }));
  }
  if (where) entries.push(fact("source", [where, graph.function[node]].filter(Boolean).join(" in ")));
  entries.push(fact("order", orderWords(model, node)));
  for (const root of graph.roots) if (root.node === node) entries.push(fact("root", rootWords(root)));
  return entries;
}

function savedEntries(graph: Graph, node: number): Entry[] {
  const { holders } = known(graph);
  return graph.saved[node]!.map((saved) => {
    const others = saved.storage === null ? [] : holders.get(saved.storage)!;
    const same = others.filter(([holder, name]) => holder !== node || name !== saved.name);
    const names = several(same.map(([holder, name]) => `${idOf(holder)} ${name}`));
    return fact(saved.name, savedWords(saved) + (same.length > 0 ? `; same memory as ${names}` : ""));
  });
}

function savedWords({ meta, bytes, state, hook }: Saved): string {
  const words = [meta && tensor(meta), bytes !== null && size(bytes), hook === null ? state : `${state} by ${hook}`];
  return words.filter(Boolean).join(", ");
}

function neighbourEntries(graph: Graph, name: string, found: readonly Neighbour[]): Entry[] {
  return found.length === 0
    ? []
    : [
        links(
          name,
          found.map((one) => nodeLink(graph, one.node, one.name)),
        ),
      ];
}
