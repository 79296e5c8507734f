// How much each arrow wants to be straight. What leads on along the longest way to the leaves is the trunk of a picture;
// a leaf beside it must not pull it aside. Ways are counted from box to box, through all frames.

import { gather } from "../gathered.ts";
import { sorted } from "./rank.ts";
import type { LayoutInput } from "./types.ts";

/** 2: on a longest way from above and to below; 1: on the longest way on to below; 0: beside it. */
export function weigh({ boxGroup, arrows }: LayoutInput, cut: Uint8Array): Uint8Array {
  const kept = Int32Array.from(cut.keys()).filter((arrow) => cut[arrow] === 0);
  const source = kept.map((arrow) => arrows[2 * arrow]!);
  const target = kept.map((arrow) => arrows[2 * arrow + 1]!);
  const order = sorted(boxGroup.length, { source, target });
  const below = gather(boxGroup.length, source);
  const depth = new Int32Array(boxGroup.length);
  const height = new Int32Array(boxGroup.length);
  for (const box of order) {
    for (let i = below.start[box]!; i < below.start[box + 1]!; i++) {
      const next = target[below.item[i]!]!;
      depth[next] = Math.max(depth[next]!, depth[box]! + 1);
    }
  }
  for (let k = order.length - 1; k >= 0; k--) {
    const box = order[k]!;
    for (let i = below.start[box]!; i < below.start[box + 1]!; i++) {
      height[box] = Math.max(height[box]!, height[target[below.item[i]!]!]! + 1);
    }
  }
  const weights = new Uint8Array(cut.length);
  kept.forEach((arrow, i) => {
    const [upper, lower] = [source[i]!, target[i]!];
    if (height[upper] === height[lower]! + 1) weights[arrow] = depth[lower] === depth[upper]! + 1 ? 2 : 1;
  });
  return weights;
}
