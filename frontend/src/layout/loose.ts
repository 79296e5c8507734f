// Boxes that no arrow touches (ghosts of parameters that the graph does not reach): side by side in columns, to the right
// of the rest, or as an even block where there is no rest.

import { MARGIN, NODE_GAP } from "./pane.ts";

const GAP = 10; // between two of them, one above the other
const ASPECT = 1.6;

export interface Columns {
  /** Centres of the boxes, in their order, from the top left corner. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly width: number;
  readonly height: number;
}

/** `beside`: how high the rest is, 0 if there is none. */
export function columns(widths: readonly number[], heights: readonly number[], beside: number): Columns {
  const area = widths.reduce((sum, width, i) => sum + (width + NODE_GAP) * (heights[i]! + GAP), 0);
  const most = Math.max(beside, Math.sqrt(area / ASPECT));
  const x = new Float64Array(widths.length);
  const y = new Float64Array(widths.length);
  let [left, bottom, lowest] = [0, 0, 0];
  let first = 0;
  const close = (end: number) => {
    const widest = Math.max(...widths.slice(first, end));
    for (let i = first; i < end; i++) x[i] = left + widest / 2;
    left += widest + NODE_GAP;
    [first, bottom] = [end, 0];
  };
  for (let i = 0; i < widths.length; i++) {
    if (bottom > 0 && bottom + GAP + heights[i]! > most) close(i);
    const top = bottom > 0 ? bottom + GAP : 0;
    y[i] = top + heights[i]! / 2;
    bottom = top + heights[i]!;
    lowest = Math.max(lowest, bottom);
  }
  if (widths.length > 0) close(widths.length);
  return { x, y, width: left - NODE_GAP, height: lowest };
}

/** How far they stand from the rest. */
export const ASIDE = 2 * MARGIN;
