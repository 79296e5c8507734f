import assert from "node:assert/strict";
import { test } from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { idsOfBox, numbersOf, subjectOf, turned } from "../../src/ui/selection.ts";
import { small } from "./small.ts";

const folded = compose(small, {});
const open = compose(small, { g1: "open" });

test("a click on a closed box means all that is in it, on an operation only itself", () => {
  const box = (key: string) => [...folded.boxes, ...open.boxes].find((one) => one.key === key)!;
  assert.deepEqual(idsOfBox(small, box("n0")), ["n0"]);
  assert.deepEqual(new Set(idsOfBox(small, box("g1"))), new Set(["n1", "n2", "n3"]));
  assert.deepEqual(idsOfBox(small, box("n1")), ["n1"]);
});

test("selected nodes are seen as the closed box that they fill, else one by one", () => {
  assert.deepEqual(subjectOf(small, folded, { focus: null, selected: [] }), { kind: "graph" });
  assert.deepEqual(subjectOf(small, folded, { focus: null, selected: ["n3", "n2", "n1"] }), {
    kind: "part",
    item: 2,
    open: false,
  });
  assert.deepEqual(subjectOf(small, folded, { focus: null, selected: ["n1"] }), {
    kind: "node",
    node: 1,
    alike: [],
    repeat: -1,
  });
  assert.deepEqual(subjectOf(small, open, { focus: null, selected: ["n1", "n2"] }), { kind: "nodes", nodes: [1, 2] });
});

test("ids that this graph does not have are left out", () => {
  assert.deepEqual(numbersOf(small, ["n1", "n99", "weight", "n3"]), [1, 3]);
});

test("selecting more adds what was not selected, and takes away what was", () => {
  assert.deepEqual(turned(["n1"], ["n2", "n3"]), ["n1", "n2", "n3"]);
  assert.deepEqual(turned(["n1", "n2", "n3"], ["n2", "n3"]), ["n1"]);
  assert.deepEqual(turned(["n1", "n2"], ["n2", "n3"]), ["n1", "n2", "n3"]);
});
