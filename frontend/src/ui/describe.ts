// Writes the sheet of whatever is selected.

import { gradientsOf } from "../backward.ts";
import { idOf } from "../graph.ts";
import type { Leaf, Model } from "../model.ts";
import type { Arrow } from "../scene/types.ts";
import { count, shape } from "../wording.ts";
import { describeBackward, severingEntries } from "./describe_flow.ts";
import { deadEndEntry, describeNode, hookEntry, leafEntries } from "./describe_node.ts";
import { describeNodes, describePart, ranked } from "./describe_part.ts";
import { headingOf } from "./heading.ts";
import { heldWords, kindOf, rootWords } from "./known.ts";
import { nodeLink } from "./links.ts";
import { ghostItems } from "./parts.ts";
import {
  type Entry,
  fact,
  filled,
  type Goal,
  type Link,
  links,
  type Section,
  type Sheet,
  type Subject,
  section,
  text,
} from "./sheet.ts";
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
      return describeGhosts(model, subject.leaves);
    case "dead_end":
      return describeDeadEnd(model, subject.end);
    case "arrow":
      return describeArrow(model, subject.arrow);
  }
}

function describeGraph(model: Model): Section[] {
  const { graph } = model;
  const nodes = graph.op.map((_, node) => node);
  const parameters = [...graph.leaves.keys()].filter((place) => graph.leaves[place]!.parameter);
  const frozen = parameters.filter((place) => !graph.leaves[place]!.requiresGrad);
  const unreached = parameters.filter((place) => {
    const { requiresGrad, node } = graph.leaves[place]!;
    return requiresGrad && node === null;
  });
  const roots = graph.roots.map((root) => ({ ...nodeLink(graph, root.node), text: rootWords(root) }));
  const devices = new Set(graph.slots.flatMap((slots) => slots.map((meta) => meta.device)));
  return [
    section("Notes", graph.notes.map(text)),
    ...describeBackward(model),
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
    section("Frozen parameters", leafEntry("Frozen parameters", model, frozen)),
    section("Parameters not reached", leafEntry("Parameters not reached", model, unreached)),
    section("Hooks of modules", graph.moduleHooks.map(hookEntry)),
  ];
}

/** Parameters that gradient does not reach, each with its shape and a way to its box. */
function leafEntry(name: string, { graph, tree }: Model, places: readonly number[], most = 20): Entry[] {
  if (places.length === 0) return [];
  const items = ghostItems(tree);
  const all = places.map((place): Link => {
    const leaf = graph.leaves[place]!;
    const item = items.get(place);
    const goal: Goal = item === undefined ? { kind: "nodes", nodes: leafNode(leaf) } : { kind: "item", item };
    return { text: leaf.name ?? "unnamed", detail: shape(leaf.meta), goal };
  });
  return [links(name, all, most)];
}

const leafNode = ({ node }: Leaf): number[] => (node === null ? [] : [node]);

function describeGhosts(model: Model, places: readonly number[]): Section[] {
  const [only, ...others] = places;
  if (only === undefined || others.length > 0)
    return [section("Parameters", leafEntry("Parameters", model, places, 50))];
  const leaf = model.graph.leaves[only]!;
  return [
    section("Leaf", leafEntries(leaf)),
    section("Cuts", severingEntries(model, only)),
    section("Hooks", leaf.hooks.map(hookEntry)),
  ];
}

function describeDeadEnd({ graph }: Model, place: number): Section[] {
  const end = graph.deadEnds[place]!;
  return [
    section("Dead end", [deadEndEntry(end), fact("next_functions", `[${end.slot}] of ${idOf(end.source)} is None`)]),
    section("Argument of", [links("Upstream", [nodeLink(graph, end.source)])]),
  ];
}

/** What an edge added to the gradient at its target, "" where that was not recorded. */
function addedBy(model: Model, edge: number): string {
  const { source, target, targetSlot } = model.graph;
  const arrived = gradientsOf(model, target[edge]!).find(({ slot }) => slot === targetSlot[edge]);
  const added = arrived?.contributions.filter((one) => one.source === source[edge]) ?? [];
  const norm = arrived?.norm == null ? "" : `; ${arrived.norm} arrived in all`;
  return added.length === 1 ? `: ${added[0]!.norm ?? "nothing"}${norm}` : norm;
}

function describeArrow(model: Model, arrow: Arrow): Section[] {
  const { graph } = model;
  const edges = arrow.sample.flatMap((edge): Link[] => {
    const [from, to] = [graph.source[edge]!, graph.target[edge]!];
    const meta = graph.slots[to]?.[graph.targetSlot[edge]!];
    const gradient = [graph.edgeName[edge], meta && shape(meta)].filter(Boolean).join(" ");
    return [
      { ...nodeLink(graph, from), detail: `${idOf(from)} sends ${gradient}` },
      { ...nodeLink(graph, to), detail: `${idOf(to)} receives it${addedBy(model, edge)}` },
    ];
  });
  const more = arrow.edges - arrow.sample.length;
  const again = arrow.again ? [text("It leads into the next round of the repeat.")] : [];
  const rest = more > 0 ? [text(`and ${count(more, "more edge", "more edges")}`)] : [];
  return [section("", again), section("Edges", edges.length === 0 ? [] : [links("Edges", edges), ...rest])];
}
