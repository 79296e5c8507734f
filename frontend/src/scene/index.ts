// Look-ups in a scene, each worked out when first asked for and kept as long as the scene.

import { gather, ownedBy } from "../gathered.ts";
import { kept } from "../kept.ts";
import type { Scene } from "./types.ts";

const boxesByNode = kept(({ boxes }: Scene) => {
  const count = boxes.reduce((sum, box) => sum + box.nodes.length, 0);
  const [nodes, places] = [new Int32Array(count), new Int32Array(count)];
  let [entry, size] = [0, 0];
  boxes.forEach((box, number) => {
    for (const node of box.nodes) {
      nodes[entry] = node;
      places[entry++] = number;
      size = Math.max(size, node + 1);
    }
  });
  const { start, item } = gather(size, nodes);
  return { start, item: item.map((one) => places[one]!) };
});

/** The boxes of a node: its own, or the closed one around it. A leaf has one at each of its uses. */
export function boxesOf(scene: Scene, node: number): number[] {
  return [...ownedBy(boxesByNode(scene), node)];
}

const boxesByKey = kept(({ boxes }: Scene) => new Map(boxes.map((box, number) => [box.key, number])));
const groupsByKey = kept(({ groups }: Scene) => new Map(groups.map((group, number) => [group.key, number])));

/** The place of the box with this key, -1 where there is none. */
export function boxWithKey(scene: Scene, key: string): number {
  return boxesByKey(scene).get(key) ?? -1;
}

/** The place of the frame with this key, -1 where there is none. */
export function groupWithKey(scene: Scene, key: string): number {
  return groupsByKey(scene).get(key) ?? -1;
}

const ends = (scene: Scene, end: "source" | "target") => Int32Array.from(scene.arrows, (arrow) => arrow[end]);
const arrowsBySource = kept((scene: Scene) => gather(scene.boxes.length, ends(scene, "source")));
const arrowsByTarget = kept((scene: Scene) => gather(scene.boxes.length, ends(scene, "target")));

/** The arrows that start at a box, in the scene's order. */
export function arrowsFrom(scene: Scene, box: number): number[] {
  return [...ownedBy(arrowsBySource(scene), box)];
}

/** The arrows that end at a box, in the scene's order. */
export function arrowsInto(scene: Scene, box: number): number[] {
  return [...ownedBy(arrowsByTarget(scene), box)];
}

/** The first box within a frame or the frames in it, which is upstream of the others; null where there is none. */
export function firstInside({ boxes, groups }: Scene, group: number): number | null {
  const inside = new Set([group]); // parents come before children
  groups.forEach(({ parent }, place) => {
    if (parent >= 0 && inside.has(parent)) inside.add(place);
  });
  const first = group < 0 ? -1 : boxes.findIndex((box) => inside.has(box.group));
  return first < 0 ? null : first;
}
