// A nested picture as panes, one for each open group and one for the top. An arrow becomes edges of the panes that it
// passes, from port to port. All arrows of one box share their ports in a frame, so that they leave and enter it as one
// line that forks inside.

import { BOX, ENTRY, EXIT, type Pane, PILL } from "./pane.ts";
import { type LayoutInput, STUB } from "./types.ts";

const MOST_PILLS = 6; // at one end of one box; further arrows share the last one

/** A pane while it is filled. `group` is a list for each node: the group that it is, -1 for what is none. */
export class Draft {
  readonly kind: number[] = [];
  readonly width: number[] = [];
  readonly height: number[] = [];
  readonly group: number[] = [];
  readonly source: number[] = [];
  readonly target: number[] = [];
  /** The port of the open group at which an edge begins or ends: a node of that group's pane, -1 at a box. */
  readonly fromPort: number[] = [];
  readonly toPort: number[] = [];
  readonly weight: number[] = [];
  readonly label: number[] = [];
  readonly #exits = new Map<number, number>();
  readonly #entries = new Map<number, number>();
  readonly #shared = new Map<number, number>();

  node(kind: number, width: number, height: number, group = -1): number {
    this.width.push(width);
    this.height.push(height);
    this.group.push(group);
    return this.kind.push(kind) - 1;
  }

  /** The port for all arrows from a box. */
  port(kind: typeof ENTRY | typeof EXIT, box: number): number {
    const ports = kind === ENTRY ? this.#entries : this.#exits;
    let port = ports.get(box);
    if (port === undefined) {
      port = this.node(kind, 0, 0);
      ports.set(box, port);
    }
    return port;
  }

  edge(source: number, target: number, fromPort: number, toPort: number, weight: number, label: number): number {
    this.source.push(source);
    this.target.push(target);
    this.fromPort.push(fromPort);
    this.toPort.push(toPort);
    this.weight.push(weight);
    return this.label.push(label) - 1;
  }

  /** The one edge from a box, or from its port, to a port. */
  shared(box: number, source: number, target: number, fromPort: number, toPort: number, weight: number): number {
    const key = box * 2 ** 26 + target;
    const known = this.#shared.get(key);
    if (known === undefined) {
      const edge = this.edge(source, target, fromPort, toPort, weight, 0);
      this.#shared.set(key, edge);
      return edge;
    }
    this.weight[known] = Math.max(this.weight[known]!, weight);
    return known;
  }
}

/** A drawn line: pieces `first` to `last` (not included) of `Split`. */
interface Way {
  readonly arrow: number;
  readonly first: number;
  readonly last: number;
  readonly head: boolean;
  /** The pill at its end without a box, if it is a piece of a cut arrow. */
  readonly pill: number;
  readonly end: "source" | "target" | null;
}

export interface Split {
  /** The top first, then the groups. */
  readonly drafts: readonly Draft[];
  /** The node that each box and each group is in its pane. */
  readonly boxNode: Int32Array;
  readonly groupNode: Int32Array;
  readonly ways: readonly Way[];
  /** Pane and edge of each piece. */
  readonly piecePane: readonly number[];
  readonly pieceEdge: readonly number[];
  /** Whether the label of an arrow is drawn: not where several arrows share a pill. */
  readonly labelled: Uint8Array;
}

/** Cut: 1 for arrows that are drawn as two stubs. */
export function split(input: LayoutInput, weights: Uint8Array, cut: Uint8Array): Split {
  const splitter = new Splitter(input, weights);
  for (let arrow = 0; arrow < cut.length; arrow++) {
    if (cut[arrow] === 1) splitter.stubs(arrow);
    else splitter.whole(arrow);
  }
  return splitter;
}

class Splitter implements Split {
  readonly drafts: Draft[];
  readonly boxNode: Int32Array;
  readonly groupNode: Int32Array;
  readonly ways: Way[] = [];
  readonly piecePane: number[] = [];
  readonly pieceEdge: number[] = [];
  readonly labelled: Uint8Array;
  readonly #input: LayoutInput;
  readonly #weights: Uint8Array;
  readonly #depth: Int32Array;
  readonly #pills = { source: new Map<number, number[]>(), target: new Map<number, number[]>() };

  constructor(input: LayoutInput, weights: Uint8Array) {
    const { sizes, boxGroup, groupParent } = input;
    this.#input = input;
    this.#weights = weights;
    this.#depth = new Int32Array(groupParent.length + 1);
    this.labelled = new Uint8Array(input.again.length).fill(1);
    this.drafts = Array.from({ length: groupParent.length + 1 }, () => new Draft());
    this.boxNode = boxGroup.map((group, box) => this.#draft(group).node(BOX, sizes[2 * box]!, sizes[2 * box + 1]!));
    this.groupNode = groupParent.map((parent, group) => this.#draft(parent).node(BOX, 0, 0, group));
    groupParent.forEach((parent, group) => {
      this.#depth[group + 1] = this.#depth[parent + 1]! + 1;
    });
  }

  #draft(group: number): Draft {
    return this.drafts[group + 1]!;
  }

  whole(arrow: number): void {
    const { arrows, boxGroup, groupParent, labels } = this.#input;
    const [box, target] = [arrows[2 * arrow]!, arrows[2 * arrow + 1]!];
    const weight = this.#weights[arrow]!;
    const first = this.pieceEdge.length;
    const inwards = this.#inwards(boxGroup[box]!, boxGroup[target]!);
    let group = boxGroup[box]!;
    let [node, port] = [this.boxNode[box]!, -1];
    for (; group !== inwards.from; group = groupParent[group]!) {
      const exit = this.#draft(group).port(EXIT, box);
      this.#piece(group, this.#draft(group).shared(box, node, exit, port, -1, weight));
      [node, port] = [this.groupNode[group]!, exit];
    }
    for (const inner of inwards.groups) {
      const entry = this.#draft(inner).port(ENTRY, box);
      this.#piece(group, this.#draft(group).shared(box, node, this.groupNode[inner]!, port, entry, weight));
      [node, port, group] = [entry, -1, inner];
    }
    this.#piece(group, this.#draft(group).edge(node, this.boxNode[target]!, port, -1, weight, labels[arrow]!));
    this.ways.push({ arrow, first, last: this.pieceEdge.length, head: true, pill: -1, end: null });
  }

  stubs(arrow: number): void {
    for (const end of ["source", "target"] as const) {
      const box = this.#input.arrows[2 * arrow + (end === "source" ? 0 : 1)]!;
      const group = this.#input.boxGroup[box]!;
      const piece = this.pieceEdge.length;
      const edge = this.#pill(arrow, box, group, end);
      const pill = end === "source" ? this.#draft(group).target[edge]! : this.#draft(group).source[edge]!;
      this.#piece(group, edge);
      this.ways.push({ arrow, first: piece, last: piece + 1, head: end === "target", pill, end });
    }
  }

  /** The edge between a box and the pill of an arrow. */
  #pill(arrow: number, box: number, group: number, end: "source" | "target"): number {
    const draft = this.#draft(group);
    const edges = this.#pills[end].get(box) ?? [];
    this.#pills[end].set(box, edges);
    if (edges.length === MOST_PILLS) {
      if (end === "target") this.labelled[arrow] = 0;
      return edges[MOST_PILLS - 1]!;
    }
    const pill = draft.node(PILL, STUB.width, STUB.height);
    const node = this.boxNode[box]!;
    const edge =
      end === "source"
        ? draft.edge(node, pill, -1, -1, 0, 0)
        : draft.edge(pill, node, -1, -1, 0, this.#input.labels[arrow]!);
    edges.push(edge);
    return edge;
  }

  #piece(group: number, edge: number): void {
    this.piecePane.push(group + 1);
    this.pieceEdge.push(edge);
  }

  /** The group that holds both, and the groups from there in to the second one. */
  #inwards(source: number, target: number): { from: number; groups: number[] } {
    const parents = this.#input.groupParent;
    const groups: number[] = [];
    let [a, b] = [source, target];
    while (a !== b) {
      if (this.#depth[a + 1]! >= this.#depth[b + 1]!) a = parents[a]!;
      else {
        groups.push(b);
        b = parents[b]!;
      }
    }
    return { from: a, groups: groups.reverse() };
  }
}

/** A finished draft; `sizeOf` and `portOf` tell of the open groups in it, which have been laid out before. */
export function paneOf(
  draft: Draft,
  frame: Pick<Pane, "title" | "text">,
  wish: Float64Array,
  sizeOf: (group: number) => { width: number; height: number },
  portOf: (group: number, port: number) => number,
): Pane {
  const width = new Float64Array(draft.width);
  const height = new Float64Array(draft.height);
  draft.group.forEach((group, node) => {
    if (group < 0) return;
    const size = sizeOf(group);
    [width[node], height[node]] = [size.width, size.height];
  });
  const offsets = (nodes: readonly number[], ports: readonly number[]): Float64Array => {
    const offset = new Float64Array(nodes.length).fill(Number.NaN);
    for (let edge = 0; edge < nodes.length; edge++) {
      if (ports[edge]! >= 0) offset[edge] = portOf(draft.group[nodes[edge]!]!, ports[edge]!);
    }
    return offset;
  };
  return {
    kind: new Uint8Array(draft.kind),
    width,
    height,
    source: new Int32Array(draft.source),
    target: new Int32Array(draft.target),
    from: offsets(draft.source, draft.fromPort),
    to: offsets(draft.target, draft.toPort),
    weight: new Uint8Array(draft.weight),
    label: new Float64Array(draft.label),
    wish,
    ...frame,
  };
}
