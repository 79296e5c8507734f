import assert from "node:assert/strict";
import test from "node:test";
import { fileName } from "../../src/ui/saving.ts";

test("files have the words of the page's title as their name", () => {
  assert.equal(fileName("Backward graph: 76 nodes, 1,002 edges"), "Backward-graph-76-nodes-1-002-edges");
  assert.equal(fileName("../../<Über> net.v2 "), "Über-net-v2");
  assert.equal(fileName("日本語"), "日本語");
  for (const nothing of ["", " ", "../"]) assert.equal(fileName(nothing), "backward-graph");
  assert.equal(fileName("a".repeat(3000)).length, 80);
});
