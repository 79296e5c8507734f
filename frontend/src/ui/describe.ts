// Writes the sheet of whatever is selected.

import { idOf } from "../graph.ts";
import type { Leaf, Model } from "../model.ts";
import type { Arrow, Box } from "../scene/types.ts";
import { deadEndEntry, describeNode, hookEntry, leafEntries, nodeLink } from "./describe_node.ts";
import { describeNodes, describePart, ranked } from "./describe_part.ts";
import { heldWords, kindOf } from "./known.ts";
import { fact, filled, type Link, links, type Sheet, type Subject, section, text } from "./sheet.ts";
import { count, grouped, shape } from "./wording.ts";

export function describe(model: Model, subject: Subject): Sheet {
  switch (subject.kind) {
    case "graph":
      return describeGraph(model);
    case "node":
      return describeNode(model, subject.node, subject.alike);
    case "nodes":
      return describeNodes(model, subject.nodes);
    case "part":
      return describePart(model, subject.item, subject.open);
    case "ghost":
      return describeGhosts(subject.leaves.map((place) => model.graph.leaves[place]!));
    case "dead_end":
      return describeDeadEnd(model, subject.end);
    case "arrow":
      return describeArrow(model, subject.arrow, subject.source, subject.target);
  }
}

function describeGraph({ graph }: Model): Sheet {
  const nodes = graph.op.map((_, node) => node);
  const frozen = graph.leaves.filter((leaf) => leaf.parameter && !leaf.requiresGrad);
  const unreached = graph.leaves.filter((leaf) => leaf.parameter && leaf.requiresGrad && leaf.node === null);
  const roots = graph.roots.map((root) => ({ ...nodeLink(graph, root.node), text: `${root.before}loss${root.after}` }));
  const devices = new Set(graph.slots.flatMap((slots) => slots.map((meta) => meta.device)));
  return {
    title: graph.title || count(graph.size, "node"),
    subtitle: `backward graph · ${count(graph.source.length, "edge")}`,
    actions: [],
    sections: filled([
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
    ]),
  };
}

function leafFacts(leaves: readonly Leaf[], most = 20) {
  const entries = leaves.slice(0, most).map((leaf) => fact(leaf.name ?? "unnamed", shape(leaf.meta)));
  return leaves.length > most ? [...entries, text(`and ${grouped(leaves.length - most)} more`)] : entries;
}

function describeGhosts(leaves: readonly Leaf[]): Sheet {
  const [only] = leaves;
  const state = only?.requiresGrad ? "not reached by this graph" : "frozen";
  if (leaves.length === 1 && only !== undefined) {
    const sections = [section("Leaf", leafEntries(only)), section("Hooks", only.hooks.map(hookEntry))];
    return { title: only.name ?? "unnamed", subtitle: state, actions: [], sections: filled(sections) };
  }
  const title = count(leaves.length, "parameter");
  return { title, subtitle: state, actions: [], sections: [section("Parameters", leafFacts(leaves, 50))] };
}

function describeDeadEnd({ graph }: Model, place: number): Sheet {
  const end = graph.deadEnds[place]!;
  return {
    title: end.name ?? `argument ${end.slot}`,
    subtitle: "no gradient",
    actions: [],
    sections: [
      section("Dead end", [deadEndEntry(end), fact("next_functions", `[${end.slot}] of ${idOf(end.source)} is None`)]),
      section("Argument of", [links("Upstream", [nodeLink(graph, end.source)])]),
    ],
  };
}

function describeArrow({ graph }: Model, arrow: Arrow, source: Box, target: Box): Sheet {
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
  return {
    title: `${source.label} → ${target.label}`,
    subtitle: arrow.edges === 0 ? "no gradient" : count(arrow.edges, "edge"),
    actions: [],
    sections: filled([
      section("", again),
      section("Edges", edges.length === 0 ? [] : [links("Edges", edges), ...rest]),
    ]),
  };
}
