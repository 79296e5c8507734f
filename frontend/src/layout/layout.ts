// Lays out a picture: each open group by itself, innermost first, then as one big box in the group around it.
//
// The same input gives the same layout. No function calls itself, so chains and nestings may be as deep as they like.

import { arrange } from "./arrange.ts";
import type { PaneCache } from "./cache.ts";
import { cutAndSplit } from "./cut.ts";
import { Line } from "./line.ts";
import type { Arranged, Pane } from "./pane.ts";
import { portWishes } from "./ports.ts";
import { rankNodes } from "./rank.ts";
import { paneOf, type Split } from "./split.ts";
import type { Layout, LayoutInput, Stub } from "./types.ts";

type Frame = Pick<Pane, "title" | "text">;
const NO_FRAME: Frame = { title: -1, text: 0 };

/** A cache, where one is given, keeps the groups of earlier calls that look the same again. */
export function layOut(input: LayoutInput, cache?: PaneCache): Layout {
  const parts = cutAndSplit(input);
  const panes = arrangeAll(input, parts, cache);
  const wishes = portWishes(parts, panes);
  if (wishes.size > 0) arrangeAll(input, parts, cache, wishes, panes);
  const frames = placeFrames(input, parts, panes);
  return { ...frames, ...gatherRoutes(input, parts, panes, frames), crossings: sum(panes) };
}

/** Again, from panes laid out before: only those with wishes, and what they lie in. */
function arrangeAll(
  input: LayoutInput,
  parts: Split,
  cache?: PaneCache,
  wishes?: ReadonlyMap<number, Float64Array>,
  panes: Arranged[] = new Array(parts.drafts.length),
): Arranged[] {
  const stale = new Uint8Array(panes.length).fill(wishes === undefined ? 1 : 0);
  const sizeOf = (group: number) => panes[group + 1]!;
  const portOf = (group: number, port: number) => sizeOf(group).x[port]! - sizeOf(group).width / 2;
  for (let number = parts.drafts.length - 1; number >= 0; number--) {
    if (wishes?.has(number)) stale[number] = 1;
    if (stale[number] === 0) continue;
    if (number > 0) stale[input.groupParent[number - 1]! + 1] = 1;
    const frame = number === 0 ? NO_FRAME : frameOf(input, number - 1);
    const draft = parts.drafts[number]!;
    const wish = wishes?.get(number) ?? new Float64Array(draft.kind.length).fill(Number.NaN);
    const pane = paneOf(draft, frame, wish, sizeOf, portOf);
    const work = () => arrange(pane, rankNodes(pane));
    panes[number] = cache === undefined ? work() : cache.get(pane, work);
  }
  return panes;
}

function frameOf({ groupTitle, groupText }: LayoutInput, group: number): Frame {
  return { title: groupTitle[group]!, text: groupText[group]! };
}

function sum(panes: readonly Arranged[]): number {
  return panes.reduce((crossings, pane) => crossings + pane.crossings, 0);
}

interface Frames {
  readonly width: number;
  readonly height: number;
  readonly boxes: Float64Array;
  readonly groups: Float64Array;
}

function placeFrames(input: LayoutInput, parts: Split, panes: readonly Arranged[]): Frames {
  const groups = new Float64Array(4 * input.groupParent.length);
  const middle = (group: number, node: number) => {
    const pane = panes[group + 1]!;
    const [left, top] = group < 0 ? [0, 0] : [groups[4 * group]!, groups[4 * group + 1]!];
    return [left + pane.x[node]!, top + pane.y[node]!] as const;
  };
  input.groupParent.forEach((parent, group) => {
    const { width, height } = panes[group + 1]!;
    const [x, y] = middle(parent, parts.groupNode[group]!);
    groups.set([x - width / 2, y - height / 2, width, height], 4 * group);
  });
  const boxes = new Float64Array(input.sizes.length);
  input.boxGroup.forEach((group, box) => {
    boxes.set(middle(group, parts.boxNode[box]!), 2 * box);
  });
  return { width: panes[0]!.width, height: panes[0]!.height, boxes, groups };
}

type RouteParts = Pick<Layout, "points" | "routeStart" | "routeArrow" | "routeHead" | "labels" | "stubs">;

function gatherRoutes(input: LayoutInput, parts: Split, panes: readonly Arranged[], frames: Frames): RouteParts {
  const line = new Line();
  const routeStart = new Int32Array(parts.ways.length + 1);
  const labels = new Float64Array(2 * input.again.length).fill(Number.NaN);
  const stubs: Stub[] = [];
  const corner = (pane: number) =>
    pane === 0 ? ([0, 0] as const) : ([frames.groups[4 * pane - 4]!, frames.groups[4 * pane - 3]!] as const);
  parts.ways.forEach(({ arrow, first, last, pill, end }, number) => {
    for (let piece = first; piece < last; piece++) {
      const pane = panes[parts.piecePane[piece]!]!;
      const [left, top] = corner(parts.piecePane[piece]!);
      const edge = parts.pieceEdge[piece]!;
      for (let i = pane.start[edge]!; i < pane.start[edge + 1]!; i++) {
        const [x, y] = [left + pane.points[2 * i]!, top + pane.points[2 * i + 1]!];
        if (piece === first && i === pane.start[edge]) line.begin(x, y);
        else line.to(x, y);
      }
      if (end !== "source" && piece === last - 1 && parts.labelled[arrow] === 1) {
        labels.set([left + pane.labels[2 * edge]!, top + pane.labels[2 * edge + 1]!], 2 * arrow);
      }
      if (end !== null) stubs.push({ arrow, end, x: left + pane.x[pill]!, y: top + pane.y[pill]! });
    }
    routeStart[number + 1] = line.points.length / 2;
  });
  return {
    points: new Float64Array(line.points),
    routeStart,
    routeArrow: Int32Array.from(parts.ways, (way) => way.arrow),
    routeHead: Uint8Array.from(parts.ways, (way) => Number(way.head)),
    labels,
    stubs,
  };
}
