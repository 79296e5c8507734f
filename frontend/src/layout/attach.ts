// Where on a box its lines leave and arrive: the one that should be straightest in the middle, the others beside it in
// the order of their other ends. Lines arrive so far apart that their labels find room side by side.

import { lowerPlace, upperPlace } from "./crossings.ts";
import type { Lattice } from "./lattice.ts";
import { CORNER, type Pane } from "./pane.ts";
import type { Rows } from "./rows.ts";

const SPREAD = 14;
const BETWEEN_LABELS = 6;

/** Sets the offsets of steps that are free, and widens nodes by the labels above them. */
export function attach(pane: Pane, grid: Lattice, rows: Rows): void {
  const label = new Float64Array(grid.upper.length);
  for (let edge = 0; edge < pane.label.length; edge++) label[grid.steps[edge + 1]! - 1] = pane.label[edge]!;
  for (let node = 0; node < grid.count; node++) {
    spread(
      grid,
      free(grid.down.start, grid.down.item, node, grid.upperOffset),
      (step) => lowerPlace(grid, rows, step),
      {
        offset: grid.upperOffset,
        room: grid.right[node]! - CORNER,
      },
    );
  }
  for (let node = 0; node < grid.count; node++) {
    const steps = free(grid.up.start, grid.up.item, node, grid.lowerOffset);
    spread(grid, steps, (step) => upperPlace(grid, rows, step), {
      offset: grid.lowerOffset,
      room: grid.right[node]! - CORNER,
      label,
    });
    for (const step of steps) {
      grid.left[node] = Math.max(grid.left[node]!, label[step]! / 2 - grid.lowerOffset[step]!);
      grid.right[node] = Math.max(grid.right[node]!, label[step]! / 2 + grid.lowerOffset[step]!);
    }
  }
}

function free(start: Int32Array, item: Int32Array, node: number, offset: Float64Array): number[] {
  const steps: number[] = [];
  for (let i = start[node]!; i < start[node + 1]!; i++) if (Number.isNaN(offset[item[i]!]!)) steps.push(item[i]!);
  return steps;
}

interface Side {
  readonly offset: Float64Array;
  /** Half of the width that lines may use. */
  readonly room: number;
  readonly label?: Float64Array;
}

function spread(grid: Lattice, steps: number[], placeOf: (step: number) => number, side: Side): void {
  if (steps.length === 1) side.offset[steps[0]!] = 0;
  if (steps.length < 2) return;
  const places = new Map(steps.map((step) => [step, placeOf(step)]));
  steps.sort((a, b) => places.get(a)! - places.get(b)!);
  const middle = straightest(grid, steps);
  const outermost = Math.max(middle, steps.length - 1 - middle);
  const gap = Math.min(SPREAD, Math.max(0, side.room) / outermost);
  const labelOf = (k: number) => side.label?.[steps[k] ?? -1] ?? 0;
  const between = (k: number) => {
    const labels = (labelOf(k) + labelOf(k + 1)) / 2;
    return Math.max(gap, labels > 0 ? labels + BETWEEN_LABELS : 0);
  };
  let first = 0; // so that the place `middle` comes to lie at 0
  for (let k = 0; k < Math.floor(middle); k++) first -= between(k);
  if (middle % 1 !== 0) first -= between(Math.floor(middle)) / 2;
  for (let k = 0; k < steps.length; k++) {
    side.offset[steps[k]!] = first;
    first += between(k);
  }
}

/** The place of the step that pulls most; the middle of them where several do. */
function straightest(grid: Lattice, steps: readonly number[]): number {
  const most = steps.reduce((pull, step) => Math.max(pull, grid.pull[step]!), 0);
  const first = steps.findIndex((step) => grid.pull[step] === most);
  const last = steps.findLastIndex((step) => grid.pull[step] === most);
  return (first + last) / 2;
}
