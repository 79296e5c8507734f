// Many nodes have the same operation, module, source line or slots: what is asked of a value is answered for all of them.
//
// A graph of 100,000 nodes has a few hundred of most values, so a search reads few texts, at every letter that is typed.

import { kept } from "../kept.ts";

interface Values {
  /** Each value once. */
  readonly distinct: readonly unknown[];
  /** Which of them each node has. */
  readonly ofNode: Int32Array;
}

/** What holds for the value that a node has in a column of the graph; each value is asked once. */
export function ofAlike<Value>(column: readonly Value[], holds: (value: Value) => boolean): (node: number) => boolean {
  const { distinct, ofNode } = valuesOf(column);
  const answers = (distinct as readonly Value[]).map(holds);
  return (node) => answers[ofNode[node]!]!;
}

const valuesOf = kept((column: readonly unknown[]): Values => {
  const places = new Map<unknown, number>();
  const ofNode = new Int32Array(column.length);
  let [before, place]: [unknown, number] = [undefined, 0];
  column.forEach((value, node) => {
    if (value !== before) place = placeIn(places, value); // neighbours are often alike
    before = value;
    ofNode[node] = place;
  });
  return { distinct: [...places.keys()], ofNode };
});

function placeIn<Value>(places: Map<Value, number>, value: Value): number {
  let place = places.get(value);
  if (place === undefined) {
    place = places.size;
    places.set(value, place);
  }
  return place;
}
