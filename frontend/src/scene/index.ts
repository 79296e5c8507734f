// Look-ups in a scene, each worked out when first asked for and kept as long as the scene.

import { starts } from "../graph.ts";
import type { Model } from "../model.ts";
import { bundle } from "./bundles.ts";
import { outlineOf } from "./outline.ts";
import { place } from "./placing.ts";
import type { Scene } from "./types.ts";

/** Lists of numbers, one for each owner: those of owner i are list[start[i]] to list[start[i + 1] - 1]. */
interface Lists {
  readonly start: Int32Array;
  readonly list: Int32Array;
}

function kept<Value>(work: (scene: Scene) => Value): (scene: Scene) => Value {
  const known = new WeakMap<Scene, { readonly value: Value }>();
  return (scene) => {
    let found = known.get(scene);
    if (found === undefined) {
      found = { value: work(scene) };
      known.set(scene, found);
    }
    return found.value;
  };
}

function listed(owners: Int32Array, values: Int32Array, size: number): Lists {
  const start = starts(owners, size);
  const next = start.slice();
  const list = new Int32Array(values.length);
  owners.forEach((owner, entry) => {
    list[next[owner]!++] = values[entry]!;
  });
  return { start, list };
}

function entries({ start, list }: Lists, owner: number): number[] {
  return Array.from(list.subarray(start[owner], start[owner + 1] ?? start[owner]));
}

const boxesByNode = kept((scene) => {
  const count = scene.boxes.reduce((sum, box) => sum + box.nodes.length, 0);
  const [nodes, places] = [new Int32Array(count), new Int32Array(count)];
  let [entry, size] = [0, 0];
  scene.boxes.forEach((box, number) => {
    for (const node of box.nodes) {
      nodes[entry] = node;
      places[entry++] = number;
      size = Math.max(size, node + 1);
    }
  });
  return listed(nodes, places, size);
});

/** The boxes of a node: its own, or the closed one around it. A leaf has one at each of its uses. */
export function boxesOf(scene: Scene, node: number): number[] {
  return entries(boxesByNode(scene), node);
}

const boxesByKey = kept((scene) => new Map(scene.boxes.map((box, number) => [box.key, number])));
const groupsByKey = kept((scene) => new Map(scene.groups.map((group, number) => [group.key, number])));

/** The place of the box with this key, -1 where there is none. */
export function boxWithKey(scene: Scene, key: string): number {
  return boxesByKey(scene).get(key) ?? -1;
}

/** The place of the frame with this key, -1 where there is none. */
export function groupWithKey(scene: Scene, key: string): number {
  return groupsByKey(scene).get(key) ?? -1;
}

const numbered = (scene: Scene): Int32Array => Int32Array.from(scene.arrows.keys());
const arrowsBySource = kept((scene) =>
  listed(
    Int32Array.from(scene.arrows, (arrow) => arrow.source),
    numbered(scene),
    scene.boxes.length,
  ),
);
const arrowsByTarget = kept((scene) =>
  listed(
    Int32Array.from(scene.arrows, (arrow) => arrow.target),
    numbered(scene),
    scene.boxes.length,
  ),
);

/** The arrows that start at a box, in the scene's order. */
export function arrowsFrom(scene: Scene, box: number): number[] {
  return entries(arrowsBySource(scene), box);
}

/** The arrows that end at a box, in the scene's order. */
export function arrowsInto(scene: Scene, box: number): number[] {
  return entries(arrowsByTarget(scene), box);
}

/** The arrow from one box to another, -1 where there is none; rather one with the flow than one into the next round. */
export function arrowBetween(scene: Scene, source: number, target: number): number {
  const found = arrowsFrom(scene, source).filter((arrow) => scene.arrows[arrow]!.target === target);
  return found.find((arrow) => !scene.arrows[arrow]!.again) ?? found[0] ?? -1;
}

const arrowsByEdge = new WeakMap<Scene, Int32Array>();

/** The arrow that each edge of the graph is drawn as, -1 for those inside a closed box. */
export function arrowOfEdges(model: Model, scene: Scene): Int32Array {
  let found = arrowsByEdge.get(scene);
  if (found === undefined) {
    const outlined = outlineOf(scene);
    found = bundle(model, outlined, place(model, outlined)).arrowOf; // numbered as in the scene: by their first edges
    arrowsByEdge.set(scene, found);
  }
  return found;
}
