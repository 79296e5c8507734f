// Which arrows are drawn as two stubs: those that run against the flow, and those that would pass very many rows of one
// pane. Their lines would be long, close together and hard to follow, and they are what makes layouts slow.

import { rankNodes, sorted } from "./rank.ts";
import { type Draft, type Split, split } from "./split.ts";
import type { LayoutInput } from "./types.ts";
import { weigh } from "./weigh.ts";

const MOST_ROWS = 24;

/** The picture in panes without circles, and which arrows have been cut for that. */
export function cutAndSplit(input: LayoutInput): Split {
  const cut = Uint8Array.from(input.again, (back, arrow) => {
    return back === 1 || input.arrows[2 * arrow] === input.arrows[2 * arrow + 1] ? 1 : 0;
  });
  const again = () => split(input, weigh(input, cut), cut);
  let parts = again();
  if (mark(parts, cut, againstFlow)) parts = again();
  if (mark(parts, cut, tooLong)) parts = again();
  return parts;
}

/** Cut all arrows that have a piece among the edges found. Whether there was any. */
function mark(parts: Split, cut: Uint8Array, find: (draft: Draft) => Uint8Array | null): boolean {
  const found = parts.drafts.map(find);
  let any = false;
  for (const { arrow, first, last } of parts.ways) {
    for (let piece = first; piece < last && cut[arrow] === 0; piece++) {
      if (found[parts.piecePane[piece]!]?.[parts.pieceEdge[piece]!] !== 1) continue;
      cut[arrow] = 1;
      any = true;
    }
  }
  return any;
}

/** Edges that close a circle, as a walk in depth finds them; null where there is none. */
function againstFlow({ kind, source, target }: Draft): Uint8Array | null {
  const edges = { source: new Int32Array(source), target: new Int32Array(target) };
  if (sorted(kind.length, edges).length === kind.length) return null;
  const ways: number[][] = kind.map(() => []);
  source.forEach((node, edge) => {
    ways[node]!.push(edge);
  });
  const found = new Uint8Array(source.length);
  const state = new Uint8Array(kind.length); // 1: on the way there, 2: done
  const next = new Int32Array(kind.length);
  for (let start = 0; start < kind.length; start++) {
    if (state[start] !== 0) continue;
    const way = [start];
    state[start] = 1;
    while (way.length > 0) {
      const node = way[way.length - 1]!;
      const edge = ways[node]![next[node]!++];
      if (edge === undefined) state[way.pop()!] = 2;
      else if (state[target[edge]!] === 1) found[edge] = 1;
      else if (state[target[edge]!] === 0) {
        state[target[edge]!] = 1;
        way.push(target[edge]!);
      }
    }
  }
  return found;
}

function tooLong(draft: Draft): Uint8Array | null {
  if (draft.kind.length <= MOST_ROWS) return null; // so few nodes make no more rows
  const source = new Int32Array(draft.source);
  const target = new Int32Array(draft.target);
  const { rank } = rankNodes({ kind: new Uint8Array(draft.kind), source, target });
  return Uint8Array.from(source, (node, edge) => Number(rank[target[edge]!]! - rank[node]! > MOST_ROWS));
}
