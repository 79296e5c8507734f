// Nodes of the same operation, module, source line and slots are alike: what is asked of one is answered for all.
//
// A graph of 100,000 nodes has a few hundred such classes, so a search reads few texts, at every letter that is typed.

import type { Graph } from "../model.ts";

const known = new WeakMap<Graph, Int32Array>();

/** Ask each class once; `holds` must depend on nothing else of a node. */
export function ofAlike(graph: Graph, holds: (node: number) => boolean): (node: number) => boolean {
  const classes = classesOf(graph);
  const answers = new Map<number, boolean>();
  return (node) => {
    let answer = answers.get(classes[node]!);
    if (answer === undefined) {
      answer = holds(node);
      answers.set(classes[node]!, answer);
    }
    return answer;
  };
}

/** The class of each node. */
function classesOf(graph: Graph): Int32Array {
  let classes = known.get(graph);
  if (classes === undefined) {
    classes = new Int32Array(graph.size);
    for (const column of [graph.op, graph.module, graph.where, graph.slots]) divide(classes, column);
    known.set(graph, classes);
  }
  return classes;
}

/** Part the nodes of each class by their values in one more column. */
function divide(classes: Int32Array, column: readonly unknown[]): void {
  const values = new Map<unknown, number>();
  const parts = new Map<number, number>();
  for (let node = 0; node < classes.length; node++) {
    const value = placeIn(values, column[node]);
    classes[node] = placeIn(parts, classes[node]! * classes.length + value);
  }
}

function placeIn<Value>(places: Map<Value, number>, value: Value): number {
  let place = places.get(value);
  if (place === undefined) {
    place = places.size;
    places.set(value, place);
  }
  return place;
}
