// In which order the ports of a frame should be. A group is laid out before what lies around it, so its ports may come to
// be in an order that makes lines cross right outside the frame. Then it is laid out once more, with the better order.

import { type Arranged, ENTRY, EXIT } from "./pane.ts";
import type { Split } from "./split.ts";

/** For each pane whose ports are in a worse order than they could be: the wanted place of each port. */
export function portWishes(parts: Split, panes: readonly Arranged[]): Map<number, Float64Array> {
  const pulls = parts.drafts.map(() => new Map<number, { sum: number; lines: number }>());
  const pull = (group: number, port: number, x: number) => {
    const before = pulls[group + 1]!.get(port) ?? { sum: 0, lines: 0 };
    pulls[group + 1]!.set(port, { sum: before.sum + x, lines: before.lines + 1 });
  };
  parts.drafts.forEach((draft, number) => {
    const pane = panes[number]!;
    for (let edge = 0; edge < draft.source.length; edge++) {
      const [from, to] = [draft.fromPort[edge]!, draft.toPort[edge]!];
      if (from >= 0) pull(draft.group[draft.source[edge]!]!, from, comesFrom(pane, edge, 1));
      if (to >= 0) pull(draft.group[draft.target[edge]!]!, to, comesFrom(pane, edge, -1));
    }
  });
  const wishes = new Map<number, Float64Array>();
  parts.drafts.forEach((draft, number) => {
    const wanted = [...pulls[number]!].sort(([a, p], [b, q]) => p.sum / p.lines - q.sum / q.lines || a - b);
    const fits = (kind: number) => {
      const { x } = panes[number]!;
      const ports = wanted.filter(([port]) => draft.kind[port] === kind);
      return ports.every(([port], i) => i === 0 || x[ports[i - 1]![0]]! < x[port]!);
    };
    if ([ENTRY, EXIT].every(fits)) return;
    const wish = new Float64Array(draft.kind.length).fill(Number.NaN);
    wanted.forEach(([port], place) => {
      wish[port] = place;
    });
    wishes.set(number, wish);
  });
  return wishes;
}

/** Where an edge turns to first from its start (1) or from its end (-1). */
function comesFrom({ points, start }: Arranged, edge: number, towards: 1 | -1): number {
  const [first, last] = [start[edge]!, start[edge + 1]! - 1];
  const end = towards === 1 ? first : last;
  let point = end;
  while (points[2 * point] === points[2 * end] && point !== first + last - end) point += towards;
  return points[2 * point]!;
}
