// Writes the sheet of whatever is selected.

import { idOf } from "../graph.ts";
import type { Leaf, Model } from "../model.ts";
import type { Arrow } from "../scene/types.ts";
import { count, grouped, shape } from "../wording.ts";
import { deadEndEntry, describeNode, hookEntry, leafEntries, nodeLink } from "./describe_node.ts";
import { describeNodes, describePart, ranked } from "./describe_part.ts";
import { headingOf } from "./heading.ts";
import { heldWords, kindOf } from "./known.ts";
import { fact, filled, type Link, links, type Section, type Sheet, type Subject, section, text } from "./sheet.ts";
import { actionsOf } from "./ways.ts";

export function describe(model: Model, subject: Subject): Sheet {
  const sections = filled(sectionsOf(model, subject));
  return { ...headingOf(model, subject), actions: actionsOf(model, subject), sections };
}

function sectionsOf(model: Model, subject: Subject): Section[] {
  switch (subject.kind) {
    case "graph":
      return describeGraph(model);
    case "node":
      return describeNode(model, subject.node, subject.alike);
    case "nodes":
      return describeNodes(model, subject.nodes);
    case "part":
      return describePart(model, subject.item);
    case "ghost":
      return describeGhosts(subject.leaves.map((place) => model.graph.leaves[place]!));
    case "dead_end":
      return describeDeadEnd(model, subject.end);
    case "arrow":
      return describeArrow(model, subject.arrow);
  }
}

function describeGraph({ graph }: Model): Section[] {
  const nodes = graph.op.map((_, node) => node);
  const frozen = graph.leaves.filter((leaf) => leaf.parameter && !leaf.requiresGrad);
  const unreached = graph.leaves.filter((leaf) => leaf.parameter && leaf.requiresGrad && leaf.node === null);
  const roots = graph.roots.map((root) => ({ ...nodeLink(graph, root.node), text: `${root.before}loss${root.after}` }));
  const devices = new Set(graph.slots.flatMap((slots) => slots.map((meta) => meta.device)));
  return [
    section("Notes", graph.notes.map(text)),
    section("Roots", roots.length === 0 ? [] : [links("Roots", roots)]),
    section(
      "Kinds",
      ranked(
        nodes.map((node) => kindOf(graph, node)),
        12,
      ),
    ),
    section("Memory", [
      fact("saved", heldWords(graph, nodes) || "nothing"),
      ...(devices.size > 0 ? [fact("devices", [...devices].join(", "))] : []),
    ]),
    section("Frozen parameters", leafFacts(frozen)),
    section("Parameters not reached", leafFacts(unreached)),
    section("Hooks of modules", graph.moduleHooks.map(hookEntry)),
  ];
}

function leafFacts(leaves: readonly Leaf[], most = 20) {
  const entries = leaves.slice(0, most).map((leaf) => fact(leaf.name ?? "unnamed", shape(leaf.meta)));
  return leaves.length > most ? [...entries, text(`and ${grouped(leaves.length - most)} more`)] : entries;
}

function describeGhosts(leaves: readonly Leaf[]): Section[] {
  const [only] = leaves;
  if (leaves.length > 1 || only === undefined) return [section("Parameters", leafFacts(leaves, 50))];
  return [section("Leaf", leafEntries(only)), section("Hooks", only.hooks.map(hookEntry))];
}

function describeDeadEnd({ graph }: Model, place: number): Section[] {
  const end = graph.deadEnds[place]!;
  return [
    section("Dead end", [deadEndEntry(end), fact("next_functions", `[${end.slot}] of ${idOf(end.source)} is None`)]),
    section("Argument of", [links("Upstream", [nodeLink(graph, end.source)])]),
  ];
}

function describeArrow({ graph }: Model, arrow: Arrow): Section[] {
  const edges = arrow.sample.flatMap((edge): Link[] => {
    const [from, to] = [graph.source[edge]!, graph.target[edge]!];
    const meta = graph.slots[to]?.[graph.targetSlot[edge]!];
    const gradient = [graph.edgeName[edge], meta && shape(meta)].filter(Boolean).join(" ");
    return [
      { ...nodeLink(graph, from), detail: `${idOf(from)} sends ${gradient}` },
      { ...nodeLink(graph, to), detail: `${idOf(to)} receives it` },
    ];
  });
  const more = arrow.edges - arrow.sample.length;
  const again = arrow.again ? [text("It leads into the next round of the repeat.")] : [];
  const rest = more > 0 ? [text(`and ${count(more, "more edge", "more edges")}`)] : [];
  return [section("", again), section("Edges", edges.length === 0 ? [] : [links("Edges", edges), ...rest])];
}
