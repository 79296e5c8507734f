// What each subject is called: the heading of its sheet, which the status line says as well.

import { idOf, leafOf } from "../graph.ts";
import type { Model } from "../model.ts";
import { count } from "../wording.ts";
import { kindOf, moduleWords, nameOf } from "./known.ts";
import { pathOf } from "./parts.ts";
import type { Heading, Subject } from "./sheet.ts";

export function headingOf(model: Model, subject: Subject): Heading {
  const { graph } = model;
  switch (subject.kind) {
    case "graph":
      return {
        title: graph.title || count(graph.size, "node"),
        subtitle: `backward graph · ${count(graph.source.length, "edge")}`,
      };
    case "node":
      return headingOfNode(model, subject.node);
    case "nodes":
      return { title: count(subject.nodes.length, "node"), subtitle: "selected" };
    case "part":
      return headingOfPart(model, subject.item, subject.open);
    case "ghost":
      return headingOfGhosts(model, subject.leaves);
    case "dead_end": {
      const { name, slot } = graph.deadEnds[subject.end]!;
      return { title: name ?? `argument ${slot}`, subtitle: "no gradient" };
    }
    case "arrow": {
      const { edges } = subject.arrow;
      return {
        title: `${subject.source} → ${subject.target}`,
        subtitle: edges === 0 ? "no gradient" : count(edges, "edge"),
      };
    }
  }
}

function headingOfNode({ graph }: Model, node: number): Heading {
  const operation = leafOf(graph, node)?.name ? graph.op[node]! : "";
  return {
    title: nameOf(graph, node),
    subtitle: [operation, idOf(node), kindOf(graph, node)].filter(Boolean).join(" · "),
  };
}

function headingOfPart(model: Model, item: number, open: boolean): Heading {
  const { graph, tree } = model;
  const path = pathOf(model, item);
  const label = open ? tree.frame[item]! : tree.label[item]!;
  const title = path === "" ? label : moduleWords(graph, path);
  return {
    title: title || graph.title || "Whole graph",
    subtitle: `${open ? "open" : "closed"} ${tree.kind[item]!.replace("_", " ")}`,
  };
}

function headingOfGhosts({ graph }: Model, places: readonly number[]): Heading {
  const [only, ...others] = places.map((place) => graph.leaves[place]!);
  return {
    title: others.length === 0 ? (only?.name ?? "unnamed") : count(places.length, "parameter"),
    subtitle: only?.requiresGrad ? "not reached by this graph" : "frozen",
  };
}
